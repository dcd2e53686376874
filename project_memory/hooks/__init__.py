"""What agent clients run at the events of a session.

A hook adds to a session what it should know, and never fails it: whatever happens, the exit
status is 0, and what went wrong is told on stderr. The command line is read here by itself, since
to load click costs more than a hook has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

EVENTS = ("session-start", "prompt", "session-end")

__all__ = ["EVENTS", "Call", "parsed"]

_WITH_VALUE = {"--store": "store", "--database": "store", "--project": "project", "--actor": ""}


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a hook: the event, and the store and project if they are not the usual."""

    event: str
    store: str | None = None
    project: str | None = None


def parsed(arguments: Sequence[str], environ: Mapping[str, str]) -> Call | None:
    """Return what a command line asks of hooks; None if it is for another command, or for help."""
    given: dict[str, str | None] = {
        "store": environ.get("PROJECT_MEMORY_STORE") or None,
        "project": environ.get("PROJECT_MEMORY_PROJECT") or None,
    }
    words: list[str] = []
    left = iter(arguments)
    for each in left:
        name, sign, value = each.partition("=")
        if name in _WITH_VALUE:
            given[_WITH_VALUE[name]] = value if sign else next(left, "")
        elif each in {"--help", "-h"}:
            return None
        elif not each.startswith("-"):
            words.append(each)
    if words[:1] != ["hook"]:
        return None
    return Call(" ".join(words[1:]), given["store"], given["project"])
