from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from project_memory.clients import CLIENTS, Entry, configuring, skills
from project_memory.errors import InvalidInput

ENTRY = Entry(sys.executable, ("-m", "project_memory", "serve"))
BOTH = ("claude", "codex")
OF_PROJECTS = [name for name, client in CLIENTS.items() if client.config]


def test_a_client_is_found_by_its_marks_in_project_or_home(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    assert configuring.found_clients(project, home) == []
    (project / ".mcp.json").write_text("{}")
    (home / ".codex").mkdir()
    assert configuring.found_clients(project, home) == ["claude", "codex"]


def test_configuring_again_changes_nothing(tmp_path: Path) -> None:
    first = configuring.configure(tmp_path, OF_PROJECTS, ENTRY, with_skills=True, dry_run=False)
    again = configuring.configure(tmp_path, OF_PROJECTS, ENTRY, with_skills=True, dry_run=False)
    assert {done.change for done in first} == {"added"}
    assert {done.change for done in again} == {"unchanged"}
    assert {change for done in again for change in done.skills.values()} == {"unchanged"}


def test_a_dry_run_tells_all_that_would_be_done_and_does_nothing(tmp_path: Path) -> None:
    told = configuring.configure(tmp_path, OF_PROJECTS, ENTRY, with_skills=True, dry_run=True)
    assert list(tmp_path.iterdir()) == []
    assert {change for each in told for change in each.skills.values()} == {"added"}
    done = configuring.configure(tmp_path, OF_PROJECTS, ENTRY, with_skills=True, dry_run=False)
    assert told == done


@pytest.mark.parametrize(
    ("entry", "sentences"),
    [
        (Entry("project-memory", ("serve",)),
         ["commit .agents/skills, .claude/skills, .codex/config.toml and .mcp.json, so that all "
          "who work here have them"]),
        (Entry("project-memory", ("--store", "/srv/team.db", "serve")),
         ["commit .agents/skills and .claude/skills, so that all who work here have them",
          "leave .codex/config.toml and .mcp.json out of commits: what they start, "
          "'project-memory --store /srv/team.db serve', names files of this machine"]),
        (Entry("/opt/venv/bin/python", ("-m", "project_memory", "serve")),
         ["commit .agents/skills and .claude/skills, so that all who work here have them",
          "leave .codex/config.toml and .mcp.json out of commits: what they start, "
          "'/opt/venv/bin/python -m project_memory serve', names files of this machine"]),
    ],
)  # fmt: skip
def test_what_to_commit_is_told_once(tmp_path: Path, entry: Entry, sentences: list[str]) -> None:
    (tmp_path / ".git").mkdir()
    done = configuring.configure(tmp_path, BOTH, entry, with_skills=True, dry_run=False)
    assert configuring.advice(tmp_path, done, entry) == sentences
    again = configuring.configure(tmp_path, BOTH, entry, with_skills=True, dry_run=False)
    assert configuring.advice(tmp_path, again, entry) == []


def test_a_client_without_a_configuration_of_projects_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        configuring.configure(
            tmp_path, ["cursor", "windsurf"], ENTRY, with_skills=True, dry_run=False
        )
    assert str(caught.value) == (
        "Windsurf has no configuration of a project; run `project-memory connect windsurf --user` "
        "for your own"
    )
    assert list(tmp_path.iterdir()) == []


def test_one_file_that_cannot_be_understood_keeps_all_as_they_are(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text("[")
    clients = [CLIENTS["cursor"], CLIENTS["claude"]]
    with pytest.raises(InvalidInput):
        configuring.connect(clients, tmp_path, ENTRY, of_user=False, dry_run=False)
    assert [path.name for path in tmp_path.iterdir()] == [".mcp.json"]


def test_outside_a_repository_nothing_is_to_be_committed(tmp_path: Path) -> None:
    entry = Entry("project-memory", ("serve",))
    done = configuring.configure(tmp_path, ["claude"], entry, with_skills=False, dry_run=False)
    assert configuring.advice(tmp_path, done, entry) == []
    (tmp_path / ".git").mkdir()
    assert configuring.advice(tmp_path, done, entry) == [
        "commit .mcp.json, so that all who work here have them"
    ]


def test_a_store_of_ones_own_is_named_in_the_entry() -> None:
    entry = configuring.server_entry("/srv/team.db")
    assert entry.args[-3:] == ("--store", "/srv/team.db", "serve")
    entry = configuring.server_entry(None, "github.com/acme/shop")
    assert entry.args[-3:] == ("--project", "github.com/acme/shop", "serve")


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


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["a pipe", "a folder"])
@pytest.mark.parametrize("through_link", [False, True])
def test_what_is_no_file_is_told_and_not_waited_for(
    tmp_path: Path, make: Callable[[Path], None], through_link: bool
) -> None:
    path = tmp_path / ".mcp.json"
    make(tmp_path / "other" if through_link else path)
    if through_link:
        path.symlink_to("other")
    with pytest.raises(InvalidInput) as caught:
        configuring.configure(tmp_path, ["claude"], ENTRY, with_skills=False, dry_run=False)
    said = f"'{path}': it is no regular file; move it away and run this again"
    assert str(caught.value) == said
