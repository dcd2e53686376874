"""Give out tokens, list them, take them back; and codes that become a token once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from project_memory import access, tokens
from project_memory.errors import InvalidInput, NotFound, Unidentified
from project_memory.model import Actor, Clock, timestamp
from project_memory.ports import Reader, Storage, Writer
from project_memory.roles import Role, Speaker
from project_memory.services import reasons
from project_memory.services.store import existing_project
from project_memory.tokens import Enrollment, Token

MOST_DAYS = 3650
"""Days for which a token can be accepted."""

CODE_MINUTES = 15
"""Minutes for which a code can be redeemed."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_LIKE_ID = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Issued:
    """A token as it is shown once.

    Attributes:
        token: The token itself.
        id: What it is listed under.
        actor: Who speaks with it.
        role: What that one is.
        projects: Names of the projects that exist for it; None: every one.
        expires_at: UTC timestamp.
    """

    token: str
    id: str
    actor: str
    role: Role
    projects: tuple[str, ...] | None
    expires_at: str


@dataclass(frozen=True, slots=True)
class Listed:
    """What is shown of a token afterwards; `state` is live, expired, revoked or early."""

    id: str
    actor: str
    role: Role
    projects: tuple[str, ...] | None
    created_at: str
    expires_at: str
    state: str


@dataclass(frozen=True, slots=True)
class TokenList:
    """Every token of a store, by actor, then time; `store` is where."""

    tokens: tuple[Listed, ...]
    store: str


@dataclass(frozen=True, slots=True)
class Revoked:
    """Ids of the tokens that are accepted no more, and whose they were."""

    ids: tuple[str, ...]
    actors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code as it is shown once.

    Attributes:
        code: What `join` is given.
        actor: Who will speak with the token.
        role: What that one will be.
        projects: Names of the projects that will exist for it; None: every one.
        expires_at: UTC timestamp of the code.
        person: Whether it logs a person in, instead of becoming a token.
    """

    code: str
    actor: str
    role: Role
    projects: tuple[str, ...] | None
    expires_at: str
    person: bool


def speaker(reader: Reader, name: str, role: Role, projects: Iterable[str] | None) -> Speaker:
    """Return a speaker of this name; `projects` are names or repository ids, None: every one.

    Raises:
        InvalidInput: the name has another form, or no project is named.
        NotFound: a project does not exist.
        SecretFound: the name looks like a credential.
    """
    if not _NAME.fullmatch(name) or _LIKE_ID.fullmatch(name):
        raise InvalidInput(
            f"'{name[:80]}' cannot be the name of an actor; use up to 64 letters, digits and . _ "
            "@ -, beginning with a letter or digit, and not eight hexadecimal digits alone"
        )
    reasons.check_name(name, "the actor's name")
    if projects is None:
        return Speaker(name, role)
    keys = frozenset(existing_project(reader, project).key for project in projects)
    if not keys:
        raise InvalidInput("no project is named; name those that the token is for, or every one")
    return Speaker(name, role, keys)


def add(
    storage: Storage,
    clock: Clock,
    name: str,
    *,
    role: Role,
    projects: Iterable[str] | None,
    days: int,
) -> Issued:
    """Give out a token. See `speaker` for what can be wrong.

    Raises:
        InvalidInput: `days` is out of range.
    """
    check_days(days)
    with storage.write() as writer:
        return _issued(writer, clock, speaker(writer, name, role, projects), days)


def listed(storage: Storage, clock: Clock) -> TokenList:
    """Return every token that was given out."""
    now = timestamp(clock())
    with storage.read() as reader:
        names = _names(reader)
        return TokenList(tuple(_shown(one, names, now) for one in reader.tokens()), storage.url)


def revoke(storage: Storage, clock: Clock, name: str) -> Revoked:
    """Take back the token of an id, or every token of an actor.

    Raises:
        NotFound: there is no such token that is accepted.
    """
    now = timestamp(clock())
    with storage.write() as writer:
        found = [one for one in writer.tokens() if name in {one.id, one.speaker.name}]
        # one that was made under a clock that was ahead will be accepted yet
        live = [one for one in found if one.revoked_at is None and now < one.expires_at]
        if not live:
            state = "none that is accepted" if found else "no token"
            raise NotFound(
                f"'{name}' has {state}; `project-memory tokens list` shows actors and ids"
            )
        for one in live:
            writer.put_token(replace(one, revoked_at=now))
    return Revoked(tuple(o.id for o in live), tuple(sorted({o.speaker.name for o in live})))


def invite(
    storage: Storage,
    clock: Clock,
    name: str,
    *,
    role: Role,
    projects: Iterable[str] | None,
    days: int,
    vouching: Actor | None = None,
) -> Invitation:
    """Give out a code that becomes a token once. See `add` for what can be wrong.

    With `vouching`, a person, it logs a person in instead. See `sessions.begin_of_person`.

    Raises:
        Forbidden: who vouches is no person.
    """
    check_days(days)
    person = vouching is not None
    if vouching is not None:
        access.check_person(vouching, "let somebody speak as a person")
    code, ends = tokens.new_code(), clock() + timedelta(minutes=CODE_MINUTES)
    with storage.write() as writer:
        whose = speaker(writer, name, role, projects)
        digest = tokens.digest(code.encode())
        kept = Enrollment(digest, whose, days, timestamp(ends), person=person)
        writer.put_enrollment(kept)
        named = _named(whose, _names(writer))
    return Invitation(code, name, role, named, kept.expires_at, person)


def redeem(storage: Storage, clock: Clock, code: str) -> Issued:
    """Make a token of a code.

    Raises:
        Unidentified: the code is wrong, was redeemed or has expired.
    """
    with storage.write() as writer:
        return redeemed(writer, clock, code, person=False)


def redeemed(writer: Writer, clock: Clock, code: str, *, person: bool) -> Issued:
    """Make a token of a code that is for this; one that is for the other stays what it is.

    Raises:
        Unidentified: the code is wrong, was redeemed or has expired.
    """
    digest = tokens.digest(code.strip().encode("utf-8", "surrogatepass"))
    now = clock()
    latest = timestamp(now + timedelta(minutes=CODE_MINUTES))
    found = writer.redeem(digest, timestamp(now))
    # under a clock that was set back a code would live on: it expires too late from now
    early = found is not None and tokens.is_after(found.expires_at, latest)
    if found is None or early or found.person is not person:
        raise Unidentified(
            "the code is not accepted: it is wrong, was redeemed before or is older than "
            f"{CODE_MINUTES} minutes; ask an administrator for another"
        )
    return _issued(writer, clock, found.speaker, found.days)


def check_days(days: int) -> None:
    """Refuse a length of time that no token has.

    Raises:
        InvalidInput: it is out of range.
    """
    if not 1 <= days <= MOST_DAYS:
        raise InvalidInput(f"a token cannot be accepted for {days} days; use 1 to {MOST_DAYS}")


def _issued(writer: Writer, clock: Clock, whose: Speaker, days: int) -> Issued:
    name, token = tokens.minted()
    now, digest = clock(), tokens.digest(token.encode())
    ends = timestamp(now + timedelta(days=days))
    writer.put_token(Token(name, digest, whose, timestamp(now), ends))
    return Issued(token, name, whose.name, whose.role, _named(whose, _names(writer)), ends)


def _shown(one: Token, names: Mapping[int, str], now: str) -> Listed:
    ended = "revoked" if one.revoked_at else "expired" if one.expires_at <= now else "early"
    state = "live" if one.holds(now) else ended
    whose = one.speaker
    projects = _named(whose, names)
    return Listed(one.id, whose.name, whose.role, projects, one.created_at, one.expires_at, state)


def _named(whose: Speaker, names: Mapping[int, str]) -> tuple[str, ...] | None:
    if whose.projects is None:
        return None
    return tuple(sorted(names[key] for key in whose.projects if key in names))


def _names(reader: Reader) -> dict[int, str]:
    return {project.key: project.name for project in reader.projects()}
