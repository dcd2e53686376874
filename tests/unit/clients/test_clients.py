from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomlkit

from project_memory.clients import CLIENTS, Entry
from project_memory.clients.writing import connect, disconnect
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
         "line 1 column 8 is not JSON (',' or '}' is expected); "
         "correct it by hand and run this again"),
        ("claude", "[]", "it holds no JSON object; correct it by hand and run this again"),
        ("claude", '{"mcpServers": []}',
         "'mcpServers' is not an object; correct it by hand and run this again"),
        ("codex", "a = 1\nb = ]",
         "line 2 column 5 is not TOML; correct it by hand and run this again"),
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
        f"'{tmp_path}': it is no regular file; move it away and run this again"
    )


def test_a_file_that_is_read_only_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text("{}")
    path.chmod(0o444)
    with pytest.raises(InvalidInput) as caught:
        connect(CLIENTS["claude"], path, ENTRY)
    assert str(caught.value) == f"cannot change '{path}' (read-only file); check its permissions"
    assert path.read_text() == "{}"


def test_a_linked_file_is_written_where_it_is_and_stays_linked(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles" / "mcp.json", tmp_path / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o600)
    link.symlink_to(real)
    assert connect(CLIENTS["cursor"], link, ENTRY) == "updated"
    assert "project-memory" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600
    assert disconnect(CLIENTS["cursor"], link, tmp_path) == "removed"
    assert (link.is_symlink(), real.read_text()) == (True, "{}")


def test_what_a_person_added_to_our_entry_stays(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(
        '{"servers": {"project-memory": {"url": "https://x", "env": {"A": "1"}, "args": ["old"]}}}'
    )
    assert connect(CLIENTS["vscode"], path, ENTRY) == "updated"
    assert json.loads(path.read_text())["servers"]["project-memory"] == {
        "type": "stdio", "command": "project-memory", "args": ["serve"], "env": {"A": "1"},
    }  # fmt: skip


def test_what_reached_another_server_goes_and_what_is_around_it_stays(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(
        '{\n  "servers": {\n    "project-memory": {\n      "url": "https://x"\n    }\n  }\n}\n'
    )
    connect(CLIENTS["vscode"], path, ENTRY)
    assert path.read_text() == (
        '{\n  "servers": {\n    "project-memory": {\n      "type": "stdio",\n'
        '      "command": "project-memory",\n      "args": [\n        "serve"\n      ]\n'
        "    }\n  }\n}\n"
    )


def test_opencode_is_told_in_the_version_that_its_file_has(tmp_path: Path) -> None:
    told = {"type": "local", "command": ["project-memory", "serve"]}
    for before, held in (("{}", ("mcp",)), ('{"mcp": {"servers": {}}}', ("mcp", "servers")),
                         ('{"mcp": {"servers": {"type": "remote"}}}', ("mcp",))):  # fmt: skip
        path = tmp_path / "opencode.json"
        path.write_text(before)
        connect(CLIENTS["opencode"], path, ENTRY)
        servers = json.loads(path.read_text())
        for key in held:
            servers = servers[key]
        assert servers["project-memory"] == told
        assert CLIENTS["opencode"].format.command(path.read_text()) == ("project-memory", "serve")
        assert disconnect(CLIENTS["opencode"], path, tmp_path) == "removed"
        assert path.read_text() == before


def test_an_existing_file_of_another_name_is_taken(tmp_path: Path) -> None:
    opencode = CLIENTS["opencode"]
    assert opencode.config_in(tmp_path) == tmp_path / "opencode.json"
    (tmp_path / "opencode.jsonc").write_text("{}")
    assert opencode.config_in(tmp_path) == tmp_path / "opencode.jsonc"
    assert CLIENTS["windsurf"].config_in(tmp_path) is None


def test_a_file_that_was_made_goes_with_the_folders_it_leaves_empty(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "config"
    connect(CLIENTS["gemini"], path, ENTRY)
    assert disconnect(CLIENTS["gemini"], path, tmp_path, dry_run=True) == "removed"
    assert path.exists()
    assert disconnect(CLIENTS["gemini"], path, tmp_path) == "removed"
    assert list(tmp_path.iterdir()) == []
    assert disconnect(CLIENTS["gemini"], path, tmp_path) == "unchanged"
