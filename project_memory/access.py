"""Who may do what: the authority behind a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from project_memory.errors import Forbidden
from project_memory.model import Actor, Authority, Document, Memory, Status

Claim: TypeAlias = Callable[[Document], bool]
"""Whether a document claims what only a person can give."""


def check_privileges(before: Document | None, after: Document, actor: Actor) -> None:
    """Refuse that anyone but a person makes a memory standing or recalled everywhere.

    Raises:
        Forbidden: the actor is no person and the change sets `standing` or reach `everywhere`,
            or an agent changes the text of what has either.
    """
    if actor.authority is Authority.USER:
        return
    for field, claim in (("standing", _is_standing), ("scope.reach", _reaches_everywhere)):
        if before is not None and actor.authority is Authority.AGENT:
            _refuse_new_words(before, after, claim, field)
        if claim(after) and not (before is not None and claim(before)):
            raise Forbidden(
                f"{field} of '{after['id']}' can be set only by a person; leave it out, or let "
                "a person set it at a terminal with `project-memory edit`"
            )


def asserted_after_edit(actor: Actor) -> Authority:
    """Return the authority behind a text that this actor has just edited.

    An agent's edit of what a person asserted makes it the agent's assertion.
    """
    return actor.authority


def asserted_after_status(memory: Memory, shown: Status, actor: Actor) -> Authority:
    """Return the authority behind a memory whose shown status a link is about to change.

    Retiring a memory by superseding it is an edit like any other, but a person who does so does
    not speak for its text.
    """
    retired = shown is Status.SUPERSEDED and actor.authority is not Authority.USER
    return actor.authority if retired else memory.asserted_by


def speaks_for(actor: Actor, authority: Authority) -> bool:
    """Return whether an actor may take back, as its own, what was done with this authority."""
    return actor.authority is Authority.USER or authority is not Authority.USER


def _refuse_new_words(before: Document, after: Document, claim: Claim, field: str) -> None:
    """Refuse an agent's change of a text that a person gave to every session."""
    if claim(before) and claim(after) and _words(before) != _words(after):
        raise Forbidden(
            f"'{after['id']}' has {field} from a person, so only a person can change its text; "
            "store a memory of your own and link the two"
        )


def _words(document: Document) -> dict[str, object]:
    return {k: v for k, v in document.items() if k not in {"relationships", "status"}}


def _is_standing(document: Document) -> bool:
    return document.get("standing") is True


def _reaches_everywhere(document: Document) -> bool:
    return bool(document.get("scope", {}).get("reach") == "everywhere")
