from __future__ import annotations

import sys
from pathlib import Path

import pytest

from project_memory.clients import CLIENTS, Entry, configuring, skills
from project_memory.clients.checkup import checkup, command_check, token_checks

ENTRY = Entry(sys.executable, ("-m", "project_memory", "serve"))
OF_PROJECTS = [name for name, client in CLIENTS.items() if client.config]


def configured(folder: Path, entry: Entry = ENTRY, *names: str) -> None:
    configuring.configure(
        folder, names or OF_PROJECTS, entry, with_skills=True, with_hooks=True, dry_run=False
    )


def found(folder: Path, home: Path) -> list[tuple[str, str]]:
    return [(check.name, check.detail) for check in checkup(folder, home) if not check.ok]


def test_a_sound_configuration_passes_the_checkup(tmp_path: Path) -> None:
    configured(tmp_path)
    checks = checkup(tmp_path, tmp_path / "home")
    assert len(checks) == len(OF_PROJECTS) + 4  # two files of hooks, two folders of skills
    assert all(check.ok for check in checks)


def test_where_nothing_is_configured_nothing_is_checked(tmp_path: Path) -> None:
    assert checkup(tmp_path, tmp_path / "home") == []


def test_commands_that_are_not_there_are_found_wherever_they_are_started(tmp_path: Path) -> None:
    home = tmp_path / "home"
    configured(tmp_path, Entry("/gone/project-memory", ("serve",)), "claude")
    clients = [CLIENTS["windsurf"]]
    gone = Entry("gone", ("serve",))
    configuring.connect(clients, home, gone, of_user=True, dry_run=False)
    windsurf = home / ".codeium/windsurf/mcp_config.json"
    assert found(tmp_path, home) == [
        ("Claude Code configuration",
         f"'{tmp_path}/.mcp.json' starts '/gone/project-memory', which is not there; "
         "run `project-memory connect claude`"),
        ("Claude Code hooks",
         f"'{tmp_path}/.claude/settings.json' starts '/gone/project-memory', which is not there; "
         "run `project-memory connect claude --hooks`"),
        ("Windsurf configuration",
         f"'{windsurf}' starts 'gone', which is not there; "
         "run `project-memory connect windsurf --user`"),
    ]  # fmt: skip


def test_a_store_that_is_not_there_is_found(tmp_path: Path) -> None:
    store = tmp_path / "gone.db"
    for name in (str(store), "postgresql://db.example.org/memory"):
        configured(tmp_path, Entry(sys.executable, ("--store", name, "serve")), "cursor")
        expected = [
            ("Cursor configuration",
             f"'{tmp_path}/.cursor/mcp.json' names the store '{store}', which is not there; "
             "run `project-memory connect cursor`"),
        ]  # fmt: skip
        assert found(tmp_path, tmp_path / "home") == (expected if name == str(store) else [])


def test_files_that_cannot_be_read_are_found(tmp_path: Path) -> None:
    for path in (".codex/config.toml", ".codex/hooks.json", ".vscode/mcp.json"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"a = ] \xff")
    assert found(tmp_path, tmp_path / "home") == [
        ("Codex configuration",
         f"'{tmp_path}/.codex/config.toml' cannot be read; correct it by hand"),
        ("Codex hooks", f"'{tmp_path}/.codex/hooks.json' cannot be read; correct it by hand"),
        ("VS Code configuration",
         f"'{tmp_path}/.vscode/mcp.json' cannot be read; correct it by hand"),
    ]  # fmt: skip


def test_skills_that_are_outdated_or_missing_are_found(tmp_path: Path) -> None:
    configured(tmp_path, ENTRY, "claude", "cursor")
    old, gone, *_ = skills.names()
    (tmp_path / ".claude/skills" / old / "SKILL.md").write_text("old")
    (tmp_path / ".agents/skills" / gone / "SKILL.md").unlink()
    (tmp_path / ".agents/skills" / gone).rmdir()
    assert found(tmp_path, tmp_path / "home") == [
        ("skills", f"outdated in '{tmp_path}/.claude/skills': {old}; run `project-memory "
         f"install-skills --dest {tmp_path}/.claude/skills`"),
        ("skills", f"missing in '{tmp_path}/.agents/skills': {gone}; run `project-memory "
         f"install-skills --dest {tmp_path}/.agents/skills`"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        ("echo project-memory 1.2.3", None),
        ("echo project-memory 0.9", "version 0.9; this one is 1.2.3"),
        ("echo usage: something else", "another program"),
        ("exit 3", "another program"),
        ("printf '\\377'", "another program"),
    ],
)
def test_what_the_shell_finds_by_our_name_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, detail: str | None
) -> None:
    command = tmp_path / "project-memory"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    check = command_check("1.2.3")
    assert check.ok == (detail is None)
    assert check.detail == (
        f"'{command}', which clients start, is {detail}; put this one before it on the path"
        if detail
        else f"'{command}' is version 1.2.3"
    )


def test_a_command_that_is_not_on_the_path_is_started_by_its_interpreter(monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    check = command_check("1.2.3")
    assert check.ok
    assert (
        check.detail == "'project-memory' is not on the path; clients start it by its interpreter"
    )


def test_tokens_that_others_can_read_are_found(tmp_path: Path) -> None:
    assert list(token_checks(tmp_path / "nowhere")) == []
    for name, mode in (("own", 0o600), ("shared one", 0o640)):
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(mode)
    (check,) = token_checks(tmp_path)
    shared = tmp_path / "shared one"
    assert check.detail == f"others can read '{shared}'; run `chmod 600 '{shared}'`"
