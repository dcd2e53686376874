"""Who may do what: the authority behind a change."""

from __future__ import annotations

from project_memory.errors import Forbidden
from project_memory.model import Actor, Authority, Document, Memory, Status


def check_privileges(before: Document | None, after: Document, actor: Actor) -> None:
    """Refuse that anyone but a person makes a memory standing or recalled everywhere.

    Raises:
        Forbidden: the actor is no person and the change sets `standing` or reach `everywhere`.
    """
    if actor.authority is Authority.USER:
        return
    for field, claim in (("standing", _is_standing), ("scope.reach", _reaches_everywhere)):
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


def _is_standing(document: Document) -> bool:
    return document.get("standing") is True


def _reaches_everywhere(document: Document) -> bool:
    return bool(document.get("scope", {}).get("reach") == "everywhere")
