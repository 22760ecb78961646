"""Figures as words, by num2words, in the American way: without `and`, hyphens or commas."""

from num2words import num2words


def cardinal(figure: str) -> str:
    """'250' -> 'two hundred fifty', '38.50' -> 'thirty eight point five zero', '1,200' with its comma too."""
    whole, _, fraction = figure.replace(",", "").partition(".")
    said = _plain(num2words(int(whole)))
    return f"{said} point {digits(fraction)}" if fraction else said


def ordinal(figure: str) -> str:
    """'21' -> 'twenty first'."""
    return _plain(num2words(int(figure), to="ordinal"))


def year(figure: str) -> str:
    """'1998' -> 'nineteen ninety eight'."""
    return _plain(num2words(int(figure), to="year"))


def digits(figure: str) -> str:
    """Digit by digit, whatever stands between them: '555-0199' -> 'five five five zero one nine nine'."""
    return " ".join(num2words(int(sign)) for sign in figure if sign.isdigit())


def _plain(words: str) -> str:
    return words.replace("-", " ").replace(",", "").replace(" and ", " ")
