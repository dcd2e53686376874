"""Text as messages may repeat it."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LOOKED_AT = 2000  # characters; a message shows fewer


def printable(text: str) -> str:
    """Return text on one line that every file and terminal can hold; the rest as escapes."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def well_formed(text: str) -> str:
    """Return text that UTF-8 can hold; what is none in the name of a file, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def quotable(text: str) -> str:
    """Return the beginning of a text, printable, with no secret in it."""
    from project_memory import secrets  # noqa: PLC0415  # its patterns load only for a problem

    return printable(secrets.redact(text[:_LOOKED_AT]))


def shortened(text: str) -> str:
    """Return a text of at most 80 characters, whose last one stands after an ellipsis."""
    return text if len(text) <= 80 else f"{text[:76]}...{text[-1]}"
