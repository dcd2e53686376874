"""What is asked of the server itself and of no project: sessions, projects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory.errors import InvalidInput
from project_memory.roles import RIGHTS, Right, Speaker
from project_memory.web.api.route import Entry, Visit


def log_in(visit: Visit, *, token: str | None = None, code: str | None = None) -> Entry:
    """Begin a session, with a token or with a code for a person."""
    if (token is None) is (code is None):
        raise InvalidInput("log in with a token or with a code; give one of the two")
    if code is not None:
        begun = visit.host.log_in_person(code)
    else:
        begun = visit.host.log_in(str(token).encode("utf-8", "surrogatepass"))
    known = Visit(visit.host, begun.speaker, expires_at=begun.expires_at)
    told = {"actor": begun.speaker.name}
    return Entry(who_asks(known), begun.session, begun.seconds, told)


def log_out(visit: Visit) -> Entry:
    """End the session that a request came with; the token it was begun with stays."""
    if visit.session is not None:
        visit.host.log_out(visit.session)
    return Entry({"ended": visit.session is not None})


def who_asks(visit: Visit) -> Mapping[str, Any]:
    """Return who asks, what that one may do, and where."""
    speaker = _speaker(visit)
    until = {} if visit.expires_at is None else {"expires_at": visit.expires_at}
    return {
        "actor": speaker.name,
        "role": speaker.role,
        "asserts": speaker.actor.authority,
        "rights": [right for right in Right if right in RIGHTS[speaker.role]],
        "projects": [project.name for project in visit.host.projects(speaker)],
        **until,
    }


def projects(visit: Visit) -> Mapping[str, Any]:
    """Return the projects that there are for who asks."""
    shown = ("name", "repository_ids", "revision")
    found = visit.host.projects(_speaker(visit))
    return {"projects": [{name: getattr(one, name) for name in shown} for one in found]}


def _speaker(visit: Visit) -> Speaker:
    assert visit.speaker is not None, "the route lets nobody in who is not known"
    return visit.speaker
