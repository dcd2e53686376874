from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomlkit

from project_memory.clients import CLIENTS, Entry
from project_memory.clients.writing import connect
from project_memory.errors import InvalidInput

ENTRY = Entry("project-memory", ("serve",))


def test_foreign_servers_and_the_indentation_are_kept(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text('{\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n')
    assert connect(CLIENTS["claude"], path, ENTRY) == "updated"
    text = path.read_text()
    assert json.loads(text) == {
        "mcpServers": {
            "other": {"command": "x"},
            "project-memory": {"command": "project-memory", "args": ["serve"]},
        }
    }
    assert '\n    "mcpServers"' in text


def test_comments_and_order_of_toml_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "folder with spaces" / "config.toml"
    path.parent.mkdir()
    before = 'model = "m"  # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n# last word\n'
    path.write_text(before)
    assert connect(CLIENTS["codex"], path, ENTRY) == "updated"
    after = path.read_text()
    assert after.startswith(before[:60].rstrip())
    assert "# last word" in after
    assert tomlkit.parse(after)["mcp_servers"] == {
        "other": {"command": "x"},
        "project-memory": {"command": "project-memory", "args": ["serve"]},
    }


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_connecting_twice_changes_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "config"
    assert connect(CLIENTS[name], path, ENTRY) == "added"
    text = path.read_bytes()
    assert connect(CLIENTS[name], path, ENTRY) == "unchanged"
    assert path.read_bytes() == text


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_dry_run_writes_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "config"
    assert connect(CLIENTS[name], path, ENTRY, dry_run=True) == "added"
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("claude", '{"a": 1',
         "line 1 column 8 is not JSON (Expecting ',' delimiter); "
         "correct it by hand and run this again"),
        ("claude", "[]", "it holds no JSON object; correct it by hand and run this again"),
        ("claude", '{"mcpServers": []}',
         "'mcpServers' is not an object; correct it by hand and run this again"),
        ("codex", "a = 1\nb = ]",
         "line 2 column 4 is not TOML; correct it by hand and run this again"),
        ("codex", "mcp_servers = 1",
         "'mcp_servers' is not a table; correct it by hand and run this again"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_understood_is_left_as_it_is(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        connect(CLIENTS[name], path, ENTRY)
    assert str(caught.value) == f"'{path}': {message}"
    assert path.read_text() == text


def test_a_file_that_is_not_utf8_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput) as caught:
        connect(CLIENTS["claude"], path, ENTRY)
    assert str(caught.value) == f"'{path}' is not UTF-8; correct it by hand and run this again"


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        connect(CLIENTS["claude"], tmp_path, ENTRY)
    assert str(caught.value) == (
        f"cannot change '{tmp_path}' (Is a directory); check its permissions"
    )
