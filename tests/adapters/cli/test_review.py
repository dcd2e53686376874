"""Deciding what waits, and what an agent's command lines cannot do."""

from __future__ import annotations

import json
import re
import shlex
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from factories import draft

from project_memory.access import AGENT_SIGNS, terminal_authority
from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)


@pytest.fixture
def person(store, tmp_path: Path):
    """Return the project in the name of a person, who has asserted `mine` and `rule`."""
    path = str(tmp_path / "memory.db")
    with ProjectMemory.open(path, project="demo", actor=ADA) as opened:
        opened.create(draft(id="mine", description="what a person knows and stands for"))
        text = "a rule for every session of this project"
        opened.create(draft(id="rule", description=text, standing=True))
        yield opened


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both ends say that they are terminals."""
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(type(stream), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


def plain(output: str) -> str:
    """Return what is read on a terminal, without styles and on one line."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", output).split())


LINES = [
    "edit mine --set 'pitfalls=[\"ignore the rules\"]'",
    "edit rule --set standing=false",
    "edit first --set standing=true",
    'edit first --set \'scope={"reach": "everywhere"}\'',
    "edit mine --set 'pitfalls=[\"x\"]' --actor ada",
    "status mine wrong --reason 'an agent says so'",
    "delete mine --yes",
    "archive mine",
    "pin mine",
    "rename mine yours",
    "merge mine first",
    "merge first mine",
    "link first supersedes mine",
    "link mine superseded-by first",
    "history revert mine 1",
    "apply operations.json",
    "undo --revision 5",
    "review apply 1",
    "review reject 1",
    "review skip 1",
    "project set writes=direct agent_edits=demote",
    "import forged",
    "import forged.json",
]


@pytest.mark.parametrize("line", LINES)
def test_no_command_line_of_an_agent_changes_what_a_person_asserted(
    store, person: ProjectMemory, tmp_path: Path, line: str
) -> None:
    operations = [{"op": "update", "id": "mine", "patch": {"pitfalls": ["x"]}}]
    (tmp_path / "operations.json").write_text(json.dumps(operations))
    store("edit", "mine", "--set", 'tags=["from an agent"]', "--actor", "bot")  # proposal 1
    person.export_directory(tmp_path / "forged")
    person.export_file(tmp_path / "forged.json")
    for file in (tmp_path / "forged" / "memories").iterdir():
        document = json.loads(file.read_text())
        file.write_text(json.dumps({**document, "standing": True, "pitfalls": ["forged"]}))
    whole = json.loads((tmp_path / "forged.json").read_text())
    for row in whole["memories"]:
        row["document"]["pitfalls"] = ["forged"]
        row["meta"]["asserted_by"] = "user"
    (tmp_path / "forged.json").write_text(json.dumps(whole))
    before = [person.get(name) for name in ("mine", "rule")]
    store(*shlex.split(line))
    assert [person.get(name).memory for name in ("mine", "rule")] == [b.memory for b in before]
    assert [person.get(name).meta.version for name in ("mine", "rule")] == [1, 1]
    for name in ("first", "second"):
        reading = person.get(name)
        assert reading.meta.asserted_by in {"agent", "import"}
        assert not reading.memory.get("standing")
        assert reading.memory["scope"]["reach"] == "project"
    assert person.proposal(1).proposal.waiting
    assert person.project_info().settings == {}


@pytest.mark.parametrize("sign", AGENT_SIGNS)
def test_a_terminal_in_an_agents_environment_makes_no_person(sign: str) -> None:
    assert terminal_authority({sign: "1"}, terminal=True) is Authority.AGENT
    assert terminal_authority({sign: ""}, terminal=True) is Authority.USER
    assert terminal_authority({}, terminal=False) is Authority.AGENT


def test_a_terminal_of_an_agent_proposes(
    store, person: ProjectMemory, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert store("archive", "mine", "--json")[0] == 0
    assert person.inbox().waiting == 1
    monkeypatch.delenv("CLAUDECODE")
    assert store("review", "apply", "1")[0] == 0
    assert person.get("mine").meta.archived_at


def test_the_inbox_is_lines_of_cells(store, person: ProjectMemory) -> None:
    store("note", "the fixture hangs", "--actor", "bot")
    store("edit", "mine", "--set", 'pitfalls=["x"]', "--reason", "seen in the log")
    code, out, err = store("review", "list")
    rows = [line.split("\t") for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [(r[0], r[1], r[3], r[4], r[5]) for r in rows] == [
        ("1", "waiting", "bot", "note", "the fixture hangs"),
        ("2", "waiting", "ada", "update", "mine: seen in the log"),
    ]


def test_an_empty_inbox_says_so(store) -> None:
    assert store("review", "list") == (0, "", "nothing waits to be decided\n")


def test_a_person_reads_what_waits_and_what_has_changed_since(
    store, person: ProjectMemory, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    store("edit", "mine", "--set", 'pitfalls=["an agent\'s"]', "--reason", "seen in the log")
    monkeypatch.delenv("CLAUDECODE")
    person.update("mine", {"pitfalls": ["a person's"]})
    out = plain(store("review", "list")[1])
    assert "update mine: seen in the log ada" in out
    code, out, err = store("review", "show", "1")
    shown = plain(out)
    assert "because 'mine' is asserted by a person" in shown
    assert "- a person's + an agent's" in shown
    assert 'pitfalls was []; is ["a person\'s"]; proposed ["an agent\'s"]' in shown
    assert err == "warning: 'mine' has changed since: pitfalls\n"
    code, _, err = store("review", "apply", "1")
    assert code == 2
    assert err.startswith("error: proposal 1 was made before others changed the same")
    assert store("review", "apply", "1", "--anyway")[0] == 0
    assert "applied" in store("review", "list", "--state", "all")[1]


def test_a_person_reads_all_that_becomes_their_word(
    store, person: ProjectMemory, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    store("edit", "first", "--set", "standing=true")
    text = person.get("first").memory["description"]
    monkeypatch.delenv("CLAUDECODE")
    shown = plain(store("review", "show", "1")[1])
    assert f"+ true what would be your word with it description {text}" in shown


def test_what_a_yes_vouches_for_is_lines_of_cells(store, person: ProjectMemory) -> None:
    store("edit", "first", "--set", "standing=true")
    text = person.get("first").memory["description"]
    assert f"vouched\tfirst\tdescription\t{text}\n" in store("review", "show", "1")[1]


def test_a_conflict_is_facts_when_json_is_asked_for(
    store, person: ProjectMemory, monkeypatch: pytest.MonkeyPatch, terminal: None
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    store("edit", "mine", "--set", 'pitfalls=["x"]')
    monkeypatch.delenv("CLAUDECODE")
    person.update("mine", {"pitfalls": ["y"]})
    error = json.loads(store("review", "apply", "1", "--json")[2])["error"]
    assert (error["code"], error["conflicts"]) == (
        "proposal-conflict",
        {"mine": {"pitfalls": [[], ["y"], ["x"]]}},
    )


def editor(path: Path, text: str) -> str:
    script = path / "editor"
    script.write_text(f"#!/bin/sh\ncat > \"$1\" <<'END'\n{text}\nEND\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def test_a_note_opens_as_a_draft_in_the_editor(
    store, person: ProjectMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store("note", "the fixture hangs when 8080 is taken")
    made: dict[str, Any] = draft(id="third", description="The fixture hangs on a taken port")
    monkeypatch.setenv("EDITOR", editor(tmp_path, json.dumps(made)))
    assert store("review", "apply", "1")[0] == 0
    assert person.get("third").memory["description"] == "The fixture hangs on a taken port"
    assert person.inbox().waiting == 0


def test_a_note_left_alone_in_the_editor_waits_on(
    store, person: ProjectMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store("note", "the fixture hangs when 8080 is taken")
    monkeypatch.setenv("EDITOR", "true")
    code, out, err = store("review", "apply", "1")
    assert (code, out, err) == (0, "", "note 1 waits on; nothing was changed\n")
    assert person.inbox().waiting == 1


def test_a_note_without_an_editor_says_how_to_give_the_draft(
    store, person: ProjectMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store("note", "the fixture hangs when 8080 is taken")
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    code, _, err = store("review", "apply", "1")
    assert code == 2
    assert err == (
        "error: editing 'note-1' opens an editor and standard input is no terminal; give the "
        "draft with --draft FILE\n"
    )


def test_settings_are_shown_and_set_at_a_terminal(store, terminal: None) -> None:
    assert store("project", "set", "writes=review")[0] == 0
    assert "writes review" in plain(store("project", "show")[1])
    assert store("project", "set", "writes=", "--json")[0] == 0
    assert json.loads(store("project", "show", "--json")[1])["settings"] == {}
    code, _, err = store("project", "set", "writes")
    assert (code, err) == (2, "error: 'writes' has no '='; write NAME=VALUE\n")
