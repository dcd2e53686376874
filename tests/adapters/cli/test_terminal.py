"""What a person sees: rendering on a terminal, and the editor."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from factories import draft

STYLE = re.compile(r"\x1b\[[0-9;]*m")
COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-7]|9[0-7]|38)[;m]")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stdout say that it is a terminal, without colours."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("stats", ["2", "memories"]),
        ("compute --once", ["project demo"]),
        ("usage", ["tier", "surfaced", "direct", "applied", "first"]),
        ("list", ["first", "second", "kind:bug"]),
        (
            "recall 'database is locked' --explain",
            ["first", "score 1.0", "= walk", "text score", "in title"],
        ),
        ("recall", ["first"]),
        ("show first", ["first", "Writers see 'database is locked'", "related", "ada"]),
        ("neighborhood first", ["second", "related"]),
        ("history list", ["link", "create", "ada"]),
        ("history show 2", ["create", "first"]),
        ("history diff second 1", ["relationships"]),
        ("labels list", ["kind", "kind:bug"]),
        ("audit", ["project demo"]),
        ("labels tree", ["kind:bug 2 a defect"]),
        ("status first stale --reason 'the driver changed'", ["first", "stale", "revision"]),
        ("export folder", ["2 memories"]),
        ("init --force", ["demo"]),
        ("setup --claude --codex", ["claude", "codex", "skill"]),
        ("install-skills --dest skills", ["project-memory-recall"]),
        ("doctor", ["store"]),
    ],
)
def test_a_person_can_read_it(store, terminal: None, line: str, expected: list[str]) -> None:
    code, out, _ = store(*shlex.split(line))
    assert code == 0
    assert not COLOUR.search(out)
    for words in expected:
        assert words in " ".join(STYLE.sub("", out).split())


def test_a_gap_is_told_by_its_words_its_counts_and_its_question(store, terminal: None) -> None:
    store("recall", "frobnicator of the zorblat")
    code, out, err = store("gaps")
    lines = [STYLE.sub("", line).rstrip() for line in out.splitlines()]
    day = re.search("[0-9]{4}-[0-9]{2}-[0-9]{2}", out)
    assert (code, err) == (0, "")
    assert set(lines[0].split()) == {"frobnicator", "zorblat"}
    assert lines[1] == f"  1 question, 1 unanswered, 0 unapplied; {day[0]} to {day[0]}"
    assert lines[2] == "  frobnicator of the zorblat"
    assert "project demo" in " ".join(lines[3:])


def test_no_id_is_cut_in_a_list_of_revisions(
    store, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long, longer = "-".join(["first"] * 11), "-".join(["second"] * 11)
    reason = "both had names that nobody could read, and that no terminal could show in one piece"
    rename = ["--reason", reason]
    assert store("rename", "first", long, *rename)[0] == 0
    assert store("rename", "second", longer, *rename)[0] == 0
    out = STYLE.sub("", store("history", "list", "--limit", "1")[1])
    lines = [line.rstrip() for line in out.splitlines()]
    assert re.fullmatch("6  20[0-9TZ:-]+  rename  ada .agent.", lines[0])
    assert set(lines[1:3]) == {f"   {longer}", f"   {long}"}
    assert lines[3:5] == [
        "   both had names that nobody could read, and that no terminal could show in one",
        "   piece",
    ]


def test_an_import_says_what_became_of_it(store, terminal: None) -> None:
    store("export", "folder")
    code, out, _ = store("import", "folder")
    assert code == 0
    assert "2 memories read: 0 created, 0 updated, 2 unchanged" in out


def test_an_import_of_another_program_is_a_table_of_what_becomes_what(
    store, terminal: None, tmp_path: Path
) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Shop\n\n## Queue\n\n- it is slow at night\n")
    code, out, err = store("import", "CLAUDE.md", "--dry-run")
    told = [line.split() for line in STYLE.sub("", out).splitlines()]
    assert told[0] == ["source", "there", "outcome", "memory"]
    assert told[1] == ["CLAUDE.md:3", "Shop", ">", "Queue", "created", "queue"]
    assert " ".join(told[2]) == (
        "1 memory read: 1 created, 0 updated, 0 unchanged; 0 labels added"
    )
    assert (code, err) == (0, "dry run: nothing was changed\n")


def test_an_outdated_memory_comes_with_its_banner(store, terminal: None) -> None:
    store("link", "second", "supersedes", "first")
    code, out, err = store("show", "first")
    assert code == 0
    assert "superseded by 'second': read that instead" in out + err


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let $EDITOR run a Python script on the file it is given."""
    path = tmp_path / "editor.py"
    path.write_text(f"import json, pathlib, sys\npath = pathlib.Path(sys.argv[-1])\n{script}")
    monkeypatch.setenv("EDITOR", f"{sys.executable} {path}")


def test_an_edit_in_the_editor_is_stored(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "memory = json.loads(path.read_text())\n"
        "memory['pitfalls'] = ['a longer timeout hides it']\n"
        "path.write_text(json.dumps(memory))\n"
    )
    editor(tmp_path, monkeypatch, script)
    assert store("edit", "first")[0] == 0
    shown = json.loads(store("show", "first", "--json")[1])
    assert shown["memory"]["pitfalls"] == ["a longer timeout hides it"]


def test_the_editor_opens_again_until_the_memory_is_valid(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "memory = json.loads(path.read_text())\n"
        "short = memory['description'] == 'short'\n"
        "memory['description'] = 'long enough to be taken now' if short else 'short'\n"
        "path.write_text(json.dumps(memory))\n"
    )
    editor(tmp_path, monkeypatch, script)
    monkeypatch.setattr("click.confirm", lambda *_, **__: True)
    code, _, err = store("edit", "first")
    assert code == 0
    assert "$.description: 'short' has 5 characters; at least 20 are needed" in err


def test_an_untouched_edit_changes_nothing(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "")
    code, out, err = store("edit", "first")
    assert (code, out) == (0, "")
    assert err == "'first' is as it was; nothing was changed\n"


def test_a_link_cannot_be_edited_away_and_no_text_is_lost(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "memory = json.loads(path.read_text())\n"
        "memory['relationships']['related'] = []\n"
        "path.write_text(json.dumps(memory))\n"
    )
    editor(tmp_path, monkeypatch, script)
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    code, _, err = store("edit", "first")
    kept = re.search("'([^']*json)'", err)
    assert kept
    assert (code, err) == (
        2,
        "error: the link related 'second' is gone; keep it, and take it away with "
        "`project-memory unlink first related second`\n"
        f"error: 'first' is as it was; what you wrote is kept in '{kept[1]}'\n",
    )
    assert json.loads(Path(kept[1]).read_text())["relationships"]["related"] == []
    Path(kept[1]).unlink()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("b'{'", "error: the edited memory is not JSON: expecting property name enclosed in "
         "double quotes at line 1, column 2; correct it there\n"),
        ("b'[]'", "error: the edited memory is no JSON object; keep its outer braces\n"),
    ],
)  # fmt: skip
def test_text_that_is_no_memory_is_named(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, message: str
) -> None:
    editor(tmp_path, monkeypatch, f"path.write_bytes({written})\n")
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    code, _, err = store("edit", "first")
    assert code == 2
    assert err.startswith(message)


def test_an_edit_that_another_one_overtook_is_refused(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        "import subprocess\n"
        "memory = json.loads(path.read_text())\n"
        "memory['pitfalls'] = ['mine']\n"
        "path.write_text(json.dumps(memory))\n"
        "command = [sys.executable, '-m', 'project_memory', 'edit', 'first']\n"
        "command += ['--set', 'tags=[\"theirs\"]']\n"
        "subprocess.run(command, check=True, capture_output=True)\n"
    )
    editor(tmp_path, monkeypatch, script)
    monkeypatch.setattr("click.confirm", lambda *_, **__: False)
    code, _, err = store("edit", "first")
    assert code == 2
    assert "memory 'first' is at version 2, not 1 (changed since: tags)" in err
    memory = json.loads(store("show", "first", "--json")[1])["memory"]
    assert (memory["tags"], memory["pitfalls"]) == (["theirs"], [])


def test_no_editor_opens_where_nobody_can_use_it(store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    code, _, err = store("edit", "first")
    assert (code, err) == (
        2,
        "error: editing 'first' opens an editor and standard input is no terminal; "
        "use --set FIELD=JSON or --patch FILE\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "pitfalls"], "error: --set 'pitfalls' has no '='; write FIELD=JSON\n"),
        (["--set", "pitfalls=plain"],
         "error: --set 'pitfalls' is not JSON (expecting value); put text in double quotes\n"),
        (["--set", "scope={"],
         "error: --set 'scope' is not JSON (expecting property name enclosed in double quotes); "
         "put text in double quotes\n"),
        (["--patch", "list.json"],
         "error: a patch is a JSON object; write {\"FIELD\": ...}\n"),
        (["--patch", "missing.json"],
         "error: no file 'missing.json'; name an existing one, or - for standard input\n"),
    ],
)  # fmt: skip
def test_a_bad_patch_is_named(store, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "list.json").write_text("[]")
    code, _, err = store("edit", "first", *arguments)
    assert (code, err) == (2, message)


def test_fields_are_set_by_name(store) -> None:
    assert store("edit", "first", "--set", 'scope.area="storage"', "--set", 'tags=["x"]')[0] == 0
    memory = json.loads(store("show", "first", "--json")[1])["memory"]
    assert (memory["scope"]["area"], memory["tags"]) == ("storage", ["x"])


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_validate_reports_in_every_format(store, tmp_path: Path, form: str) -> None:
    store("export", "folder")
    path = tmp_path / "folder/memories/first.json"
    path.write_text(path.read_text().replace('"active"', '"activ"'))
    code, out, _ = store("validate", "folder", "--format", form)
    assert code == 1
    # annotations are looked up from the repository's root, where the command runs
    place = "folder/memories/first.json" if form in {"github", "sarif"} else "memories/first.json"
    assert place in out
    assert "schema-enum" in out


def test_an_added_memory_can_be_given_by_options(store) -> None:
    line = (
        "add --id third --description 'A third lesson of its own here' --label kind:bug --fact f "
        "--area storage --file 'src/**' --trigger t --tag x --solution s --pitfall p "
        "--related 'first:both are about files' --supersedes second"
    )
    assert store(*shlex.split(line))[0] == 0
    memory = json.loads(store("show", "third", "--json")[1])["memory"]
    assert memory["scope"]["files"] == ["src/**"]
    assert memory["relationships"]["supersedes"] == ["second"]


def test_a_draft_comes_from_standard_input(store, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    text = json.dumps(draft(id="third", description="A third lesson of its own here"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert store("add", "-")[0] == 0
    assert store("show", "third")[0] == 0


def test_labels_out_of_use_are_told_with_what_replaces_them(store, terminal: None) -> None:
    store("labels", "broader", "kind:bug", "kind:lesson")
    store("labels", "deprecate", "kind:blocker", "--replacement", "kind:lesson")
    _, out, _ = store("labels", "list")
    assert "deprecated, use kind:lesson" in " ".join(STYLE.sub("", out).split())
    _, out, _ = store("labels", "tree", "kind:lesson")
    lines = [line.split() for line in STYLE.sub("", out).splitlines()]
    assert lines[0][:6] == ["kind:lesson", "0", "2", "with", "those", "below"]
    assert lines[1][:3] == ["kind:bug", "2", "a"]
