"""Every command, run in process over a store on disk, its JSON held to its schema."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from command_lines import parse_line
from factories import document, draft

from project_memory import resources
from project_memory.cli.arguments import explained, mentions, named
from project_memory.cli.group import cli
from project_memory.cli.table import COMMANDS


def checked(output: str, schema: str) -> Any:
    value = json.loads(output)
    jsonschema.validate(value, resources.schema(f"output/{schema}"))
    return value


@pytest.mark.parametrize(
    ("line", "schema"),
    [
        ("stats", "stats"),
        ("usage", "usage"),
        ("gaps", "gaps"),
        ("compute --once", "compute"),
        ("compute --list", "compute"),
        ("add --description 'A third lesson of its own' --label kind:bug --fact f", "receipt"),
        ("edit first --patch patch.json", "receipt"),
        ("link first causes second", "receipt"),
        ("unlink second related first", "receipt"),
        ("show first", "show"),
        ("show first --version 1", "show"),
        ("list", "search"),
        ("search kind:bug", "search"),
        ("search kind:bug --text locked", "search"),
        ("recall database is locked --explain", "recall"),
        ("recall --related-to first", "recall"),
        ("recall", "recall"),
        ("brief", "brief"),
        ("brief --max-tokens 300", "brief"),
        ("neighborhood first", "neighborhood"),
        ("status first stale --reason 'the driver changed'", "receipt"),
        ("touch first second --note 'both seen today'", "receipt"),
        ("archive first", "receipt"),
        ("unarchive first", "receipt"),
        ("pin first", "receipt"),
        ("pin first --off", "receipt"),
        ("delete first --yes", "receipt"),
        ("purge first --dry-run", "purge"),
        ("rename first premier", "receipt"),
        ("merge first second", "receipt"),
        ("apply operations.json", "receipt"),
        ("note the fixture hangs when port 8080 is taken", "receipt"),
        ("review list", "review-list"),
        ("review list --state all", "review-list"),
        ("review show 1", "review-show"),
        ("review apply 1 --draft first.json", "receipt"),
        ("review reject 1 --reason 'it is known'", "receipt"),
        ("project show", "project"),
        ("project list", "project-list"),
        ("labels list", "labels-list"),
        ("labels add area:storage --description 'what is on disk'", "receipt"),
        ("labels tree", "labels-tree"),
        ("labels tree kind:bug", "labels-tree"),
        ("labels describe kind:bug 'a defect'", "receipt"),
        ("labels alias kind:bug kind:defect", "receipt"),
        ("labels broader kind:bug kind:lesson", "receipt"),
        ("labels broader kind:bug --none", "receipt"),
        ("labels rename kind:bug kind:defect --dry-run", "receipt"),
        ("labels rename kind:bug kind:defect", "receipt"),
        ("labels merge kind:bug kind:lesson", "receipt"),
        ("labels deprecate kind:bug --replacement kind:lesson", "receipt"),
        ("labels deprecate kind:bug --off", "receipt"),
        ("labels remove kind:blocker", "receipt"),
        ("labels remove kind:bug --replacement kind:lesson", "receipt"),
        ("labels single kind", "receipt"),
        ("labels single kind --keep kind:bug", "receipt"),
        ("labels single kind --off", "receipt"),
        ("history list", "history-list"),
        ("history list first", "history-list"),
        ("history show 2", "history-show"),
        ("history diff second 1", "history-diff"),
        ("history revert second 1", "receipt"),
        ("history undo", "receipt"),
        ("undo", "receipt"),
        ("validate", "validate"),
        ("audit", "audit"),
        ("export folder", "export"),
        ("export file.json", "export"),
        ("import first.json", "import"),
        ("sync folder", "sync"),
        ("migrate --to copy.db", "migrate"),
        ("backup copies", "backup"),
        ("--store new.db restore --from copy.db", "restore"),
        ("init --force", "init"),
        ("setup --claude --codex --hooks", "setup"),
        ("connect cursor", "connection"),
        ("disconnect cursor", "connection"),
        ("install-skills --dest skills", "install-skills"),
        ("doctor", "doctor"),
        ("demo", "demo"),
    ],
)  # fmt: skip
def test_json_output_keeps_to_its_schema(store, tmp_path: Path, line: str, schema: str) -> None:
    (tmp_path / "patch.json").write_text('{"pitfalls": ["a pitfall"]}')
    (tmp_path / "operations.json").write_text('[{"op": "pin", "id": "first"}]')
    if line.startswith("review"):
        store("note", "a thought")
        draft = {"description": "A lesson that was a thought", "labels": ["kind:bug"]}
        text = json.dumps({**draft, "remembered_facts": ["it was so"]})
        (tmp_path / "first.json").write_text(text)
    if "restore" in line:
        store("backup", "copy.db")
    if line.startswith("import"):
        line = "import folder"
        store("export", "folder")
    code, out, err = store(*shlex.split(line), "--json")
    assert (code, err) == (0, "")
    checked(out, schema)


@pytest.mark.parametrize("line", ["stats", "list", "recall locked", "show first", "history list",
                                  "labels list", "labels tree", "validate", "audit",
                                  "neighborhood first"])  # fmt: skip
def test_plain_output_is_lines_of_cells(store, line: str) -> None:
    code, out, _ = store(*shlex.split(line))
    assert code == 0
    assert "\x1b" not in out
    assert all(row.strip() for row in out.splitlines())


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("show nothing", 2, "error: no memory 'nothing'; list ids with `project-memory list`\n"),
        ("list --limit 0", 2,
         "error: invalid value for '--limit': '0' is not a whole number from 1; "
         "see `project-memory list --help`\n"),
        ("search 'kind:bug OR'", 2,
         "error: expected a label, a field or '(' at position 11\n"
         "         kind:bug OR\n                    ^\n"),
        ("status first superseded", 2,
         "error: 'first' becomes superseded only by a link; use "
         "`project-memory link NEW-ID supersedes first`\n"),
        ("delete first", 2,
         "error: deleting 'first' needs a confirmation and standard input is no terminal; "
         "pass --yes\n"),
        ("init", 2, None),
        ("labels merge kind:bug kind:bug", 2,
         "error: 'kind:bug' cannot take its own place; name two labels\n"),
        ("labels broader kind:bug", 2,
         "error: name the broader label, or pass --none; one of the two\n"),
        ("labels broader kind:bug kind:lesson --none", 2,
         "error: name the broader label, or pass --none; one of the two\n"),
        ("labels deprecate kind:bug --off --replacement kind:lesson", 2,
         "error: --off and --replacement exclude each other; pass one of them\n"),
        ("labels remove kind:bug", 2,
         "error: label 'kind:bug' is on 2 memories ('first', 'second'); name a replacement "
         "(--replacement), or take it off them first\n"),
        ("install-skills", 2,
         "error: no place is named; pass --claude, --codex or --dest DIR\n"),
    ],
)  # fmt: skip
def test_errors_say_what_to_do(store, line: str, code: int, message: str | None) -> None:
    got, out, err = store(*shlex.split(line))
    assert (got, out) == (code, "")
    assert message is None or err == message


def test_a_dry_setup_says_all_that_it_would_do(run, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    told = run("setup", "--claude", "--dry-run")
    assert [path.name for path in tmp_path.iterdir()] == [".git"]
    done = run("setup", "--claude")
    assert (told[0], told[1]) == (0, done[1])
    assert "project\tdemo\tcreated\n" in told[1]
    assert "skill\tproject-memory-recall\tadded\n" in told[1]
    assert told[2] == f"{done[2]}dry run: nothing was changed\n"
    assert done[2].startswith("commit .claude/skills, so that all who work here have them\n")


def test_an_undo_names_what_it_takes_back(store) -> None:
    number = json.loads(store("pin", "first", "--json")[1])["revision"]
    told = f"takes back revision {number}\n"
    assert store("undo", "--dry-run")[2] == f"dry run: nothing was changed\n{told}"
    code, out, _ = store("undo", "--json")
    assert (code, checked(out, "receipt")["undoes"]) == (0, number)
    assert store("undo", "--revision", str(number + 1))[2] == f"takes back revision {number + 1}\n"


def test_a_question_says_what_kept_it_from_being_answered(store) -> None:
    store("archive", "first")
    code, out, err = store("recall", "--labels", "is:archived", "locked")
    assert (code, out) == (0, "")
    assert err == (
        "nothing relevant\n1 of the memories that the filter selects is archived, and archived "
        "ones are not ranked; search lists them\n"
    )


def test_an_error_is_one_json_document_when_asked(store) -> None:
    code, out, err = store("show", "nothing", "--json")
    assert (code, out) == (2, "")
    assert json.loads(err)["error"]["code"] == "not-found"


def test_a_mistyped_store_creates_nothing(run, tmp_path: Path) -> None:
    code, _, err = run("--store", "nowhere.db", "list")
    assert code == 2
    assert "nowhere.db" in err
    assert not (tmp_path / "nowhere.db").exists()


def test_validate_finds_and_exits_one(store, tmp_path: Path) -> None:
    store("export", "folder")
    (tmp_path / "folder/memories/first.json").write_text("{}")
    code, out, _ = store("validate", "folder")
    assert code == 1
    assert "memories/first.json" in out


def test_validate_of_a_folder_needs_no_store(run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert run("validate", "folder")[0] == 0
    assert not (tmp_path / "memory.db").exists()


def test_validate_takes_a_file_of_one_memory(run, tmp_path: Path) -> None:
    (tmp_path / "lesson.json").write_text(json.dumps(document(), indent=2))
    assert run("validate", "lesson.json") == (0, "", "1 memory checked: 0 errors, 0 warnings\n")
    (tmp_path / "lesson.json").write_text(json.dumps(document(status="new"), indent=2))
    assert run("validate", "lesson.json")[:2] == (
        1, "error\tlesson.json:4 $.status\tschema-enum\t'new' is not one of 'active', 'stale', "
        "'superseded', 'wrong'\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"validate {name}",
         f"error: nothing at '{name}'; name a folder or file that `project-memory export` wrote, "
         "a file of one memory, or a store\n")
        for name in ("nosuch", "nosuch.json", "nosuch.db", "no/such")
    ] + [
        ("validate --staged",
         "error: --staged works on a folder that export writes, and none is named; write "
         "`project-memory validate --staged FOLDER`\n"),
        ("validate --fix",
         "error: --fix works on a folder that export writes, and none is named; write "
         "`project-memory validate --fix FOLDER`\n"),
        ("validate memory.db --fix",
         "error: 'memory.db' is no folder, and only a folder is mended; name one that "
         "`project-memory export` wrote\n"),
        ("validate folder --staged --fix",
         "error: --staged only looks at the index; leave out --fix and --dry-run\n"),
        ("validate folder --dry-run",
         "error: --dry-run says what --fix would do; add --fix, or leave it out\n"),
    ],
)  # fmt: skip
def test_validate_says_what_it_takes(store, line: str, message: str) -> None:
    assert store(*line.split()) == (2, "", message)


def test_validate_mends_and_says_what(store, tmp_path: Path) -> None:
    store("export", "folder")
    path = tmp_path / "folder/memories/first.json"
    canonical = path.read_text()
    path.write_text(json.dumps(json.loads(canonical)))
    row = "\tmemories/first.json\t\tput into canonical form\n"
    verdict = "2 memories checked: 0 errors, 0 warnings\n"
    assert store("validate", "folder") == (0, "", verdict)
    told = (1, f"to mend{row}", f"dry run: would mend 1 file\n{verdict}")
    assert store("validate", "folder", "--fix", "--dry-run") == told
    code, out, _ = store("validate", "folder", "--fix", "--dry-run", "--json")
    assert (code, checked(out, "validate")["mended"]) == (
        1, [{"file": "memories/first.json", "changes": ["put into canonical form"]}]
    )  # fmt: skip
    assert path.read_text() != canonical
    assert store("validate", "folder", "--fix") == (0, f"mended{row}", f"mended 1 file\n{verdict}")
    assert path.read_text() == canonical
    assert store("validate", "folder", "--fix") == (0, "", f"nothing to mend\n{verdict}")


def test_options_stand_before_or_after_the_command(store) -> None:
    assert store("--json", "stats")[1] == store("stats", "--json")[1]


def test_agents_speak_where_nobody_is_at_a_terminal(store) -> None:
    reading = json.loads(store("show", "first", "--json")[1])
    assert reading["meta"]["asserted_by"] == "agent"


def test_escape_sequences_in_stored_text_are_inert(store) -> None:
    # control characters never enter a store; other means to fool a terminal are shown as they are
    code, _, err = store("add", "--description", "an \x1b[31mescape in the description", "--label",
                         "kind:bug", "--fact", "f")  # fmt: skip
    assert code == 2
    assert "\x1b" not in err


def walk(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    context = click.Context(group)
    found = []
    for name in group.list_commands(context):
        member = group.get_command(context, name)
        found.append(((*path, name), member))
        if isinstance(member, click.Group):
            found += walk(member, (*path, name))
    return found


MEMBERS = walk(cli)


@pytest.mark.parametrize(("path", "member"), MEMBERS, ids=[" ".join(p) for p, _ in MEMBERS])
def test_every_help_has_examples_that_parse(path: tuple[str, ...], member: Any) -> None:
    assert member.examples
    for example in member.examples:
        line = example[example.index("project-memory") :].removesuffix(')"')
        assert_parses(shlex.split(re.split(" [<>] ", line)[0])[1:])
    with click.Context(member, info_name=path[-1]) as context:
        assert "project-memory" in member.get_help(context)


@pytest.mark.parametrize(("path", "member"), MEMBERS, ids=[" ".join(p) for p, _ in MEMBERS])
def test_every_help_says_what_it_is_for_and_what_it_takes(
    path: tuple[str, ...], member: Any
) -> None:
    context = click.Context(member, info_name=path[-1])
    purpose = inspect.cleandoc(member.help).split("\n\n")[0]
    assert purpose[0].isupper()
    assert purpose[-1] == "."
    told = dict(explained(member, context))
    for parameter in member.params:
        if isinstance(parameter, click.Argument):
            name = named(parameter, context)
            assert name in told or mentions(member.help, name)
        else:
            assert parameter.help.partition("  [default: ")[0].endswith(".")
    assert all(meaning in " ".join(member.get_help(context).split()) for meaning in told.values())


def test_exit_codes_are_told_once_for_all_commands() -> None:
    told = "0 fine, 1 something was found, 2 your input, 3 our failure, 130 interrupted"
    helps = [" ".join((member.help or "").split()) for member in (cli, *(m for _, m in MEMBERS))]
    assert [told in text for text in helps] == [True, *(False for _ in MEMBERS)]


def assert_parses(arguments: list[str]) -> None:
    parse_line(cli, "project-memory", arguments)


def test_every_command_of_the_table_exists() -> None:
    context = click.Context(cli)
    assert all(cli.get_command(context, name) for name in COMMANDS)


def test_a_near_duplicate_is_named_beside_what_could_be_done(store) -> None:
    fact = "a deferred transaction that upgrades fails at once"
    text = "Writers no longer see 'database is locked' under load"
    line = ("add", "--id", "third", "--label", "kind:bug", "--fact", fact, "--description", text)
    code, _, err = store(*line)
    assert code == 0
    assert err == (
        "'third' says nearly what 'first' says (0.84); if it is one lesson, `project-memory merge "
        "third first`\n"
        "its words speak of replacement; if 'first' no longer holds, `project-memory link third "
        "supersedes first`\n"
    )


def expired(store, tmp_path: Path) -> None:
    facts = [{"fact": "the mirror is down", "expires": "2026-02-28"}, "and this stays"]
    described = "The mirror that builds fetch from"
    text = json.dumps(draft(id="third", description=described, remembered_facts=facts))
    (tmp_path / "third.json").write_text(text)
    assert store("add", "third.json")[0] == 0


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("show third", "warning: fact 1 expired on 2026-02-28 and counts as an assumption\n"),
        ("recall mirror",
         "warning: fact 1 of 'third' expired on 2026-02-28 and counts as an assumption\n"),
        ("export folder", "expired facts in third\n"),
    ],
)  # fmt: skip
def test_an_expired_fact_is_remarked(store, tmp_path: Path, line: str, remark: str) -> None:
    expired(store, tmp_path)
    assert store(*line.split())[2] == remark
    code, out, _ = store(*line.split(), "--json")
    assert code == 0
    checked(out, line.split()[0])


def test_a_contradicted_memory_says_whom_to_believe(store) -> None:
    for name, port, day in (("third", "80", "2026-01-01"), ("fourth", "90", "2026-02-01")):
        new = draft(
            id=name,
            description=f"what the {name} lesson says of the gateway",
            remembered_facts=[{"fact": port, "key": "port"}],
            evidence={"last_validated": day},
        )
        Path(f"{name}.json").write_text(json.dumps(new))
        assert store("add", f"{name}.json")[0] == 0
    said = "contradicted on 'port' by 'fourth', which goes before it: rely on that instead"
    assert store("show", "third")[2] == f"warning: {said}\n"
    _, out, err = store("recall", "third", "lesson", "of", "the", "gateway")
    assert [line.split("\t")[0] for line in out.splitlines()] == ["fourth", "third"]
    assert err == f"warning: 'third' is {said}\n"
    shown = json.loads(store("show", "third", "--json")[1])
    assert shown["suppressed_by"] == ["fourth"]
    found = json.loads(store("search", "--json")[1])
    assert [m.get("suppressed_by") for m in found["memories"] if m["id"] == "third"] == [
        ["fourth"]
    ]


@pytest.mark.parametrize("line", ["usage", "gaps", "labels tree"])
def test_the_help_names_the_cells_of_a_line(store, line: str) -> None:
    store("recall", "database is locked")
    store("recall", "quuxification of the frobnicator")
    told = " ".join(store(*line.split(), "--help")[1].split())
    cells = told.partition("a line holds: ")[2].partition(".")[0].split(", ")
    rows = store(*line.split())[1].splitlines()
    assert rows
    assert {len(row.split("\t")) for row in rows} == {len(cells)}
