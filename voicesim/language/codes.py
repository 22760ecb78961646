"""Language codes: what people write (`en-US`, `EN`) as the code that speech recognition takes (`en`)."""

from typing import Annotated

from pydantic import BeforeValidator

from voicesim.errors import UsageError, near

# The languages of Whisper's multilingual models, by their codes there (ISO 639-1 where there is one).
_CODES = """
    af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is
    it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk
    sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh
"""
CODES = frozenset(_CODES.split())
# Names that people write for a language, and codes that others use for the same one.
_ALSO = {
    "arabic": "ar", "chinese": "zh", "cmn": "zh", "dutch": "nl", "english": "en", "fil": "tl", "french": "fr",
    "german": "de", "hindi": "hi", "in": "id", "indonesian": "id", "italian": "it", "iw": "he", "japanese": "ja",
    "jv": "jw", "korean": "ko", "mandarin": "zh", "nb": "no", "portuguese": "pt", "russian": "ru", "spanish": "es",
    "tamil": "ta", "turkish": "tr", "vietnamese": "vi",
}  # fmt: skip


def language_code(text: str) -> str:
    """The code of a language, whatever its region, script and capitals: `en-US`, `EN` and `english` are `en`.

    Raises UsageError with the near codes for a language that speech recognition does not know.
    """
    wanted = text.strip().lower().replace("_", "-")
    main = wanted.partition("-")[0]
    code = _ALSO.get(main, main)
    if code not in CODES:
        raise UsageError(f"there is no language {text!r}.{near(main, {*CODES, *_ALSO})} Write a code such as en or id.")
    return code


def language_name(code: str) -> str:
    """What English calls a language: `German` for `de`; the code itself where no name is known here.

    >>> language_name("de"), language_name("cy")
    ('German', 'cy')
    """
    names = (name for name, meant in _ALSO.items() if meant == code and len(name) > 3)
    return next(names, code).capitalize() if code in _ALSO.values() else code


def _validated(value: object) -> object:
    try:
        return language_code(value) if isinstance(value, str) else value
    except UsageError as error:
        raise ValueError(str(error)) from error


LanguageCode = Annotated[str, BeforeValidator(_validated)]
"""A field of a catalogue file that holds a language."""
