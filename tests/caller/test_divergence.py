"""What another agent asks or says otherwise is marked in a replay; the same in other words is not."""

from functools import cache

import pytest
from planted_divergences import PLACES, Place

from voicesim.caller.divergence import RecordedLine, mismatch, told_facts
from voicesim.catalog.find import Catalogue
from voicesim.catalog.model import Case


@cache
def case_of(name: str) -> Case:
    return Catalogue.here().case(name)


def found(place: Place) -> str | None:
    line = RecordedLine(place.answers, place.says, place.facts)
    wrong = mismatch(line, place.hears, case_of(place.case), frozenset(place.before), frozenset(place.later))
    return wrong.kind if wrong else None


def test_thirty_planted_divergences_are_found_and_little_else() -> None:
    marked = [place for place in PLACES if found(place)]
    planted = [place for place in PLACES if place.planted]
    right = [place for place in marked if place.planted]
    assert len(planted) == 30
    assert len(right) / len(planted) >= 0.9, [place.hears for place in planted if place not in marked]
    assert len(right) / len(marked) >= 0.9, [place.hears for place in marked if not place.planted]
    kinds = [found(place) == place.planted for place in right]
    assert sum(kinds) / len(kinds) >= 0.9


@pytest.mark.parametrize("place", [place for place in PLACES if place.planted is None], ids=lambda place: place.hears)
def test_the_recorded_agents_own_words_never_diverge(place: Place) -> None:
    assert found(place._replace(hears=place.answers)) is None


def test_what_a_line_tells_is_read_off_its_words() -> None:
    facts = case_of("cold-01-andi").patient.reveal_only_if_asked
    assert told_facts("No, my breathing is fine and I have no chest pain at all.", facts) == ("breathing",)
    assert told_facts("Okay, thank you.", facts) == ()
