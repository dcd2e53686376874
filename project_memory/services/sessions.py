"""Sessions of browsers: begun with a token or a code, and no longer than the token is accepted."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from project_memory import tokens
from project_memory.errors import Unidentified
from project_memory.model import Clock, timestamp
from project_memory.ports import Reader, Storage
from project_memory.roles import Speaker
from project_memory.services import identity
from project_memory.services import tokens as services_tokens
from project_memory.tokens import Session

HOURS = 12
"""Hours for which a session is accepted."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A session as it is given to a browser once.

    Attributes:
        session: The session itself.
        speaker: Who speaks with it.
        expires_at: UTC timestamp.
        seconds: How long that is.
    """

    session: str
    speaker: Speaker
    expires_at: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Known:
    """Who speaks with a session, and the UTC timestamp until when."""

    speaker: Speaker
    expires_at: str


def begin(storage: Storage, clock: Clock, given: bytes, shared: str | None) -> Begun:
    """Begin a session with a token; `shared` is the server's own, if it has one.

    Raises:
        Unidentified: the token is not accepted.
    """
    token, moment = identity.check_token(given), clock()
    now, ends = timestamp(moment), timestamp(moment + timedelta(hours=HOURS))
    session = tokens.new_session()
    secret = session.encode()
    own = identity.is_shared(token, shared)
    with storage.write() as writer:
        speaker = (
            identity.shared_speaker() if own else identity.known_speaker(writer, token, moment)
        )
        named, proof = (None, tokens.proof(secret, token)) if own else (tokens.id_of(token), None)
        writer.remove_expired_sessions(now)
        writer.put_session(Session(tokens.digest(secret), named, proof, now, ends))
    return Begun(session, speaker, ends, HOURS * 3600)


def begin_of_person(storage: Storage, clock: Clock, code: str) -> Begun:
    """Begin a session with a code for which a person vouched; who has it speaks as a person.

    Its token, which nobody is given, ends it when it is revoked or expires.

    Raises:
        Unidentified: the code is wrong, was redeemed, has expired or is for a token.
    """
    moment = clock()
    session = tokens.new_session()
    digest = tokens.digest(session.encode())
    with storage.write() as writer:
        issued = services_tokens.redeemed(writer, clock, code, person=True)
        now, ends = timestamp(moment), issued.expires_at
        writer.remove_expired_sessions(now)
        writer.put_session(Session(digest, issued.id, None, now, ends, person=True))
        token = writer.token(issued.id)
        assert token is not None
    seconds = int((datetime.fromisoformat(ends) - moment).total_seconds())
    return Begun(session, replace(token.speaker, person=True), ends, seconds)


def known(reader: Reader, session: bytes, moment: datetime, shared: str | None) -> Known:
    """Return who speaks with a session.

    Raises:
        Unidentified: it is wrong or has ended, as it does with its token.
    """
    now, found = timestamp(moment), reader.session_of(tokens.digest(session))
    speaker = _speaker(reader, session, found, now, shared) if found is not None else None
    if found is None or speaker is None or not found.holds(now):
        raise Unidentified("the session has ended; log in again")
    return Known(replace(speaker, person=found.person), found.expires_at)


def end(storage: Storage, session: bytes) -> None:
    """End a session, whatever it was."""
    with storage.write() as writer:
        writer.remove_session(tokens.digest(session))


def _speaker(
    reader: Reader, secret: bytes, session: Session, now: str, shared: str | None
) -> Speaker | None:
    """Return whose the token is that a session was begun with, if it is still accepted."""
    if session.token is not None:
        token = reader.token(session.token)
        return token.speaker if token is not None and token.holds(now) else None
    expected = tokens.proof(secret, (shared or "").encode("utf-8", "surrogateescape"))
    same = hmac.compare_digest(session.proof or "", expected) and shared is not None
    return identity.shared_speaker() if same else None
