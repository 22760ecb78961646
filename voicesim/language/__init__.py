"""Reading and writing a language without a model: values, folded words, sentences, negation, cues, quotes.

- `values.read(text)` -> readings: a value (kinds.py: quantity, time, date, ...) and the characters that hold it;
  `values.same(a, b)`, `values.holds(text, value)`, `values.times_in(text)`.
- `fold.fold(text)` -> words that compare equal when they mean the same read aloud; `fold.find(quote, text)`.

Word lists and patterns are YAML under data/<language>/, each entry with examples that a test walks. A text becomes a
line with number words as figures (line.py, numbers.py); patterns of values.yaml are tried at each word of it
(value_patterns.py), and a builder makes the value or refuses (builders.py, dates.py, times.py).
"""
