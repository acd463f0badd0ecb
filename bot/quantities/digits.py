"""How a numeral is written in digits: plainly, with a mark for "about", and apart from its neighbours."""

from decimal import Decimal

APPROX_MARK = "≈"
Edit = tuple[int, int, str]


def plain(value: Decimal) -> str:
    """Write a number without exponent and without idle zeros: 2.50 is 2.5, 1E+3 is 1000."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def spaced(text: str, start: int, end: int, new: str) -> str:
    """Keep H100八卡 from becoming H1008卡."""
    before = " " if start and text[start - 1].isascii() and text[start - 1].isalnum() and new[0] != "." else ""
    after = " " if end < len(text) and text[end].isdigit() and new[-1].isdigit() else ""
    return before + new + after
