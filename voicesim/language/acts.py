"""One reading of an English sentence: what each clause does, about whom, and under which condition."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from voicesim.language.acts_together import any_of_it, ask_without_form, front, or_else, subjects
from voicesim.language.clauses import Act, Clause, clauses
from voicesim.language.entries import pattern, word_list
from voicesim.language.polarity import negations
from voicesim.language.topics import is_symptom
from voicesim.language.words import read

Person = Literal["you", "child", "other", "third", "generic"]


@dataclass(frozen=True)
class Said:
    """A clause as it was meant.

    `condition` holds the words of the conditions it stands under, "" for none. `people` are those it names: the
    listener, a child, somebody else, or just he or she. An `aside` is no word of the agent's own to the patient: what
    somebody else says, what it only thinks aloud or imagines, what it says to a judge, or a sound such as `okay?`.
    """

    clause: Clause
    act: Act
    condition: str = ""
    people: frozenset[Person] = frozenset()
    asked: bool = False

    @property
    def text(self) -> str:
        return self.clause.text

    def has(self, name: str) -> bool:
        """Whether an entry of data/en/acts.yaml (`hedged`, `softened`, `past`) holds for the clause."""
        return bool(pattern("acts", name).search(self.text))

    def names(self, name: str) -> bool:
        """Whether an entry of data/en/people.yaml holds for the clause."""
        return bool(pattern("people", name).search(self.text))


@lru_cache(maxsize=8192)
def understand(sentence: str) -> tuple[Said, ...]:
    """The clauses of a sentence, each with what it does; none for a sentence without words."""
    parts = clauses(sentence)
    if not parts:
        return ()
    if to_the_judge(sentence):
        return tuple(Said(clause, "aside") for clause in parts)
    acts = _acts(parts, sentence.rstrip(" \"'”’)]").endswith("?"))
    said = [Said(clause, act, people=_people(clause)) for clause, act in zip(parts, acts, strict=True)]
    return tuple(_with_people(_with_conditions(said)))


def to_the_judge(sentence: str) -> bool:
    """Whether a sentence speaks to whoever judges the call, or about how it is to be judged."""
    return bool(pattern("acts", "to_the_judge").search(" ".join(read(sentence).texts))) or sentence.lstrip()[:1] in (
        "{",
        "<",
    )


def _acts(parts: tuple[Clause, ...], marked: bool) -> list[Act]:
    acts: list[Act] = []
    for number, clause in enumerate(parts):
        # "not the address, the day you were born": what follows is not turned down with it
        opposed = number > 0 and parts[number - 1].bare and "not" in parts[number - 1].words[:2]
        acts.append(_act(clause, acts, marked, opposed=opposed, last=number == len(parts) - 1))
    if len(parts) > 1 and parts[-1].text == "please" and acts[-2] in ("tells", "forbids"):
        acts[-2] = "asks"
    for place in range(1, len(acts)):
        if pattern("acts", "echoes").search(parts[place].text):
            acts[place - 1] = acts[place] = "aside"
    if marked and "asks" not in acts and "offers" not in acts:
        ask_without_form(parts, acts)
    any_of_it(parts, acts)
    subjects(parts, acts)
    if "asks" in acts:
        if marked and acts[-1] == "tells" and parts[-1].opener in ("and", "or"):
            acts[-1] = "asks"
        if marked:
            or_else(parts, acts)
        front(parts, acts, marked)
    return acts


def _act(clause: Clause, before: list[Act], marked: bool, *, opposed: bool, last: bool) -> Act:
    """What a clause does by its own form, else what it goes on with."""
    text = clause.text
    if pattern("acts", "checking").search(text) or (_only_fillers(clause) and not pattern("acts", "tags").search(text)):
        return "aside"
    if text.startswith("if i ") and pattern("acts", "requests").search(text):
        return "asks"
    if before and not clause.hard and pattern("acts", "tags").search(text):
        return "asks" if marked or (last and text in ("right", "correct")) else "aside"
    if _continues_condition(clause, before):
        return "condition"
    if any(pattern("acts", name).search(text) for name in ("thinks_aloud", "unreal", "reported")):
        return "asks" if marked and pattern("acts", "asks").search(text) else "aside"
    asking = _asking(text, marked)
    if asking:
        return asking
    if marked and last and pattern("acts", "you_have").search(text):
        return "asks"
    telling = _telling(clause)
    if before and before[-1] in ("advises", "condition") and pattern("acts", "in_turn").search(text):
        return "advises" if before[-1] == "advises" and telling == "tells" else telling
    if telling == "advises" and clause.opener == "or" and before and before[-1] in ("forbids", "asks"):
        return before[-1]
    earlier = next((act for act in reversed(before) if act != "aside"), None)
    if not clause.bare or clause.hard or earlier not in ("asks", "advises", "forbids", "permits"):
        return telling
    if earlier == "asks" and marked:
        return "asks"
    return telling if telling != "tells" or (earlier == "forbids" and opposed) else _inherited(earlier, clause)


def _continues_condition(clause: Clause, before: list[Act]) -> bool:
    if clause.conditional:
        return True
    if not before or before[-1] != "condition" or clause.hard:
        return False
    if _is_symptom_list(clause):
        return True
    joined = clause.opener in ("or", "and") and not pattern("acts", "advises").search(clause.text)
    return (clause.bare and not _names_care(clause)) or joined or (clause.opener == "or")


def _is_symptom_list(clause: Clause) -> bool:
    """`get chest pain or have trouble speaking` behind `if you faint`: not an order, one more condition."""
    words = [
        word
        for word in clause.words
        if word not in ("and", "or", "a", "an", "any", "the", "more", "some", "severe", "bad", "very")
    ]
    return (
        len(words) > 1
        and words[0] in word_list("clauses", "befalls")
        and (words[1] in word_list("clauses", "trouble") or is_symptom(words[1]))
    )


def _names_care(clause: Clause) -> bool:
    if clause.words[0] in ("straight", "right", "off", "directly"):
        return True
    return bool(pattern("acts", "advises").search(clause.text)) and not _is_symptom_list(clause)


def _asking(text: str, marked: bool) -> Act | None:
    if pattern("acts", "not_asked").search(text):
        return "tells"
    if pattern("acts", "requests").search(text):
        return "asks"
    if pattern("acts", "offers").search(text):
        return "offers"
    return "asks" if pattern("acts", "asks" if marked else "asks_unmarked").search(text) else None


def _only_fillers(clause: Clause) -> bool:
    left = pattern("clauses", "fillers").sub(" ", clause.text)
    return not left.strip() or (
        len(clause.words) == 1 and clause.text in ("no", "look", "see", "listen", "wait", "stop")
    )


def _telling(clause: Clause) -> Act:
    text = clause.text
    if pattern("acts", "urges").search(text):
        return "advises"
    if pattern("acts", "reasons").search(text) and "you" in clause.words[:3]:
        return "tells"
    if pattern("acts", "forbids").search(" ".join(pattern("negation", "spent").sub(" ", text).split())):
        return "forbids"
    if pattern("acts", "advises").search(text):
        return "advises"
    return "permits" if pattern("acts", "permits").search(text) else "tells"


def _inherited(act: Act, clause: Clause) -> Act:
    if act in ("advises", "permits") and negations(clause.text):
        return "forbids"
    return "advises" if act == "forbids" and ("instead" in clause.words or clause.opener == "but") else act


def _with_conditions(said: list[Said]) -> list[Said]:
    """Each clause with the conditions of its sentence: one before it, or one right behind it."""
    out = list(said)
    standing: list[str] = []
    for number, clause_said in enumerate(said):
        if (
            clause_said.clause.hard
            and clause_said.clause.opener != "condition"
            and number
            and said[number - 1].act != "condition"
        ):
            standing = []
        if clause_said.act == "condition":
            standing.append(clause_said.text)
            if not _leads(said, number):
                for place in range(number - 1, -1, -1):
                    if said[place].act == "condition":
                        continue
                    out[place] = replace(out[place], condition=f"{out[place].condition} {clause_said.text}".strip())
                    if not (said[place].clause.bare or said[place].clause.opener == "or") or said[place].clause.hard:
                        break
        elif standing:
            out[number] = replace(out[number], condition=" ".join(standing))
    return out


def _leads(said: list[Said], number: int) -> bool:
    """Whether a condition belongs to what follows it: it opens the sentence, or is set off and something follows."""
    before = [
        clause_said
        for clause_said in said[:number]
        if clause_said.act not in ("condition", "aside") and len(clause_said.clause.words) > 1
    ]
    behind = [
        clause_said
        for clause_said in said[number + 1 :]
        if clause_said.act != "condition" and clause_said.act != "aside"
    ]
    if not before:
        return True
    first = number
    while first > 0 and said[first - 1].act == "condition":
        first -= 1
    opens = said[first].clause.words[0] in ("and", "but", "so") or said[first].clause.hard
    return bool(behind) and opens


def _people(clause: Clause) -> frozenset[Person]:
    text = clause.text
    people: set[Person] = set()
    for name, who in (
        ("others", "other"),
        ("child", "child"),
        ("he_or_she", "third"),
        ("generic", "generic"),
    ):
        if pattern("people", name).search(text):
            people.add(who)  # type: ignore[arg-type]
    owned = [
        i for i, word in enumerate(clause.words) if word in word_list("people", "you") and not _owns(clause.words, i)
    ]
    if owned:
        people.add("you")
    return frozenset(people)


def _owns(words: tuple[str, ...], place: int) -> bool:
    """Whether `your` only says whose husband or child is meant."""
    if words[place] != "your":
        return False
    behind = words[place + 1 : place + 4]
    people = word_list("people", "others") | word_list("people", "child")
    return bool(behind) and (behind[0] in people or (len(behind) > 1 and behind[1] in people))


def _with_people(said: list[Said]) -> list[Said]:
    """A clause that names nobody is about whom the one before it was about (`your neighbour, is that better?`)."""
    out: list[Said] = []
    for clause in said:
        before = out[-1].people if out else frozenset()
        goes_on = clause.act in ("asks", "tells", "condition") or clause.clause.opener in ("and", "or")
        if goes_on and not clause.clause.hard and not clause.people and "you" not in before:
            clause = replace(clause, people=before)
        out.append(clause)
    return out
