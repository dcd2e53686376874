"""A text as its reader sees it: without signs that show nothing, in plain letters."""

from __future__ import annotations

import re
from unicodedata import normalize

# Default_Ignorable_Code_Point of the Unicode Character Database (DerivedCoreProperties.txt, 15.0)
_HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# letters and digits of full width, and in the styles of mathematics; and signs within credentials
_STYLED = "\uff0b\uff0d-\uff19\uff1d\uff21-\uff3a\uff3f\uff41-\uff5a\U0001d400-\U0001d7ff"
_DISGUISE = re.compile(f"[{_HIDDEN}{_STYLED}]")
_IS_HIDDEN = re.compile(f"[{_HIDDEN}]")


def legible(text: str) -> tuple[str, list[int]] | None:
    """Return the plain text and where each of its characters stands in the given one.

    None where there is nothing to make plain.
    """
    if text.isascii() or not _DISGUISE.search(text):
        return None
    plain, places = [], []
    for place, sign in enumerate(text):
        if not _DISGUISE.match(sign):
            shown = sign
        else:
            shown = "" if _IS_HIDDEN.match(sign) else normalize("NFKC", sign)
        plain.append(shown)
        places += [place] * len(shown)
    return "".join(plain), places
