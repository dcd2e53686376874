"""From a request to who asks, and for which project."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.types import Scope

from project_memory import roles
from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput
from project_memory.hosting import Host
from project_memory.model import Project
from project_memory.roles import Right, Speaker
from project_memory.web import cookies

PROJECT_HEADER = "Project-Memory-Project"
_LONGEST = 300
_ASK = f"add ?project=NAME to the address, or the header {PROJECT_HEADER}"


@dataclass(frozen=True, slots=True)
class Identified:
    """Who asks; and where a browser does, its session, and the UTC timestamp of its end."""

    speaker: Speaker
    session: bytes | None = None
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who asks, for which project, and that project in this name."""

    speaker: Speaker
    project: Project
    memories: ProjectMemory


def token(scope: Scope) -> bytes | None:
    """Return the bearer token of a request as it came; None where there is none, or several."""
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(given) != 1:
        return None
    scheme, _, value = given[0].partition(b" ")
    return value.strip() if scheme.lower() == b"bearer" else None


def identified(host: Host, scope: Scope) -> Identified:
    """Return who asks, by a token or else by a browser's session.

    Raises:
        Unidentified: neither is accepted, or there is none.
    """
    session = cookies.session(scope)
    by_token = any(name == b"authorization" for name, _ in scope["headers"])
    if by_token or session is None:
        return Identified(host.identify(token(scope)))
    known = host.session(session)
    return Identified(known.speaker, session, known.expires_at)


def asked_project(scope: Scope) -> str | None:
    """Return the project that a request names, in its query or in a header.

    Raises:
        InvalidInput: it names two, or what cannot be the name of one.
    """
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    header = PROJECT_HEADER.lower().encode()
    headers = [
        value.decode("utf-8", "replace") for name, value in scope["headers"] if name == header
    ]
    named = sorted({*query.get("project", ()), *headers})
    if not named:
        return None
    if len(named) > 1:
        raise InvalidInput(f"the request names several projects; {_ASK}, once")
    name = str(named[0])
    segments = re.split(r"[/\\]", name)
    if len(name) > _LONGEST or not name.isprintable() or {"", ".", ".."} & set(segments):
        raise InvalidInput(f"'{name[:60]}' cannot be the name of a project; {_ASK}")
    return name


def admitted(host: Host, token: bytes | None, name: str | None, right: Right) -> Admitted:
    """Return who asks, and the project in that name.

    Raises:
        Unidentified: the token is not accepted.
        InvalidInput: no project is named.
        NotFound: the project does not exist for who asks.
        Forbidden: who asks may not do this there.
    """
    return entered(host, host.identify(token), name, right)


def entered(host: Host, speaker: Speaker, name: str | None, right: Right) -> Admitted:
    """Return the project in the name of a speaker. See `admitted` for what can be wrong."""
    project = chosen(host, speaker, name)
    roles.authorize(speaker, right, project)
    return Admitted(speaker, project, host.memories(speaker, project))


def chosen(host: Host, speaker: Speaker, name: str | None) -> Project:
    """Return the project that is asked for, if it exists for the speaker.

    Raises:
        InvalidInput: none is named.
        NotFound: it does not.
    """
    if name is not None:
        return host.project(speaker, name)
    known = ", ".join(f"'{project.name}'" for project in host.projects(speaker)) or "none yet"
    raise InvalidInput(f"the request names no project (projects: {known}); {_ASK}")
