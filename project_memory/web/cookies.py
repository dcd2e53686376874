"""The cookie that holds a browser's session: how it is found, set and taken away."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.types import Scope

PLAIN, SECURE = "project-memory-session", "__Host-project-memory-session"
"""Names of the cookie; the second one no other host and no page without TLS can set."""


def session(scope: Scope) -> bytes | None:
    """Return the session that came with a request, or None."""
    found = [value for name, value in scope["headers"] if name == b"cookie"]
    given = SimpleCookie()
    try:
        given.load("; ".join(value.decode("latin-1") for value in found))
    except CookieError:
        return None
    chosen = given.get(SECURE) or given.get(PLAIN)
    return chosen.value.encode("latin-1", "replace") if chosen and chosen.value else None


def changed(scope: Scope, session: str | None) -> str:
    """Return the ``Set-Cookie`` that gives who asks a session, or with None takes it away.

    The browser forgets it when it is closed.
    """
    secure = _has_tls(scope)
    name, extra = (SECURE, "; Secure") if secure else (PLAIN, "")
    end = "; Max-Age=0" if session is None else ""
    return f"{name}={session or ''}; Path=/; HttpOnly; SameSite=Strict{extra}{end}"


def _has_tls(scope: Scope) -> bool:
    """Return whether the page has TLS: of this server, or of a proxy before it, as Origin says."""
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    return scope["scheme"] == "https" or any(o.lower().startswith(b"https:") for o in origins)
