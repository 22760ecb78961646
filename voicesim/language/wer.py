"""Word error rate between a text and what was heard of it, over folded words."""

from voicesim.language.fold import fold


def word_error_rate(reference: str, hypothesis: str) -> float | None:
    """Words changed, left out or added, over the words of the reference; None when the reference has no words.

    Both texts are folded first, so a value counts the same however it is written (`250 mg` and `two hundred fifty
    milligrams`), case and punctuation do not count, and each value counts as few words (`8:30` is two). The distance
    is the least number of edits (Levenshtein), as jiwer counts it. It can exceed 1.

    >>> word_error_rate("Take 250 mg at 8:00.", "take two hundred fifty milligrams at eight o'clock")
    0.0
    >>> word_error_rate("Take 500 mg.", "take 50 mg")
    0.3333333333333333
    """
    expected, heard = fold(reference), fold(hypothesis)
    if not expected:
        return None
    from jiwer import process_words

    return float(process_words(" ".join(expected), " ".join(heard)).wer) if heard else 1.0
