"""``/enroll``: a code becomes a token, once; whoever has the code needs nothing else."""

from __future__ import annotations

import json

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from project_memory.errors import InvalidInput
from project_memory.hosting import Host
from project_memory.model import as_json
from project_memory.web import bodies
from project_memory.web.guard import too_large
from project_memory.web.limiting import Attempts
from project_memory.web.observer import TOLD
from project_memory.web.refusals import PLAIN

PATH = "/enroll"
_LARGEST = 4096


class Enrolling:
    """Redeems codes."""

    def __init__(self, host: Host, attempts: Attempts) -> None:
        self._host, self._attempts = host, attempts

    async def redeem(self, request: Request) -> Response:
        """Return the token that a code becomes, or raise why not."""
        self._attempts.check(request.scope)
        body = await bodies.whole(request.receive, _LARGEST, too_large)
        issued = await anyio.to_thread.run_sync(self._host.redeem, _code(body))
        self._attempts.succeeded(request.scope)
        request.scope[TOLD] |= {"actor": issued.actor, "token": issued.id}
        return JSONResponse(as_json(issued), headers=PLAIN)


def _code(body: bytes) -> str:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    code = given.get("code") if isinstance(given, dict) else None
    if not isinstance(code, str):
        raise InvalidInput('the body holds no code; send {"code": "..."}')
    return code
