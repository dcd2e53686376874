"""``/``: the page for browsers, which is files; what it shows it asks for as any client does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from project_memory.web.observer import TOLD
from project_memory.web.refusals import Refusal

PATH, PARTS = "/", "/static/{path:path}"
FIRST = "index.html"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What a browser is given; other files (licences) are only kept beside it."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # no text becomes markup, by whatever mistake: the browser refuses the assignment
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # kept, but asked for each time: a server that was upgraded is never seen through an old page
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the page, with its media type and the tag of its content."""

    content: bytes
    media_type: str
    tag: str


class Pages:
    """Serves the files that are in the package; there are no others to be asked for."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._parts = parts

    def routes(self) -> list[Route]:
        """Return the routes of the page."""
        return [Route(PATH, self.serve), Route(PARTS, self.serve)]

    async def serve(self, request: Request) -> Response:
        """Return a file, or only that it is still the same."""
        name = request.path_params.get("path", FIRST)
        request.scope[TOLD]["route"] = "/static" if "path" in request.path_params else PATH
        part = self._parts.get(name)
        if part is None:
            raise Refusal(404, "no-route", f"the page has no part '{name[:100]}'; begin at {PATH}")
        headers = {**_HEADERS, "ETag": part.tag}
        if part.tag in _tags(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        return Response(part.content, media_type=part.media_type, headers=headers)


def packaged() -> Pages:
    """Return the page of this version."""
    found = dict(_walk(files("project_memory.web") / "static", ""))
    return Pages(MappingProxyType(found))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Part]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{prefix}{entry.name}"
        suffix = name[name.rfind(".") :]
        if entry.is_dir():
            yield from _walk(entry, f"{name}/")
        elif suffix in _TYPES:
            content = entry.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            yield name, Part(content, _TYPES[suffix], tag)


def _tags(given: str) -> set[str]:
    """Return the tags of ``If-None-Match``; a proxy that compresses weakens them."""
    return {tag.strip().removeprefix("W/") for tag in given.split(",")}
