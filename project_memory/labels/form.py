"""The form of a label: ``prefix:kebab-case``."""

from __future__ import annotations

import re
import unicodedata

from project_memory import telling
from project_memory.errors import InvalidLabel

RESERVED = frozenset(
    (
        *("status", "tag", "file", "id", "author", "asserted", "reach", "confidence"),
        *("created", "updated", "validated", "linked", "is", "text"),
    )
)
"""Fields of the expression language; a label with such a prefix could never be asked for."""

MAX_LENGTH = 80
"""Characters in a label."""

_FORM = re.compile(r"[a-z][a-z0-9]*:[a-z0-9]+(?:-[a-z0-9]+)*")


def canonical(text: str) -> str:
    """Return the label without surrounding blanks.

    Raises:
        InvalidLabel: It is too long, its form is not ``prefix:kebab-case``, or its prefix is
            reserved.
    """
    label = text.strip()
    if len(label) > MAX_LENGTH:
        raise InvalidLabel(
            f"label {label!r} has {len(label)} characters; at most {MAX_LENGTH} are allowed"
        )
    if not _FORM.fullmatch(label):
        raise InvalidLabel(
            f"label {text!r} is not prefix:kebab-case; write {_suggestion(label)!r}"
            if _suggestion(label)
            else f"label {text!r} is not prefix:kebab-case; write it like 'area:user-login'"
        )
    if prefix(label) in RESERVED:
        raise InvalidLabel(
            f"label {label!r} has the reserved prefix {prefix(label)!r}; "
            "choose another, such as 'area' or 'signal'"
        )
    return label


def prefix(label: str) -> str:
    """Return what stands before the colon."""
    return label.partition(":")[0]


def _suggestion(text: str) -> str | None:
    if telling.holds_secret(text):  # which could not be told from it in another form
        return None
    folded = unicodedata.normalize("NFKC", text).casefold()
    head, colon, value = folded.partition(":")
    kebab = re.sub(r"[^a-z0-9]+", "-", value).strip("-")
    label = f"{re.sub('[^a-z0-9]+', '', head)}{colon}{kebab}"
    return label if _FORM.fullmatch(label) and prefix(label) not in RESERVED else None
