"""What a refused request is told: one JSON document, as errors of the command line are."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse

from project_memory.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    ProjectMemoryError,
    StorageError,
    Unidentified,
)

_STATUS: tuple[tuple[type[ProjectMemoryError], int], ...] = (
    (Unidentified, 401),
    (Forbidden, 403),
    (NotFound, 404),
    (Conflict, 409),
    (InvalidInput, 400),
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
    """

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.headers = status, code, dict(headers or {})

    def response(self) -> JSONResponse:
        """Return the answer."""
        body = {"error": {"code": self.code, "message": str(self)}}
        return JSONResponse(body, self.status, {**PLAIN, **self.headers})


def refusal(error: ProjectMemoryError) -> Refusal:
    """Return what an error of the application is over HTTP."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    challenge = _CHALLENGE.get(status)
    headers = {"WWW-Authenticate": challenge} if challenge else None
    return Refusal(status, error.code, str(error), headers)
