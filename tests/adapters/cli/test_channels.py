"""What goes to stdout, what to stderr, and in whose name a command speaks."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from project_memory import mcp_server, resources
from project_memory.cli.group import cli
from project_memory.cli.output import marked
from project_memory.cli.table import COMMANDS
from project_memory.model import Actor, Authority


def standard_input(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def person(monkeypatch: pytest.MonkeyPatch, answers: str = "") -> None:
    """Let stdin be a terminal at which these answers are typed."""
    monkeypatch.setattr(sys, "stdin", _Terminal(io.BytesIO(answers.encode())))


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("list", [
            "first\tactive\tkind:bug\tWriters see 'database is locked' under load",
            "second\tactive\tkind:bug\tParallel test runs stop with a busy file",
        ]),
        ("search kind:bug --text LOCKED", [
            "first\tactive\tkind:bug\tWriters see 'database is locked' under load",
        ]),
        ("neighborhood first", [
            "first\t0\tactive\tWriters see 'database is locked' under load",
            "second\t1\tactive\tParallel test runs stop with a busy file",
        ]),
        ("archive first", ["first\tarchived\t1\tactive\t"]),
        ("rename first third --dry-run",
         ["third\trenamed\t2\tactive\tfirst", "second\tmirrored\t2\tactive\t"]),
        ("labels add area:storage", ["area:storage\tlabel"]),
        ("labels tree kind:bug", ["kind:bug\t0\t2\t2\ta defect, its symptom and its cause\t"]),
        ("labels rename kind:bug kind:defect", [
            "first\trelabelled\t1\tactive\t",
            "second\trelabelled\t2\tactive\t",
            "kind:bug\tlabel",
            "kind:defect\tlabel",
        ]),
        ("validate", []),
        ("export folder", ["folder\t2\t14"]),
    ],
)  # fmt: skip
def test_lines_of_cells(store, line: str, rows: list[str]) -> None:
    code, out, _ = store(*shlex.split(line))
    assert (code, out.splitlines()) == (0, rows)


def test_what_is_outdated_is_never_among_the_answers(store) -> None:
    store("link", "second", "supersedes", "first")
    code, out, err = store("recall", "database is locked", "--status", "all")
    assert code == 0
    assert [line.split("\t")[0] for line in out.splitlines()] == ["second"]
    store("status", "second", "wrong", "--reason", "it was the disk")
    code, out, err = store("recall", "parallel test runs busy")
    assert "second" not in out
    assert (
        "warning: 'second' is wrong: Parallel test runs stop with a busy file" in err.splitlines()
    )


def test_an_answer_of_nothing_is_an_answer(store) -> None:
    assert store("recall", "zymurgy") == (0, "", "nothing relevant\n")
    assert store("search", "kind:decision") == (0, "", "no memory matches\n")


def test_what_was_left_out_is_said(store) -> None:
    assert store("list", "--limit", "1")[2] == "1 of 2; go on with --offset 1\n"


def test_quiet_leaves_remarks_out_but_no_errors(store) -> None:
    assert store("list", "--limit", "1", "--quiet")[2] == ""
    assert store("--quiet", "recall", "zymurgy") == (0, "", "")
    assert store("show", "nothing", "--quiet")[2] != ""


def test_a_query_comes_from_standard_input(store, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, "E  sqlite3.OperationalError:\n   database is locked\n")
    assert store("recall", "-")[1].startswith("first\t")


def test_operations_come_from_standard_input(store, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, '[{"op": "pin", "id": "first"}, {"op": "pin", "id": "third"}]')
    assert store("apply", "-") == (
        2,
        "",
        "error: in operation 1: no memory 'third'; list ids with `project-memory list`\n",
    )
    standard_input(monkeypatch, "{}")
    assert store("apply", "-") == (
        2,
        "",
        'error: standard input holds no list of operations; write [{"op": ...}, ...]\n',
    )
    assert "pinned" not in store("history", "list")[1]


@pytest.mark.parametrize("command", ["archive first", "add first.json --allow-duplicate",
                                     "status first stale --reason r", "delete first --yes",
                                     "merge first second", "labels add area:x", "undo",
                                     "labels rename kind:bug kind:x", "labels single kind",
                                     "labels merge kind:bug kind:lesson",
                                     "labels deprecate kind:bug", "labels alias kind:bug kind:x",
                                     "labels remove kind:bug --replacement kind:lesson",
                                     "labels broader kind:bug kind:lesson",
                                     "labels describe kind:bug x",
                                     "unlink first related second", "pin first",
                                     "edit first --set tags=[]"])  # fmt: skip
def test_a_dry_run_changes_nothing(store, tmp_path: Path, command: str) -> None:
    path = tmp_path / "first.json"
    draft = {k: v for k, v in json.loads(path.read_text()).items() if k != "id"}
    path.write_text(json.dumps(draft))
    before = store("history", "list")[1]
    code, _, err = store(*shlex.split(command), "--dry-run")
    assert (code, err.splitlines()[0]) == (0, "dry run: nothing was changed")
    assert store("history", "list")[1] == before


def test_a_person_is_asked_before_a_deletion(store, monkeypatch: pytest.MonkeyPatch) -> None:
    person(monkeypatch, "n\n")
    code, _, err = store("delete", "first")
    assert code == 2
    assert "first: Writers see 'database is locked' under load\n" in err
    assert err.endswith("'first' is kept; nothing was changed\n")
    person(monkeypatch, "y\n")
    assert store("delete", "first")[0] == 0
    assert store("show", "first")[0] == 2


def test_the_end_of_input_is_no_yes(store, monkeypatch: pytest.MonkeyPatch) -> None:
    person(monkeypatch, "")
    assert store("delete", "first")[0] == 130
    assert store("show", "first")[0] == 0


@pytest.mark.parametrize(("terminals", "authority"), [(True, "user"), (False, "agent")])
def test_a_person_speaks_where_both_ends_are_terminals(
    store, monkeypatch: pytest.MonkeyPatch, terminals: bool, authority: str
) -> None:
    if terminals:
        person(monkeypatch)
        monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    line = (
        "add --id third --description 'A third lesson of its own here' --label kind:bug --fact f"
    )
    assert store(*shlex.split(line), "--actor", "grace")[0] == 0
    meta = json.loads(store("show", "third", "--json")[1])["meta"]
    assert (meta["author"], meta["asserted_by"]) == ("grace", authority)


def test_whoever_starts_the_server_agents_speak_through_it(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(mcp_server, "serve_stdio", lambda *given: served.append(given))
    person(monkeypatch)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    assert run("serve")[0] == 0
    assert run("mcp", "--project", "shop")[0] == 0
    store = str(tmp_path / "memory.db")
    agent = Actor("ada", Authority.AGENT)
    assert served == [(store, "demo", agent), (store, "shop", agent)]


def test_options_win_over_the_environment(run, tmp_path: Path) -> None:
    run("init")
    code, _, err = run("list", "--project", "shop")
    assert code == 2
    assert err.startswith("error: no project 'shop' in this store (projects: 'demo')")


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("name", ["--store", "--database"])
def test_a_mistyped_store_creates_nothing(run, tmp_path: Path, place: str, name: str) -> None:
    option = [name, "missing/nowhere.db"]
    for line in ("list", "stats", "add a.json", "recall x", "validate", "undo", "doctor"):
        words = line.split()
        (tmp_path / "a.json").write_text("{}")
        code = run(*(option + words if place == "before" else words + option))[0]
        assert code == (1 if line == "doctor" else 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json"]


def test_overriding_text_is_shown_as_it_is(store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store("edit", "first", "--set", 'tags=["evil\\u202etxt.exe"]')[0] == 0
    assert "tags\tevil\\u202etxt.exe\n" in store("show", "first")[1]
    assert '"evil\\u202etxt.exe"' in store("show", "first", "--json")[1]
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    assert "evil\\u202etxt.exe" in store("show", "first")[1]


def test_markup_in_stored_text_is_text(store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store("edit", "first", "--set", 'tags=["[red]:bug:[/red]"]')[0] == 0
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    assert "[red]:bug:[/red]" in store("show", "first")[1]


def test_colour_is_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert marked("error: x", "error:", "red") == "\x1b[31m\x1b[1merror:\x1b[0m x"
    assert marked("no error: x", "error:", "red") == "no error: x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert marked("error: x", "error:", "red") == "error: x"


def test_the_version_is_printed(run) -> None:
    code, out, err = run("--version")
    assert (code, err) == (0, "")
    assert out.startswith("project-memory ")


def test_each_schema_of_an_output_belongs_to_a_command() -> None:
    described = {name for name in resources.schema_names() if name.startswith("output/")}
    assert described == {f"output/{name}" for name in used_schemas()} | {"output/error"}


def used_schemas() -> set[str]:
    context = click.Context(cli)
    members: list[Any] = [cli.get_command(context, name) for name in COMMANDS]
    for group in [m for m in members if isinstance(m, click.Group)]:
        members += [group.get_command(context, name) for name in group.list_commands(context)]
    return {member.output for member in members if getattr(member, "output", None)}


def test_the_table_says_what_each_command_says_of_itself() -> None:
    context = click.Context(cli)
    for name, entry in COMMANDS.items():
        member: Any = cli.get_command(context, name)
        assert member.help.partition("\n")[0].startswith(entry.help), name


def test_an_import_names_what_is_older_than_here(store) -> None:
    store("export", "folder")
    store("edit", "first", "--set", 'tags=["since"]')
    code, _, err = store("import", "folder")
    told = "older than here, not taken: first; --take-older takes them too"
    assert (code, told in err.splitlines()) == (0, True)
    code, _, err = store("import", "folder", "--take-older")
    assert (code, "older" in err) == (0, False)
    assert "since" not in store("show", "first", "--json")[1]


def test_an_export_writes_over_an_edit_by_hand_only_when_asked(store, tmp_path: Path) -> None:
    store("export", "folder")
    file = tmp_path / "folder/memories/first.json"
    file.write_text(file.read_text().replace("under load", "under any load"))
    code, out, err = store("export", "folder")
    assert (code, out) == (2, "")
    assert err == (
        "error: 'memories/first.json' in 'folder' holds what this project never held; take it in "
        "first with `project-memory import folder`, or write over it (--overwrite)\n"
    )
    assert store("export", "folder", "--overwrite")[0] == 0
    assert "under any load" not in file.read_text()
