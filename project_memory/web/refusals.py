"""What a refused request is told: one JSON document, as errors of the command line are."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from project_memory.errors import (
    Conflict,
    Forbidden,
    InvalidDocument,
    InvalidInput,
    IssuerUnreachable,
    NotFound,
    ProjectMemoryError,
    SecretFound,
    StorageError,
    Unidentified,
    UnknownLabels,
)

logger = logging.getLogger(__name__)

_STATUS: tuple[tuple[type[ProjectMemoryError], int], ...] = (
    (Unidentified, 401),
    (Forbidden, 403),
    (NotFound, 404),
    (Conflict, 409),
    (InvalidDocument, 422),
    (SecretFound, 422),
    (UnknownLabels, 422),
    (InvalidInput, 400),
    (IssuerUnreachable, 503),
    (StorageError, 503),
)
_CHALLENGE = {
    401: 'Bearer realm="project-memory"',
    403: 'Bearer realm="project-memory", error="insufficient_scope"',
}
PLAIN = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""Headers of every answer that is ours."""


class Refusal(Exception):
    """A request that goes no further.

    Attributes:
        status: Status of the answer.
        code: Stable across versions.
        headers: Further headers.
        facts: What belongs to the code, beside the message.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        headers: Mapping[str, str] | None = None,
        *,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.headers = status, code, dict(headers or {})
        self.facts = dict(facts or {})

    def response(self) -> JSONResponse:
        """Return the answer."""
        body = {"error": {"code": self.code, "message": str(self), **self.facts}}
        return JSONResponse(body, self.status, {**PLAIN, **self.headers})


def refusal(error: ProjectMemoryError) -> Refusal:
    """Return what an error of the application is over HTTP."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    challenge = _CHALLENGE.get(status)
    headers = {"WWW-Authenticate": challenge} if challenge else None
    if isinstance(error, StorageError):
        logger.warning("the store failed", exc_info=error, extra={"fields": {"code": error.code}})
        return Refusal(status, error.code, error.from_afar)
    message = ": ".join((*getattr(error, "__notes__", ()), str(error)))
    return Refusal(status, error.code, message, headers, facts=error.facts)
