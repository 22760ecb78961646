"""One file: what loads, and what a refusal says."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from voicesim.catalog.fingerprint import fingerprint
from voicesim.catalog.load import load_case, load_persona, load_profile
from voicesim.catalog.model import Loss
from voicesim.catalog.problems import Problem, ProblemsError, problems_of
from voicesim.errors import CatalogueError

Write = Callable[..., Path]
REPOSITORY = Path(__file__).parents[2]


def refusal(path: Path, load: Callable[[Path], object] = load_case) -> tuple[Problem, ...]:
    with pytest.raises(CatalogueError) as caught:
        load(path)
    return problems_of(caught.value)


def told(path: Path, load: Callable[[Path], object] = load_case) -> list[tuple[int | None, str, str]]:
    return [(one.line, one.key, one.message) for one in refusal(path, load)]


def test_a_case_loads_with_its_values(write: Write) -> None:
    case = load_case(write("a.yaml"))
    assert case.id == "sore-throat"
    assert [check.weight for check in case.rubric] == [0.5, 0.3, 0.2]
    assert case.patient.reveal_only_if_asked[1].says == "Two days."
    assert case.version == 1


@pytest.mark.parametrize("path", sorted((REPOSITORY / "cases").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_case_loads_under_its_file_name(path: Path) -> None:
    assert load_case(path).id == path.stem


def test_weights_that_do_not_add_up_are_refused_at_the_rubric(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("weight: 0.3", "weight: 0.25"))
    # 0.5 + 0.25 + 0.2 = 0.95
    assert told(path) == [(12, "rubric", "weights of the rubric add up to 0.95, not 1.0 (0.05 too little)")]


def test_ten_weights_of_a_tenth_add_up(write: Write, case_text: str) -> None:
    # A plain left-to-right sum of ten 0.1 is 0.9999999999999999.
    head = case_text[: case_text.index("  - {id: breathing")]
    checks = "".join(f"  - {{id: c{n}, group: close, kind: tell, weight: 0.1, expect: Says it.}}\n" for n in range(10))
    assert len(load_case(write("a.yaml", head + checks)).rubric) == 10


def test_an_id_used_twice_is_refused_on_the_line_of_the_second(write: Write, case_text: str) -> None:
    checks = write("a.yaml", case_text, ("{id: rest,", "{id: breathing,"))
    assert told(checks) == [(14, "rubric[breathing].id", "check id 'breathing' is used twice (items 1 and 2)")]
    facts = write("b.yaml", case_text, ("{id: duration,", "{id: fever,"))
    assert told(facts) == [
        (11, "patient.reveal_only_if_asked[fever].id", "fact id 'fever' is used twice (items 1 and 2)")
    ]


def test_an_avoid_check_without_its_violation_is_refused(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ('    violation: "The agent offers antibiotics."\n', ""))
    ((line, key, message),) = told(path)
    assert (line, key) == (15, "rubric[no_antibiotics].violation")
    assert "needs a `violation`" in message


def test_an_unknown_key_is_refused_with_its_line_and_a_near_name(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("says_first:", "say_first:"), ("    group: close\n", "    grup: close\n"))
    assert told(path) == [
        (3, "patient.says_first", "is missing"),
        (8, "patient.say_first", "unknown key. Did you mean says_first?"),
        (15, "rubric[no_antibiotics].group", "is missing"),
        (16, "rubric[no_antibiotics].grup", "unknown key. Did you mean group?"),
    ]


def test_all_problems_of_a_file_come_in_one_error(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("title:", "titel:"), ("age: 30", "age: 300"), ("kind: tell", "kind: tel"))
    with pytest.raises(ProblemsError) as caught:
        load_case(path)
    assert [problem.line for problem in caught.value.problems] == [1, 2, 5, 14]
    assert str(caught.value).splitlines() == [
        f"{path}:1: title: is missing",
        f"{path}:2: titel: unknown key. Did you mean title?",
        f"{path}:5: patient.age: should be less than or equal to 130, not 300",
        f"{path}:14: rubric[rest].kind: 'tel' is not one of ask, tell, avoid, ordered, code. Did you mean tell?",
    ]
    assert (caught.value.file, caught.value.key, caught.value.line) == (str(path), "title", 1)
    # A worker process hands its errors over pickled.
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("112", "cues.0", 'must be text; write it in quotes: "112"'),
        ("no", "cues.0", "is read as false, not as text; write it in quotes"),
        ("~", "cues.0", "must be text, but nothing is given"),
        ("[a]", "cues.0", "must be text, not a list"),
        ('""', "cues.0", "must not be empty"),
    ],
)
def test_words_that_yaml_reads_as_something_else_are_told_apart(
    write: Write, case_text: str, written: str, key: str, message: str
) -> None:
    path = write("a.yaml", case_text, ("cues: [breath]", f"cues: [{written}]"))
    assert told(path) == [(13, f"rubric[breathing].{key}", message)]


def test_a_time_of_day_and_a_date_stay_the_words_that_were_written(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("cues: [breath]", "cues: [10:30, 2024-05-01]"))
    assert load_case(path).rubric[0].cues == ("10:30", "2024-05-01")


@pytest.mark.parametrize("weight", ['"0.5"', "true", ".nan", ".inf", "-0.5", "0"])
def test_a_weight_is_a_number_above_zero_and_nothing_else(write: Write, case_text: str, weight: str) -> None:
    path = write("a.yaml", case_text, ("weight: 0.5", f"weight: {weight}"))
    ((line, key, _),) = told(path)
    assert (line, key) == (13, "rubric[breathing].weight")


def test_a_list_of_wrong_checks_is_not_told_to_be_empty(write: Write, case_text: str) -> None:
    path = write("a.yaml", case_text, ("group: ", "grup: "))
    assert not [key for _, key, message in told(path) if key == "rubric" or "at least" in message]


def test_an_id_that_is_no_id_is_refused(write: Write, case_text: str) -> None:
    ((line, key, message),) = told(write("a.yaml", case_text, ("id: sore-throat", "id: Sore Throat")))
    assert (line, key) == (1, "id")
    assert message.startswith("'Sore Throat' is not an id: lower-case letters")


def test_persona_and_profile_name_the_inner_key(write: Write) -> None:
    persona = write("p.yaml", "id: p\ntitle: P\nturn_taking:\n  patiense: 4\nvoice: {engine: hibary}\n")
    assert told(persona, load_persona) == [
        (4, "turn_taking.patiense", "unknown key. Did you mean patience?"),
        (5, "voice.engine", "unknown voice engine 'hibary'. Did you mean hibari?"),
    ]
    profile = write("q.yaml", "id: q\ntitle: Q\nband_hz: [3400, 300]\n")
    assert told(profile, load_profile) == [(3, "band_hz", "band_hz must be [low, high] with 0 < low < high <= 12000")]
    noise = write("r.yaml", "id: r\ntitle: R\nnoise: {kind: file, snr_db: 3}\n")
    ((line, key, _),) = told(noise, load_profile)
    assert (line, key) == (3, "noise.path")


def test_a_noise_file_that_is_missing_is_refused_before_any_call(write: Write) -> None:
    path = write("lines/q.yaml", "id: q\ntitle: Q\nnoise:\n  kind: file\n  snr_db: 10\n  path: hum.wav\n")
    assert told(path, load_profile) == [(6, "noise.path", f"there is no noise file {path.parent / 'hum.wav'}")]


def test_a_noise_file_is_found_beside_its_profile(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("lines/q.yaml", "id: q\ntitle: Q\nnoise: {kind: file, snr_db: 10, path: ../noise/hum.wav}\n")
    write("noise/hum.wav", "")
    monkeypatch.chdir(path.parents[1])
    noise = load_profile("lines/q.yaml").noise
    assert noise is not None
    assert noise.path == "noise/hum.wav"


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"none\.yaml: cannot be read: No such file"):
        load_case(tmp_path / "none.yaml")


def test_the_fingerprint_is_of_the_content_and_not_of_the_spelling(write: Write, case_text: str) -> None:
    plain = load_case(write("a.yaml"))
    spelled = load_case(write("b.yaml", case_text + "version: 1  # the default\n", ("weight: 0.5,", "weight: 0.50,")))
    changed = load_case(write("c.yaml", case_text, ("Two days.", "Three days.")))
    assert fingerprint(plain) == fingerprint(spelled)
    assert fingerprint(plain) != fingerprint(changed)


def test_the_fingerprint_is_the_sha256_of_the_sorted_json_with_defaults_written_out() -> None:
    loss = Loss(rate=0.5)
    # printf '{"burst":1.0,"rate":0.5}' | sha256sum
    assert fingerprint(loss) == "b1e3095e6b00a61a1508873119d9411a5ec6e75aec676c0aa19ca67ab0721674"
