"""The cookie that holds a browser's session: how it is found, set and taken away."""

from __future__ import annotations

from starlette.types import Scope

PLAIN, SECURE = "project-memory-session", "__Host-project-memory-session"
"""Names of the cookie; the second one no other host and no page without TLS can set."""


def session(scope: Scope) -> bytes | None:
    """Return the session that came with a request, or None."""
    headers = (value for name, value in scope["headers"] if name == b"cookie")
    # read by hand: other programs at this host set cookies too, and http.cookies stops at odd ones
    pairs = (part.strip().partition(b"=") for part in b";".join(headers).split(b";"))
    given = {name: value for name, _, value in pairs}
    return given.get(SECURE.encode()) or given.get(PLAIN.encode()) or None


def changed(scope: Scope, session: str | None, seconds: int) -> str:
    """Return the ``Set-Cookie`` that gives a session for so long, or with None takes it away."""
    name, secure = (SECURE, "; Secure") if _has_tls(scope) else (PLAIN, "")
    lasting = f"Max-Age={seconds}; Path=/; HttpOnly; SameSite=Strict{secure}"
    return f"{name}={session or ''}; {lasting}"


def _has_tls(scope: Scope) -> bool:
    """Return whether the page has TLS: of this server, or of a proxy before it, as Origin says."""
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    return scope["scheme"] == "https" or any(o.lower().startswith(b"https:") for o in origins)
