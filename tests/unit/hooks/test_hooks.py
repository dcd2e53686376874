from __future__ import annotations

import pytest

from project_memory.hooks import Call, parsed

ENVIRONMENT = {"PROJECT_MEMORY_STORE": "/e.db", "PROJECT_MEMORY_PROJECT": ""}


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("hook prompt", Call("prompt", "/e.db", None)),
        ("--store /a.db --project=shop hook session-end", Call("session-end", "/a.db", "shop")),
        ("--quiet hook prompt --database /b.db", Call("prompt", "/b.db", None)),
        ("--actor hook hook prompt", Call("prompt", "/e.db", None)),
        ("hook", Call("", "/e.db", None)),
        ("hook prompt more", Call("prompt more", "/e.db", None)),
        ("hook --nonsense prompt --store", Call("prompt", "", None)),
        ("recall hook prompt", None),
        ("hook --help", None),
        ("", None),
    ],
)
def test_a_command_line_of_hooks_is_read_without_click(line: str, call: Call | None) -> None:
    assert parsed(line.split(), ENVIRONMENT) == call
