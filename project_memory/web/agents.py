"""``/mcp``: who asks is found out first, then what, and then the protocol answers."""

from __future__ import annotations

from functools import partial

import anyio
import anyio.to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from project_memory import roles
from project_memory.errors import ProjectMemoryError
from project_memory.hosting import Host
from project_memory.mcp_server.caller import Caller
from project_memory.mcp_server.http import Endpoint, read
from project_memory.mcp_server.source import OpenSource
from project_memory.mcp_server.tools import BY_NAME
from project_memory.mcp_server.turns import Turns
from project_memory.roles import Right
from project_memory.web import admission, bodies
from project_memory.web.guard import LARGEST, too_large
from project_memory.web.metrics import Metrics
from project_memory.web.observer import TOLD

PATH = "/mcp"
WATCH = 1.0
"""Seconds between two looks at whether who listens may still do so."""


class Agents:
    """Answers agents over streamable HTTP."""

    def __init__(
        self, host: Host, metrics: Metrics, turns: Turns, *, watch: float = WATCH
    ) -> None:
        self._host, self._metrics, self._watch_seconds = host, metrics, watch
        self.endpoint = Endpoint(LARGEST, turns)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or raise why not."""
        token, name = admission.token(scope), admission.asked_project(scope)
        admitted = await anyio.to_thread.run_sync(
            admission.admitted, self._host, token, name, Right.READ
        )
        speaker, project = admitted.speaker, admitted.project
        scope[TOLD] |= {"actor": speaker.name, "project": project.name}
        body = await bodies.whole(receive, LARGEST, too_large)
        message = read(body)
        scope[TOLD] |= {k: v for k, v in (("rpc", message.method), ("tool", message.tool)) if v}
        roles.authorize(speaker, message.right, project)
        if message.tool in BY_NAME:
            self._metrics.called(str(message.tool))

        def check(right: Right) -> None:
            roles.authorize(speaker, right, project)

        caller = Caller(OpenSource(admitted.memories), check)
        answer = partial(self.endpoint.answer, message=message, caller=caller)
        again = bodies.again(body, receive)
        if scope["method"] == "GET":
            await self._while_known(token, answer, scope, again, send)
        else:
            await answer(scope, again, send)

    async def _while_known(
        self, token: bytes | None, answer: ASGIApp, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Let a stream go on until it ends, or until its token is accepted no more."""
        begun = ended = False

        async def sent(message: Message) -> None:
            nonlocal begun, ended
            begun = True
            ended = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch, token, tasks.cancel_scope)
            await answer(scope, receive, sent)
            tasks.cancel_scope.cancel()
        if begun and not ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _watch(self, token: bytes | None, scope: anyio.CancelScope) -> None:
        while True:
            await anyio.sleep(self._watch_seconds)
            try:
                await anyio.to_thread.run_sync(self._host.identify, token)
            except ProjectMemoryError:
                scope.cancel()
                return
