from __future__ import annotations

import sys
from pathlib import Path

import pytest

from project_memory.clients import CLIENTS, Entry, configuring, skills
from project_memory.clients.checkup import checkup
from project_memory.errors import InvalidInput

ENTRY = Entry(sys.executable, ("-m", "project_memory", "serve"))


def test_a_client_is_found_by_its_marks_in_project_or_home(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    assert configuring.found_clients(project, home) == []
    (project / ".mcp.json").write_text("{}")
    (home / ".codex").mkdir()
    assert configuring.found_clients(project, home) == ["claude", "codex"]


def test_configuring_again_changes_nothing(tmp_path: Path) -> None:
    first = configuring.configure(tmp_path, CLIENTS, ENTRY, with_skills=True, dry_run=False)
    again = configuring.configure(tmp_path, CLIENTS, ENTRY, with_skills=True, dry_run=False)
    assert {done.change for done in first} == {"added"}
    assert {done.change for done in again} == {"unchanged"}
    assert {change for done in again for change in done.skills.values()} == {"unchanged"}


def test_a_store_of_ones_own_is_named_in_the_entry() -> None:
    entry = configuring.server_entry("/srv/team.db")
    assert entry.args[-3:] == ("--store", "/srv/team.db", "serve")


def test_a_changed_copy_of_a_skill_is_refreshed_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/SKILL.md").write_text("mine")
    skills.install(tmp_path)
    name = skills.names()[0]
    (tmp_path / name / "SKILL.md").write_text("old")
    assert skills.outdated(tmp_path) == [name]
    assert skills.install(tmp_path)[name] == "refreshed"
    assert skills.outdated(tmp_path) == []
    assert (tmp_path / "mine/SKILL.md").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way")
    with pytest.raises(InvalidInput) as caught:
        skills.install(place / "skills")
    assert str(caught.value) == (
        f"cannot write skills to '{place / 'skills'}' (Not a directory); "
        "choose another folder with --dest"
    )


def test_a_sound_configuration_passes_the_checkup(tmp_path: Path) -> None:
    configuring.configure(tmp_path, CLIENTS, ENTRY, with_skills=True, dry_run=False)
    checks = checkup(tmp_path, tmp_path / "home")
    assert len(checks) == 4
    assert all(check.ok for check in checks)


def test_the_checkup_finds_missing_commands_old_skills_and_broken_files(tmp_path: Path) -> None:
    gone = Entry("no-such-command", ("serve",))
    configuring.configure(tmp_path, ["claude"], gone, with_skills=True, dry_run=False)
    name = skills.names()[0]
    (tmp_path / ".claude/skills" / name / "SKILL.md").write_text("old")
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text("a = ]")
    found = [check.detail for check in checkup(tmp_path, tmp_path / "home") if not check.ok]
    assert found == [
        f"'{tmp_path}/.mcp.json' starts 'no-such-command', which is not there; "
        "run `project-memory setup`",
        f"outdated in '{tmp_path}/.claude/skills': {name}; run `project-memory install-skills`",
        f"'{tmp_path}/.codex/config.toml' cannot be read; correct it by hand",
    ]
