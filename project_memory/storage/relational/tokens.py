"""Rows of tokens, and of the codes that become one."""

from __future__ import annotations

import json
from typing import Any

from project_memory.roles import Role, Speaker
from project_memory.storage.codec import to_json
from project_memory.storage.relational.session import Session
from project_memory.tokens import Enrollment, Token

_TOKEN = "id, digest, actor, role, projects, created_at, expires_at, revoked_at"  # noqa: S105  # columns


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
    sql = """INSERT INTO enrollments (digest, actor, role, projects, days, expires_at)
        VALUES (?, ?, ?, ?, ?, ?)"""
    row = (enrollment.digest, *_columns(enrollment.speaker), enrollment.days)
    session.run(sql, (*row, enrollment.expires_at))


def redeem(session: Session, digest: str, now: str) -> Enrollment | None:
    """See `Writer.redeem`."""
    # one statement: of two that ask at once, one changes the row
    row = session.row(
        """UPDATE enrollments SET redeemed_at = ?
        WHERE digest = ? AND redeemed_at IS NULL AND expires_at > ?
        RETURNING actor, role, projects, days, expires_at""",
        (now, digest, now),
    )
    if row is None:
        return None
    *columns, days, expires_at = row
    return Enrollment(digest, _speaker(*columns), days, expires_at)


def _columns(speaker: Speaker) -> tuple[str, str, str | None]:
    projects = None if speaker.projects is None else to_json(sorted(speaker.projects))
    return speaker.name, speaker.role.value, projects


def _speaker(name: str, role: str, projects: str | None) -> Speaker:
    keys = None if projects is None else frozenset(json.loads(projects))
    return Speaker(name, Role(role), keys)


def _token(row: tuple[Any, ...]) -> Token:
    token_id, digest, actor, role, projects, *times = row
    return Token(token_id, digest, _speaker(actor, role, projects), *times)
