"""Rows of tokens, of the codes that become one, and of sessions."""

from __future__ import annotations

import json
from typing import Any

from project_memory.roles import Role, Speaker
from project_memory.storage.codec import to_json
from project_memory.storage.relational.session import Session
from project_memory.tokens import Enrollment, Token
from project_memory.tokens import Session as LoggedIn

_TOKEN = "id, digest, actor, role, projects, created_at, expires_at, revoked_at"  # noqa: S105  # columns
_SESSION = "digest, token, proof, person, created_at, expires_at"


def one(session: Session, token_id: str) -> Token | None:
    """See `Reader.token`."""
    row = session.row(f"SELECT {_TOKEN} FROM tokens WHERE id = ?", (token_id,))
    return _token(row) if row else None


def every(session: Session) -> list[Token]:
    """See `Reader.tokens`."""
    sql = f"SELECT {_TOKEN} FROM tokens ORDER BY actor, created_at, id"
    return [_token(row) for row in session.rows(sql)]


def put(session: Session, token: Token) -> None:
    """See `Writer.put_token`."""
    session.run("DELETE FROM tokens WHERE id = ?", (token.id,))
    speaker = _columns(token.speaker)
    times = (token.created_at, token.expires_at, token.revoked_at)
    sql = f"INSERT INTO tokens ({_TOKEN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    session.run(sql, (token.id, token.digest, *speaker, *times))


def put_enrollment(session: Session, enrollment: Enrollment) -> None:
    """See `Writer.put_enrollment`."""
    session.run("DELETE FROM enrollments WHERE digest = ?", (enrollment.digest,))
    sql = """INSERT INTO enrollments (digest, actor, role, projects, days, expires_at, person)
        VALUES (?, ?, ?, ?, ?, ?, ?)"""
    row = (enrollment.digest, *_columns(enrollment.speaker), enrollment.days)
    session.run(sql, (*row, enrollment.expires_at, enrollment.person))


def redeem(session: Session, digest: str, now: str) -> Enrollment | None:
    """See `Writer.redeem`."""
    # one statement: of two that ask at once, one changes the row
    row = session.row(
        """UPDATE enrollments SET redeemed_at = ?
        WHERE digest = ? AND redeemed_at IS NULL AND expires_at > ?
        RETURNING actor, role, projects, days, expires_at, person""",
        (now, digest, now),
    )
    if row is None:
        return None
    *columns, days, expires_at, person = row
    return Enrollment(digest, _speaker(*columns), days, expires_at, person=bool(person))


def session_of(session: Session, digest: str) -> LoggedIn | None:
    """See `Reader.session_of`."""
    row = session.row(f"SELECT {_SESSION} FROM sessions WHERE digest = ?", (digest,))
    if row is None:
        return None
    digest, token, proof, person, created_at, expires_at = row
    return LoggedIn(digest, token, proof, created_at, expires_at, bool(person))


def put_session(session: Session, begun: LoggedIn) -> None:
    """See `Writer.put_session`."""
    sql = f"INSERT INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?)"
    times = (begun.created_at, begun.expires_at)
    session.run(sql, (begun.digest, begun.token, begun.proof, begun.person, *times))


def remove_session(session: Session, digest: str) -> None:
    """See `Writer.remove_session`."""
    session.run("DELETE FROM sessions WHERE digest = ?", (digest,))


def remove_expired_sessions(session: Session, now: str) -> None:
    """See `Writer.remove_expired_sessions`."""
    session.run("DELETE FROM sessions WHERE expires_at <= ?", (now,))


def _columns(speaker: Speaker) -> tuple[str, str, str | None]:
    projects = None if speaker.projects is None else to_json(sorted(speaker.projects))
    return speaker.name, speaker.role.value, projects


def _speaker(name: str, role: str, projects: str | None) -> Speaker:
    keys = None if projects is None else frozenset(json.loads(projects))
    return Speaker(name, Role(role), keys)


def _token(row: tuple[Any, ...]) -> Token:
    token_id, digest, actor, role, projects, *times = row
    return Token(token_id, digest, _speaker(actor, role, projects), *times)
