"""Tell who speaks from the token that came with a request."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import datetime

from project_memory import roles, tokens
from project_memory.errors import Forbidden, InvalidInput, Unidentified
from project_memory.model import timestamp
from project_memory.ports import Reader
from project_memory.roles import Claim, Role, Speaker

SHARED = "token:shared"
"""Whom the one shared token speaks for; no other actor can have a name with a colon."""

SHORTEST = 16
"""Characters that a shared token has at least."""

_UNFILLED = re.compile(r"\$\{[^}]*\}?|\$[A-Za-z_][A-Za-z0-9_]*|%[A-Za-z_][A-Za-z0-9_]*%")
_GET_ONE = "send `Authorization: Bearer TOKEN`; an administrator of this server gives tokens"


def check_shared(token: str) -> None:
    """Refuse a shared token that is nobody's secret; none of it is repeated.

    Raises:
        InvalidInput: it is blank, the name of a variable that was not filled in, or short.
    """
    if not token.strip():
        raise InvalidInput(
            "the token is empty; set PROJECT_MEMORY_TOKEN to a secret, or leave it unset"
        )
    if _UNFILLED.fullmatch(token):
        raise InvalidInput(
            "the token is the name of a variable that nobody filled in; set "
            "PROJECT_MEMORY_TOKEN to the secret itself"
        )
    if len(token) < SHORTEST:
        raise InvalidInput(
            f"the token has {len(token)} characters; use {SHORTEST} or more that nobody can "
            "guess, as `openssl rand -hex 32` prints"
        )


def shared_speaker() -> Speaker:
    """Return who holds the shared token: an administrator of every project."""
    return Speaker(SHARED, Role.ADMIN)


def is_shared(token: bytes, shared: str | None) -> bool:
    """Return whether this is the shared token, in a time that tells nothing of it."""
    # digests: a comparison of the tokens themselves would tell their length
    expected = _digest((shared or "").encode("utf-8", "surrogateescape"))
    return hmac.compare_digest(_digest(token), expected) and shared is not None


def check_token(token: bytes | None) -> bytes:
    """Return a token that may be one.

    Raises:
        Unidentified: there is none, or the client sent what it should have filled in.
    """
    if token is None:
        raise Unidentified(f"no token came with the request; {_GET_ONE}")
    text = token.decode("utf-8", "replace").strip()
    if not text:
        raise Unidentified(
            "the token is empty, so that the variable it comes from is not set for the client; "
            "set it in the environment that starts the client, and start the client again"
        )
    if _UNFILLED.fullmatch(text):
        raise Unidentified(
            f"the token is '{text[:60]}', the name of a variable and not its value; set that "
            "variable in the environment that starts the client, and start the client again"
        )
    return token


def known_speaker(reader: Reader, token: bytes, now: datetime) -> Speaker:
    """Return who speaks with a token that was given out.

    Raises:
        Unidentified: it is wrong, has expired or was revoked; which of these is not told.
    """
    name = tokens.id_of(token)
    known = reader.token(name) if name else None
    if tokens.is_same(token, known) and known is not None and known.holds(timestamp(now)):
        return known.speaker
    raise Unidentified(
        "the token is not accepted: it is wrong, has expired or was revoked; ask an administrator "
        "for another"
    )


def claimed_speaker(reader: Reader, claim: Claim) -> Speaker:
    """Return who speaks with a token of an identity provider that was found to be right.

    Projects that it names and that do not exist here count as nothing.

    Raises:
        Forbidden: it has no role here.
    """
    role = roles.highest(claim.roles)
    if role is None:
        able = ", ".join(f"'{roles.GRANTED}{role}'" for role in Role)
        raise Forbidden(
            f"'{claim.name}' has no role here; ask for one of {able} where your token comes from"
        )
    if roles.EVERY in claim.projects:
        return Speaker(claim.name, role)
    found = (reader.project(name) for name in claim.projects)
    keys = frozenset(project.key for project in found if project is not None)
    return Speaker(claim.name, role, keys)


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
