"""The files of the page: who asks needs nothing, and may do nothing with them elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from serving import BASE, SHARED, bearer

import project_memory.web
from project_memory.hosting import Host
from project_memory.web import address
from project_memory.web.application import application
from project_memory.web.pages import packaged

pytestmark = pytest.mark.anyio
STATIC = Path(project_memory.web.__file__).parent / "static"
SHOWN = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*")
    if path.is_file() and path.name != "LICENSE"
)


@pytest.fixture
async def page(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    gates = address.gates(address.parsed("127.0.0.1:8931"))
    app = application(host, gates, page=packaged())
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as client:
            yield client


async def test_the_page_is_served_to_anybody_and_lets_nothing_else_in(
    page: httpx2.AsyncClient,
) -> None:
    response = await page.get("/")
    assert (response.status_code, response.content) == (200, (STATIC / "index.html").read_bytes())
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-frame-options"] == "DENY"


async def test_every_file_is_served_with_its_type_and_kept_by_its_tag(
    page: httpx2.AsyncClient,
) -> None:
    types = {
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    }  # fmt: skip
    tags = set()
    for name in SHOWN:
        response = await page.get(f"/static/{name}")
        assert (response.status_code, response.content) == (200, (STATIC / name).read_bytes())
        assert response.headers["content-type"] == types[name.rpartition(".")[2]]
        assert response.headers["cache-control"] == "no-cache"
        tags.add(response.headers["etag"])
    assert len(tags) == len(SHOWN)


@pytest.mark.parametrize("given", ["{}", "W/{}", '"other", {}'])
async def test_what_is_known_already_is_not_sent_again(
    page: httpx2.AsyncClient, given: str
) -> None:
    tag = (await page.get("/static/main.js")).headers["etag"]
    response = await page.get("/static/main.js", headers={"If-None-Match": given.format(tag)})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["etag"] == tag
    changed = await page.get("/static/main.js", headers={"If-None-Match": '"other"'})
    assert changed.status_code == 200


async def test_no_other_file_is_served(page: httpx2.AsyncClient) -> None:
    response = await page.get("/static/vendor/cytoscape/LICENSE")
    assert response.status_code == 404
    assert response.json()["error"]["message"] == (
        "the page has no part 'vendor/cytoscape/LICENSE'; begin at /"
    )
    assert (await page.get("/static/%2e%2e/pages.py")).status_code == 400
    assert (await page.post("/")).status_code == 405


async def test_its_files_are_counted_together(page: httpx2.AsyncClient) -> None:
    for path in ("/", "/static/main.js", "/static/frame.js"):
        await page.get(path)
    counted = (await page.get("/metrics", headers=bearer(SHARED))).text.splitlines()
    for route, number in (("/", "1.0"), ("/static", "2.0")):
        labels = f'method="GET",route="{route}",status="200"'
        assert f"project_memory_http_requests_total{{{labels}}} {number}" in counted


async def test_without_the_page_there_is_none(asked: httpx2.AsyncClient) -> None:
    assert (await asked.get("/")).status_code == 404
    assert (await asked.get("/static/main.js")).status_code == 404


def test_no_markup_is_made_of_text_and_nothing_stands_inline() -> None:
    banned = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "setHTML")
    own = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    texts = {path.name: path.read_text("utf-8") for path in own}
    assert [name for name, text in texts.items() if any(word in text for word in banned)] == []
    page = (STATIC / "index.html").read_text("utf-8")
    assert " style=" not in page
    assert "<style" not in page
    assert page.count("<script") == page.count('<script type="module" src=') == 1


def test_modules_stay_small() -> None:
    long = {
        path.name: lines
        for path in STATIC.rglob("*.js")
        if (lines := path.read_text("utf-8").count("\n")) > 160
    }
    assert long == {}
