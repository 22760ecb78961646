"""What the words of a clause are about: topics of a call, medicines, and which words are known at all."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from voicesim.errors import near
from voicesim.language.cues import Finder, Place, places
from voicesim.language.data import load
from voicesim.language.entries import FILES, entries
from voicesim.language.words import read

SIGN = "@"
_ENDINGS = ("ing", "ed", "es", "s", "er", "est", "ly", "y", "ness", "'s")


@cache
def lists() -> dict[str, tuple[str, ...]]:
    """The lists of cues by name: topics, ingredients of medicines, and classes of those."""
    medicines = load("medicines")
    cue_lists = {name: tuple(map(str, topic["cues"])) for name, topic in load("topics")["topics"].items()}
    cue_lists |= {name: tuple(names) for name, names in medicines["ingredients"].items()}
    for name, members in medicines["classes"].items():
        cue_lists[name] = tuple(dict.fromkeys(word for member in members for word in medicines["ingredients"][member]))
    return cue_lists | {"multi": tuple(medicines["multi"])}


def expanded(cues: Iterable[str]) -> tuple[str, ...]:
    """Cues with the names of lists (`@breathing`, `@nsaids`) replaced by what they hold, each once, in order.

    Raises ValueError, with near names, for a list that there is not.
    """
    spelled_out: dict[str, None] = {}
    for cue in cues:
        if not cue.startswith(SIGN):
            spelled_out.setdefault(cue)
        elif cue[1:] not in lists():
            raise ValueError(f"there is no list of cues {cue!r}.{near(cue[1:], lists())}")
        else:
            spelled_out.update(dict.fromkeys(lists()[cue[1:]]))
    return tuple(spelled_out)


def condensed(cues: Iterable[str]) -> tuple[str, ...]:
    """Cues with the names of lists in the place of what they hold: the other way round of `expanded`."""
    left = list(dict.fromkeys(cues))
    for name, words in sorted(lists().items(), key=lambda entry: -len(entry[1])):
        if len(words) > 2 and set(words) <= set(left):
            place = left.index(words[0])
            left = (
                [cue for cue in left[:place] if cue not in words]
                + [SIGN + name]
                + [cue for cue in left[place:] if cue not in words]
            )
    return tuple(left)


@cache
def _topic_finder() -> tuple[Finder, dict[str, frozenset[str]]]:
    """All words of all topics, and the topics that each belongs to. Medicines are a topic each ingredient."""
    of: dict[str, set[str]] = {}
    for name, topic in load("topics")["topics"].items():
        for word in (*topic["cues"], *topic.get("also", ())):
            of.setdefault(str(word), set()).add(name)
    medicines = load("medicines")
    for name, names in medicines["ingredients"].items():
        for word in names:
            of.setdefault(word, set()).add(name)
    for word in (*medicines["multi"], *medicines["forms"]):
        of.setdefault(word, set()).add("medicines")
    return Finder(of), {word: frozenset(names) for word, names in of.items()}


@lru_cache(maxsize=4096)
def topics(sentence: str) -> tuple[tuple[str, Place], ...]:
    """Each topic that a sentence speaks of, with the words that do."""
    finder, of = _topic_finder()
    return tuple((name, place) for word, place in finder.find(sentence) for name in sorted(of[word]))


def telling_topics(sentence: str) -> frozenset[str]:
    """The topics that words speak of which do more than say when: `how many nights` alone is about nothing yet."""
    words = read(sentence).texts
    return frozenset(
        name
        for name, (first, last) in topics(sentence)
        if not _weak().issuperset(words[first:last]) or _asking_words().issuperset(words[first:last])
    )


@cache
def _weak() -> frozenset[str]:
    return frozenset(load("topics")["weak"].split()) | _asking_words()


@cache
def _asking_words() -> frozenset[str]:
    return frozenset(load("topics")["asking_words"].split())


@cache
def umbrellas() -> frozenset[str]:
    """Topics that list words of others, such as all symptoms."""
    return frozenset(name for name, topic in load("topics")["topics"].items() if topic.get("umbrella"))


@cache
def matters() -> frozenset[str]:
    """All topics but those that are medicines."""
    return frozenset(load("topics")["topics"])


@cache
def settings() -> frozenset[str]:
    """Topics of where one is, and what one does there."""
    return frozenset(name for name, topic in load("topics")["topics"].items() if topic.get("setting"))


def topics_of(cue: str) -> frozenset[str]:
    """The topics that list a cue; for a cue of no list those whose words it holds."""
    listed = _topic_finder()[1].get(cue)
    return listed or frozenset(name for name, _ in topics(cue.replace("...", " ")))


@cache
def _product_finder() -> Finder:
    medicines = load("medicines")
    return Finder([*(word for names in medicines["ingredients"].values() for word in names), *medicines["multi"]])


@lru_cache(maxsize=4096)
def products(sentence: str) -> tuple[tuple[str, Place], ...]:
    """The medicines that a sentence names, each with its place."""
    return tuple(_product_finder().find(sentence))


@lru_cache(maxsize=4096)
def other_senses(sentence: str) -> tuple[tuple[Place, bool], ...]:
    """Where words stand in a phrase that gives them another sense: `breath` in `bad breath`.

    Of a phrase with words in brackets only those are meant otherwise: `allergic to any (medicine)`. Each place comes
    with whether a cue that holds all of it may still be meant: it may where the phrase has no brackets.
    """
    senses: list[tuple[Place, bool]] = []
    for phrase in load("topics")["other_senses"]:
        changed = re.search(r"\((.*)\)", phrase)
        size = len(read(changed[1]).texts) if changed else 0
        for first, last in places(re.sub(r"[()]", "", phrase), sentence):
            if changed and changed.start() == 0:
                senses.append(((first, first + size), False))
            else:
                senses.append(((last - size if changed else first, last), changed is None))
    return tuple(senses)


def meant(cue: str, sentence: str) -> list[Place]:
    """The places of a cue that are not part of a phrase of another sense; the cue itself may hold such a phrase."""
    return [
        (first, last)
        for first, last in places(cue, sentence)
        if not any(
            start < last and first < end and not (excused and first <= start and end <= last)
            for (start, end), excused in other_senses(sentence)
        )
    ]


def is_plain(word: str) -> bool:
    """Whether a word belongs to no topic at all: `you`, `have`, `when`, a number."""
    return word in _plain() or word[0].isdigit() or (len(word) > 4 and any(form in _plain() for form in _forms(word)))


def is_known(word: str) -> bool:
    """Whether a word is plain, or belongs to a topic, a medicine, a person."""
    return (
        is_plain(word)
        or word in _vocabulary()
        or any(form in _vocabulary() for form in _forms(word))
        or bool(topics(word))
    )


def _forms(word: str) -> list[str]:
    """A word without its ending: `coughing` is `cough`, `pills` is `pill`."""
    cut = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= 3]
    return [*cut, *(form + "e" for form in cut), *(form[:-1] for form in cut if len(form) > 3 and form[-1] == form[-2])]


@cache
def _plain() -> frozenset[str]:
    closed = (
        word for file in FILES[:2] for name, row in entries(file).items() if name != "directives" for word in row.words
    )
    return (frozenset(load("plain")["words"].split()) | frozenset(closed)) - frozenset(load("topics")["not_plain"])


@cache
def _vocabulary() -> frozenset[str]:
    _, of = _topic_finder()
    listed = (word for file in FILES for row in entries(file).values() for word in row.words)
    return frozenset(text for word in of for text in read(word.replace("...", " ")).texts) | frozenset(listed)


@cache
def about_illness() -> frozenset[str]:
    """Cues that ask about whatever one is ill with: since when, and whether it gets better."""
    listed = load("topics")["topics"]
    return frozenset(str(cue) for topic in listed.values() if topic.get("of_illness") for cue in topic["cues"])


def is_symptom(word: str) -> bool:
    """Whether a word names something that one can be ill with."""
    return _is_marked(word, "symptom")


def is_setting(word: str) -> bool:
    """Whether a word names where one is or what one does there, and so may change what others mean."""
    return _is_marked(word, "setting")


@lru_cache(maxsize=8192)
def _is_marked(word: str, mark: str) -> bool:
    listed = load("topics")["topics"]
    return any(listed.get(name, {}).get(mark) for name, _ in topics(word))
