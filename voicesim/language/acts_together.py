"""What the clauses of a sentence do to each other: lists, subjects named first, and what a question reaches."""

from voicesim.language.clauses import Act, Clause
from voicesim.language.entries import pattern, word_list


def ask_without_form(parts: tuple[Clause, ...], acts: list[Act]) -> None:
    """`You on any medicine, vitamins, anything?`: the last clause asks, and the items of a list before it."""
    place = len(acts) - 1
    while place > 0 and acts[place] == "aside":
        place -= 1
    if acts[-1] == "aside" and acts[place] != "tells":
        return
    if acts[place] in ("tells", "permits", "advises", "forbids"):
        acts[place] = "asks"
    while place > 0 and not parts[place].hard and parts[place].bare and acts[place - 1] in ("tells", "forbids"):
        place -= 1
        acts[place] = "asks"


def any_of_it(parts: tuple[Clause, ...], acts: list[Act]) -> None:
    """`Any chest pain, you call an ambulance, all right?`: what sounds like a question is a condition."""
    for place, clause in enumerate(parts[:-1]):
        if acts[place] == "asks" and clause.bare and "any" in clause.words[:2] and acts[place + 1] == "advises":
            acts[place] = "condition"


def subjects(parts: tuple[Clause, ...], acts: list[Act]) -> None:
    """`Aspirin, naproxen and ibuprofen must be avoided`: what is listed first shares what is said of the last."""
    for place in range(len(acts) - 2, -1, -1):
        ahead = parts[place + 1]
        begins = ahead.words[0] in word_list("clauses", "subjects") | word_list("clauses", "directives") | {"you", "i"}
        listed = acts[place] == "tells" and parts[place].bare and not (ahead.hard or begins or ahead.bare)
        fronted = acts[place] == "tells" and parts[place].bare and not ahead.hard and _lacks_object(ahead)
        if (listed or fronted) and acts[place + 1] in ("forbids", "permits"):
            acts[place] = acts[place + 1]


def _lacks_object(clause: Clause) -> bool:
    """`(Voltaren) you should not take`: a verb stands last, and what it is about before."""
    return clause.words[0] == "you" and clause.words[-1] in word_list("acts", "intake")


def front(parts: tuple[Clause, ...], acts: list[Act], marked: bool) -> None:
    """What is asked about may be named first (`the fever, is it still there`), and a tag asks what stands before it."""
    for place in range(len(acts) - 1, 0, -1):
        tag = pattern("acts", "tags").search(parts[place].text)
        if (
            acts[place] == "asks"
            and not parts[place].hard
            and ((marked and parts[place - 1].bare) or tag)
            and acts[place - 1] in ("tells", "forbids", "permits")
        ):
            acts[place - 1] = "asks"


def or_else(parts: tuple[Clause, ...], acts: list[Act]) -> None:
    """`Breathing is comfortable, madam, or any trouble?`: what an `or` is asked beside is asked as well."""
    for place in range(len(acts) - 1, 0, -1):
        ahead = place - 1
        while ahead > 0 and acts[ahead] == "aside":
            ahead -= 1
        joined = parts[place].opener == "or" and not parts[place].hard
        if acts[place] == "asks" and joined and acts[ahead] in ("tells", "permits"):
            acts[ahead] = "asks"
