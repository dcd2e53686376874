"""The keys that an issuer signs with: fetched when they are needed, and not too often."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from http.client import HTTPException
from threading import Lock
from typing import Any
from urllib.request import HTTPRedirectHandler, Request, build_opener

from jwt import PyJWK, PyJWKSet
from jwt.exceptions import PyJWTError

from project_memory.errors import IssuerUnreachable
from project_memory.web.oidc import is_safe

logger = logging.getLogger(__name__)

FRESH = 300.0
"""Seconds after which keys are fetched again."""

LONGEST = 3600.0
"""Seconds for which keys are used while the issuer cannot be asked."""

PAUSE = 10.0
"""Seconds between two attempts, whatever is asked for meanwhile."""

_PATIENCE = 5.0
_LARGEST = 1024 * 1024


class Keys:
    """The keys of one issuer; safe to share between threads."""

    def __init__(self, issuer: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._issuer, self._clock = issuer, clock
        self._lock = Lock()
        self._held: dict[str, PyJWK] = {}
        self._fetched = self._tried = -LONGEST - PAUSE

    def key(self, name: str) -> PyJWK | None:
        """Return the key of this id, or None where the issuer has no such key.

        Raises:
            IssuerUnreachable: it could not be asked for a long time.
        """
        with self._lock:
            now = self._clock()
            wanted = name not in self._held or now - self._fetched >= FRESH
            if wanted and now - self._tried >= PAUSE:
                self._tried = now
                self._fetch(now)
            if now - self._fetched >= LONGEST:
                raise IssuerUnreachable(self._issuer)
            return self._held.get(name)

    def _fetch(self, now: float) -> None:
        try:
            found = PyJWKSet.from_dict(_read(_place(self._issuer)))
        except (OSError, ValueError, HTTPException, PyJWTError) as error:
            reason = str(getattr(error, "reason", None) or error)
            fields = {"issuer": self._issuer, "reason": reason}
            logger.warning("the issuer of tokens cannot be asked", extra={"fields": fields})
            return
        self._held = {str(key.key_id): key for key in found.keys if _signs(key)}
        self._fetched = now


def _place(issuer: str) -> str:
    """Return where an issuer says that its keys are."""
    told = _read(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if told.get("issuer") != issuer:
        raise ValueError("it names itself otherwise")
    return str(told.get("jwks_uri"))


def _signs(key: PyJWK) -> bool:
    return key.key_id is not None and key.public_key_use in {None, "sig"}


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _read(url: str) -> dict[str, Any]:
    """Return the JSON object at an address."""
    if not is_safe(url):
        raise ValueError("its configuration names an address without TLS")
    request = Request(url, headers={"Accept": "application/json"})  # noqa: S310  # checked
    with build_opener(_NoRedirect).open(request, timeout=_PATIENCE) as response:
        found = json.loads(response.read(_LARGEST))
    if not isinstance(found, dict):
        raise ValueError("it answered with no JSON object")  # noqa: TRY004  # the answer is wrong
    return found
