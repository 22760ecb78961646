"""Cue words at word beginnings, and the reach of a negation."""

import pytest

from voicesim.language.cues import cue_in
from voicesim.language.polarity import negated


@pytest.mark.parametrize(
    ("cue", "sentence"),
    [
        ("smok", "Do you smoke?"),
        ("smok", "Has SMOKING ever been part of it?"),
        ("breath", "Any shortness of breath?"),
        ("breath", "How is your breathing?"),
        ("ob", "Ask your OB first."),
        ("ob-gyn", "Talk to your OB/GYN."),
        ("in-person", "Be seen in person."),
        ("conditions", "Any medical condition?"),
        ("illnesses", "Any other illness?"),
        ("chest pain", "No chest pains?"),
        ("antibiotics won't", "Antibiotics will not help."),
        ("do not take", "Don’t take that."),
        ("4000", "At most 4,000 mg."),
        ("4000", "At most four thousand milligrams."),
        ("911", "Dial 9-1-1."),
        ("four weeks", "A 4-week cough."),
    ],
)
def test_a_cue_is_found(cue: str, sentence: str) -> None:
    assert cue_in(cue, sentence)


@pytest.mark.parametrize(
    ("cue", "sentence"),
    [
        ("ob", "It is probably a cold."),
        ("ob", "Obviously."),
        ("hot", "At the hotel."),
        ("age", "Call the agency."),
        ("breath", "He rebreathed."),
        ("chest pain", "Pain in the chest."),
        ("chest pain", "Your chest, and any pain."),
        ("40", "At most 4000 mg."),
        ("do not take", "Do take that."),
        ("smok", ""),
        ("", "Anything."),
    ],
)
def test_a_cue_is_not_found(cue: str, sentence: str) -> None:
    assert not cue_in(cue, sentence)


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("I can't recommend ibuprofen with losartan.", "ibuprofen"),
        ("Do not take ibuprofen.", "ibuprofen"),
        ("Never take ibuprofen with losartan.", "ibuprofen"),
        ("Please avoid decongestants.", "decongestant"),
        ("Stop taking ibuprofen.", "ibuprofen"),
        ("You should stay away from aspirin.", "aspirin"),
        ("I advise against any decongestant.", "decongestant"),
        ("You can take paracetamol without ibuprofen.", "ibuprofen"),
        ("Take paracetamol instead of ibuprofen.", "ibuprofen"),
        ("Use saline, not decongestants.", "decongestant"),
        ("Avoid ibuprofen, naproxen, and aspirin.", "aspirin"),
        ("Avoid decongestants like Sudafed, pseudoephedrine or phenylephrine.", "phenylephrine"),
        ("Avoid Sudafed, which contains pseudoephedrine.", "pseudoephedrine"),
        ("Don't take it or use decongestants.", "decongestant"),
        ("Ibuprofen is not safe with losartan.", "ibuprofen"),
        ("Ibuprofen should be avoided.", "ibuprofen"),
        ("Ibuprofen can harm your kidneys.", "ibuprofen"),
        ("A decongestant-free spray is fine.", "decongestant"),
        ("Antibiotics do not help against a virus.", "antibiotics"),
        ("This is not just the flu.", "just the flu"),
        ("I doubt that this is serious.", "serious"),
        ("That's hardly an emergency.", "emergency"),
        ("A bacterial infection is unlikely.", "bacterial"),
        ("Do not smoke and avoid Sudafed.", "sudafed"),
        ("There's no need to call an ambulance.", "call an ambulance"),
        ("That does not sound like an emergency.", "emergency"),
    ],
)
def test_a_cue_is_turned_down(sentence: str, cue: str) -> None:
    assert negated(sentence, cue)


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("Take ibuprofen 400 mg.", "ibuprofen"),
        ("Take paracetamol instead of ibuprofen.", "paracetamol"),
        ("Use saline, not decongestants.", "saline"),
        ("Avoid ibuprofen, paracetamol is safer.", "paracetamol"),
        ("Avoid Sudafed, saline spray instead.", "saline"),
        ("Do not panic, take ibuprofen.", "ibuprofen"),
        ("Do not take ibuprofen and take paracetamol.", "paracetamol"),
        ("Do not take ibuprofen; paracetamol is fine.", "paracetamol"),
        ("I can't give you antibiotics, but honey helps.", "honey"),
        ("I can't give antibiotics, they will not help, rest and fluids will.", "fluids"),
        ("No, ibuprofen is fine.", "ibuprofen"),
        ("Do not hesitate to call an ambulance.", "ambulance"),
        ("Don't stop taking your metformin.", "metformin"),
        ("It's not only a cold.", "cold"),
        ("Do not wait if you feel chest pain.", "chest pain"),
        ("If it does not get better, see a doctor.", "see a doctor"),
        ("Antibiotics don't help because this is viral.", "viral"),
        ("You have no fever so rest.", "rest"),
        ("Do not take the Panadol.", "do not take"),
        ("Antibiotics don't help.", "antibiotics don't"),
        ("There is nothing wrong with a decongestant.", "decongestant"),
        ("There is no reason not to take Sudafed.", "sudafed"),
        ("You don't have to avoid Sudafed.", "sudafed"),
        ("Why don't you try Sudafed?", "sudafed"),
        ("It can't hurt to take Sudafed.", "sudafed"),
        ("Sudafed is not harmful.", "sudafed"),
        ("Sudafed should not be avoided.", "sudafed"),
        ("No doubt this is serious.", "serious"),
        ("Avoid decongestants. Sudafed is fine.", "sudafed"),
        ("Nothing about it here.", "ibuprofen"),
    ],
)
def test_a_cue_is_not_turned_down(sentence: str, cue: str) -> None:
    assert not negated(sentence, cue)


def test_one_place_that_is_not_turned_down_is_enough() -> None:
    assert not negated("Avoid ibuprofen at night, but you can take ibuprofen by day.", "ibuprofen")


def test_a_danger_turns_a_cue_down_only_where_warnings_count() -> None:
    assert negated("Chest pain can be dangerous.", "chest pain")
    assert not negated("Chest pain can be dangerous.", "chest pain", warnings=False)


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Do you breathe through your mouth when you sleep?", "mouth"),
        ("Is your mouth then dry?", "mouth"),
        ("Have the patches on your tongue been there long?", "tongue"),
        ("Which nostril was it?", "nostril"),
        ("Was the vomit not green?", "vomit"),
        ("Rinse your mouth when it is sore.", "mouth"),
    ],
)
def test_a_word_beside_a_small_one_is_no_piece_of_a_longer_word(sentence: str, word: str) -> None:
    assert cue_in(word, sentence)
