"""Tokens, the codes that become one, and sessions: their form, and what a store keeps of them.

A token is ``pmt_ID_SECRET``; the store keeps the id, and a digest of the whole. A session is
``pms_SECRET``; the store keeps a digest.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from project_memory.roles import Speaker

_FORM = re.compile(rb"pmt_([0-9a-f]{8})_[A-Za-z0-9_-]{43}")
_NOBODY = "0" * 64
_APART = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token.

    Attributes:
        id: Eight hexadecimal digits, which tell it from others and open nothing.
        digest: What `digest` returns for it.
        speaker: Who speaks with it.
        created_at: UTC timestamp.
        expires_at: UTC timestamp from which on it is not accepted.
        revoked_at: UTC timestamp, or None.
    """

    id: str
    digest: str
    speaker: Speaker
    created_at: str
    expires_at: str
    revoked_at: str | None = None

    def holds(self, now: str) -> bool:
        """Return whether it is accepted at a UTC timestamp.

        A clock set back must not lengthen its life: before it was made it is not accepted, some
        minutes aside by which the clocks of servers differ.
        """
        made = not is_after(self.created_at, now)
        return self.revoked_at is None and made and now < self.expires_at


@dataclass(frozen=True, slots=True)
class Enrollment:
    """What is kept of a code that becomes a token once.

    Attributes:
        digest: What `digest` returns for the code.
        speaker: Who will speak with the token.
        days: How long the token will be accepted, from 1.
        expires_at: UTC timestamp from which on the code is not accepted.
        person: Whether it begins a session of a person, instead of becoming a token.
    """

    digest: str
    speaker: Speaker
    days: int
    expires_at: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """What is kept of a session, with which a browser speaks in the place of a token.

    Attributes:
        digest: What `digest` returns for it.
        token: Id of the token it was begun with; None for the server's shared token.
        proof: What `proof` returns for it and that shared token; None for any other token.
        created_at: UTC timestamp.
        expires_at: UTC timestamp from which on it is not accepted.
        person: Whether whoever has it speaks as a person.
    """

    digest: str
    token: str | None
    proof: str | None
    created_at: str
    expires_at: str
    person: bool = False

    def holds(self, now: str) -> bool:
        """Return whether it is accepted at a UTC timestamp; see `Token.holds`."""
        return not is_after(self.created_at, now) and now < self.expires_at


def is_after(moment: str, now: str) -> bool:
    """Return whether a UTC timestamp lies so far after another that no two clocks differ so."""
    return datetime.fromisoformat(moment) - datetime.fromisoformat(now) > _APART


def minted() -> tuple[str, str]:
    """Return the id of a new token, and the token."""
    name = secrets.token_hex(4)
    return name, f"pmt_{name}_{secrets.token_urlsafe(32)}"


def new_session() -> str:
    """Return a new session."""
    return f"pms_{secrets.token_urlsafe(32)}"


def proof(session: bytes, token: bytes) -> str:
    """Return what shows later that a session was begun with a token, and tells nothing of it."""
    return hmac.digest(session, token, "sha256").hex()


def new_code() -> str:
    """Return a new code; 128 bits, so that nobody guesses one."""
    return secrets.token_hex(16)


def id_of(given: bytes) -> str | None:
    """Return the id in a token, or None where it has not the form of one."""
    found = _FORM.fullmatch(given)
    return found[1].decode() if found else None


def digest(given: bytes) -> str:
    """Return what is kept of a secret: it is long and random, so that one round is enough."""
    return hashlib.sha256(given).hexdigest()


def is_same(given: bytes, known: Token | None) -> bool:
    """Return whether this is the token that is known, in a time that tells nothing of it."""
    expected = known.digest if known is not None else _NOBODY
    return hmac.compare_digest(digest(given), expected) and known is not None
