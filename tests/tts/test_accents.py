"""Accents are rules over phonemes, in files."""

from pathlib import Path

import numpy as np
import pytest

from voicesim.catalog.accent_file import ENGLISH, AccentFile
from voicesim.catalog.find import Catalogue
from voicesim.catalog.load import load_persona, read_accent
from voicesim.catalog.model import Accent, Persona, Voice
from voicesim.errors import CatalogueError, UsageError
from voicesim.tts.accents import accent_file, accent_key, accent_names, accented, in_words
from voicesim.tts.hibari import HibariEngine
from voicesim.tts.synthesize import synthesize

SHIPPED = tuple(sorted(path.stem for path in (Path(__file__).parents[2] / "accents").glob("*.yaml")))
SENTENCE = "ðə θɹˈi vˈɛɹi kˈOld, bˈɛTəɹ dˈAz ʃˈʊd hˈævə stˈɹɔŋ fˈɪnɪʃ wɪð pˈɛns ænd ʤˈɑbz."


def strength(amount: float, name: str = "indonesian") -> Accent:
    return Accent(name=name, strength=amount)


@pytest.mark.parametrize(
    ("accent", "phonemes", "said"),
    [
        # "the three very cold, better days": th to d and t, v to f, z to s, no final cluster, no flap
        ("indonesian", "ðə θɹˈi vˈɛɹi kˈOld, bˈɛTəɹ dˈAz.", "də tɹˈi fˈɛɹi kˈOl, bˈɛtəɹ dˈAs."),
        # "past" loses its t at the end of the word, "pasta" keeps it
        ("indonesian", "pˈæst pˈɑstə sˈɪt", "pˈɛs pˈɑstə sˈit"),
        ("indian", "wˈʌn vˈAɡ mˈɛʒəɹ", "vˈən vˈAɡ mˈɛʤəɹ"),
        ("spanish", "ɐ stˈɑp vˈɛɹi", "ɐ ɛstˈɑp bˈɛɹi"),
        # "this bad dog was": voiced stops and z are devoiced at the end of a word, not within
        ("german", "ðɪs bˈæd dˈɔɡ wʌz", "zɪs bˈɛt dˈɔk vʌs"),
        # "hair, church": no h, no ch
        ("french", "hˈɛɹ ʧˈɜɹʧ", "ˈɛɹ ʃˈɜɹʃ"),
        # "pain, very": b for p, f for v
        ("arabic", "pˈAn vˈɛɹi", "bˈAn fˈɪɹi"),
        # "light, sit": r for l, sh before ee, and vowels after final stops
        ("japanese", "lˈIt sˈɪt", "ɹˈItɔ ʃˈitɔ"),
        # "think, very": s for th, w for v
        ("mandarin", "θˈɪŋk vˈɛɹi", "sˈiŋk wˈɛɹi"),
        # "hands": the end of the cluster is not said
        ("vietnamese", "hˈændz", "hˈɛn"),
        ("russian", "wˈɛst sˈɪŋ lˈiv", "vˈɛst sˈin lˈif"),
    ],
)
def test_rules_say_what_a_speaker_says(accent: str, phonemes: str, said: str) -> None:
    assert accented(phonemes, Accent(name=accent), 1) == said


def test_every_shipped_accent_can_be_used_and_has_its_sources() -> None:
    assert len(SHIPPED) >= 10
    assert set(SHIPPED) == set(accent_names()) - {"american"}
    for name in SHIPPED:
        accent = accent_file(name)
        assert len(accent.rules) >= 7
        assert all(len(source) > 30 for source in accent.sources.values())
        said = accented(SENTENCE, Accent(name=name), 1)
        assert said != SENTENCE
        assert set(said) <= ENGLISH | set(" ,.")


@pytest.mark.parametrize("name", SHIPPED)
def test_no_strength_is_no_accent_and_more_strength_changes_more(name: str) -> None:
    assert accented(SENTENCE, strength(0.0, name), 1) == SENTENCE
    changed = []
    for amount in (0.0, 0.25, 0.5, 0.75, 1.0):
        sentences = [accented(SENTENCE, strength(amount, name), seed) for seed in range(40)]
        changed.append(sum(sentence.split(" ")[n] != word for sentence in sentences
                           for n, word in enumerate(SENTENCE.split(" "))))  # fmt: skip
    assert changed == sorted(changed)
    assert 0 < changed[1] < changed[-1]


def test_strength_is_the_share_of_places_where_a_rule_without_a_beginning_is_applied() -> None:
    # 400 words with one th each: about 0.3 of them change, within four standard errors of 0.023.
    changed = sum(accented(f"θˈɪ{n}", strength(0.3), 5)[0] == "t" for n in range(400))
    assert changed / 400 == pytest.approx(0.3, abs=0.092)


def test_a_caller_says_a_word_the_same_way_each_time() -> None:
    words = accented("θˈiməs " * 20, strength(0.5), 3).split()
    assert len(set(words)) == 1


@pytest.mark.usefixtures("own_cache")
def test_no_strength_is_byte_identical_to_none() -> None:
    plain, none = (
        synthesize("Three very cold days.", Persona(id="p", title="p", accent=accent), 1).wave
        for accent in (Accent(), strength(0.0))
    )
    assert plain.tobytes() == none.tobytes()


def test_an_accent_is_heard() -> None:
    engine = HibariEngine()
    plain, spoken = (
        engine.speak("three very cold days", Voice(), accent, 1.0, seed=1) for accent in (Accent(), strength(1.0))
    )
    count = min(len(plain), len(spoken))
    # More than half of the power of one is in the difference to the other.
    assert np.square(plain[:count] - spoken[:count]).sum() > 0.5 * np.square(plain[:count]).sum()


OWN = """id: {id}
title: My own
spoken_as: a clear accent of my own
sources: {{me: "Heard at home"}}
rules:
  - {{find: '{find}', say: '{say}', why: because, source: {source}}}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "accents").mkdir()
    return tmp_path / "accents"


def write(folder: Path, name: str = "mine", find: str = "l", say: str = "w", source: str = "me") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(OWN.format(id=name, find=find, say=say, source=source))
    return path


def test_a_file_in_the_accents_folder_is_an_accent_and_wins_over_a_shipped_one(here: Path) -> None:
    write(here)
    write(here, "german", "ʌ", "u")
    assert {"mine", "german", "indian"} <= set(HibariEngine().accents())
    assert accented("lˈʌl", Accent(name="mine"), 1) == "wˈʌw"
    assert accented("lˈʌl θ", Accent(name="german"), 1) == "lˈul θ"


def test_a_changed_file_is_another_sound_for_the_cache(here: Path) -> None:
    write(here)
    before = accent_key(Accent(name="mine"))
    write(here, say="ɹ")
    assert accent_key(Accent(name="mine")) != before
    assert accent_key(strength(0.0, "mine")) == accent_key(Accent())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"find": "("}, "`find` is no regular expression"),
        ({"say": "ʀ"}, "`say` has ʀ, which no voice was taught"),
        ({"say": r"\1"}, "`say` names a group that `find` does not have"),
        ({"source": "you"}, "names the source 'you', which is not in `sources`"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(here: Path, wrong: dict[str, str], message: str) -> None:
    path = write(here, **wrong)
    with pytest.raises(CatalogueError, match=r"mine\.yaml:\d+: (rules|sources)") as caught:
        read_accent(path)
    assert message in str(caught.value)


def test_an_unknown_accent_is_an_error_with_near_names() -> None:
    with pytest.raises(UsageError, match="Did you mean indian"):
        accent_file("indiann")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("accent: german", Accent(name="german")),
        ("accent: {name: indian, strength: 0.6}", Accent(name="indian", strength=0.6)),
        ("accent: indonesian-light", Accent(name="indonesian", strength=0.4)),
        ("", Accent()),
    ],
)
def test_a_persona_names_its_accent_with_or_without_a_strength(tmp_path: Path, written: str, read: Accent) -> None:
    (tmp_path / "p.yaml").write_text(f"id: p\ntitle: P\n{written}\n")
    assert load_persona(tmp_path / "p.yaml").accent == read


@pytest.mark.parametrize("written", ["{name: indian, strength: 1.5}", "{name: indian, strenght: 1}", "''", "3"])
def test_an_accent_that_cannot_be_is_refused(tmp_path: Path, written: str) -> None:
    (tmp_path / "p.yaml").write_text(f"id: p\ntitle: P\naccent: {written}\n")
    with pytest.raises(CatalogueError, match=r"p\.yaml:3: accent"):
        load_persona(tmp_path / "p.yaml")


def test_strength_is_told_in_words_to_a_voice_that_takes_instructions() -> None:
    said = [in_words(strength(amount, "indian")) for amount in (0.2, 0.5, 1.0)]
    assert said == ["a slight Indian English accent", "a clear Indian English accent", "a strong Indian English accent"]


def test_the_catalogue_holds_accents() -> None:
    assert set(SHIPPED) <= set(Catalogue.here().ids("accent"))
    assert isinstance(accent_file("thai" if "thai" in accent_names() else "french"), AccentFile)
