"""Where a client without a token learns whom to ask for one (RFC 9728)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from project_memory.web.oidc import Provider
from project_memory.web.refusals import PLAIN

PATH = "/.well-known/oauth-protected-resource"


class Resource:
    """Tells of this server as OAuth sees it: something that tokens of an issuer open."""

    def __init__(self, provider: Provider, protected: str) -> None:
        """Tell of the route `protected`, and of the server as a whole."""
        self._provider, self._protected = provider, protected

    @property
    def paths(self) -> tuple[str, str]:
        """Return the routes of `routes`."""
        return PATH, f"{PATH}{self._protected}"

    def routes(self) -> list[Route]:
        """Return a document for the server, and one for the route; both for anybody."""
        whole, part = self.paths
        return [Route(whole, self._tell), Route(part, self._tell)]

    def challenge(self, scope: Scope) -> str:
        """Return the parameter of ``WWW-Authenticate`` that leads to the document."""
        return f'resource_metadata="{self._base(scope)}{self.paths[1]}"'

    async def _tell(self, request: Request) -> Response:
        body = {
            "resource": self._base(request.scope) + request.url.path.removeprefix(PATH),
            "resource_name": "project-memory",
            "authorization_servers": [self._provider.issuer],
            "bearer_methods_supported": ["header"],
        }
        return JSONResponse(body, headers=PLAIN)

    def _base(self, scope: Scope) -> str:
        if self._provider.public_url is not None:
            return self._provider.public_url
        # the guard lets only names of this server through
        host = next(value for name, value in scope["headers"] if name == b"host")
        return f"{scope['scheme']}://{host.decode('latin-1')}"
