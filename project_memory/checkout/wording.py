"""How verdicts are worded."""

from __future__ import annotations

from project_memory.checkout.reading import Unread
from project_memory.documents import quotable, shortened, well_formed
from project_memory.verdicts import Standing, Verdict

_FIX = "see which is wrong, and correct the lesson with its check, or the code"


def contradicted(message: str, file: str | None = None, line: int | None = None) -> Verdict:
    """Return that the code says something else than the lesson."""
    place = None if file is None else well_formed(file)
    return Verdict(Standing.CONTRADICTED, message, _FIX, place, line)


def undecided(name: str, unread: Unread) -> Verdict:
    """Return that nothing can be said, because of what keeps a file, or more, from being read."""
    return Verdict(Standing.UNDECIDED, f"'{shown(name)}' {unread.why}", unread.fix)


def shown(text: str) -> str:
    """Return stored text as a message may repeat it."""
    return shortened(quotable(text))
