"""What a project gives away: notes, lines, another program's graph, a section of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import draft

from project_memory import documents
from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import Conflict, InvalidDocument, InvalidInput, StorageError
from project_memory.exchange.agents_section import BEGIN, END
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def opened() -> ProjectMemory:
    return ProjectMemory.open(
        "inmemory://", project="demo", actor=ADA, create=True, clock=lambda: NOW
    )


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    """A project with every kind of thing that an export has to carry."""
    with opened() as project:
        project.add_label("area:checkout", description="paying: with a card")
        project.add_alias("area:checkout", "area:payment")
        for name in ("first", "second", "third", "fourth", "fifth"):
            project.create(
                draft(
                    id=name,
                    description=f"the lesson called {name}: naïve “Straße” 東京\u2028and on",
                    labels=["kind:bug", "area:checkout"],
                    remembered_facts=[
                        {"fact": "a pool of one", "status": "verified",
                         "verified_at": "2026-01-31", "source": "the log"},
                        "two lines\n  of a fact",
                    ],
                    triggers=["--- locked"],
                    checks=[{"type": "file_exists", "path": "src/*.py"}],
                )
            )  # fmt: skip
        project.link("first", "related", "second", link_reason="both fail when two writers meet")
        project.link("third", "depends_on", "first")
        project.update("second", {"pitfalls": ["beware of the second"], "standing": True})
        project.set_status("second", "stale", reason="the pool is gone")
        project.link("fourth", "supersedes", "second")
        project.pin("third")
        project.archive("fifth")
        project.expect("a pool of one", ["first"])
        yield project


def held(memory: ProjectMemory) -> dict[str, Any]:
    """Return everything that the single file holds but history and who asserts what."""
    content = memory.portable(with_history=False)
    rows = {
        row["document"]["id"]: (
            documents.to_text(row["document"]),
            row["meta"]["pinned"],
            row["meta"]["own_status"],
            row["meta"].get("archived_at") is not None,
        )
        for row in content["memories"]
    }
    return {**content, "memories": rows}


def test_notes_lose_nothing_on_the_way_there_and_back(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    report = memory.export_directory(tmp_path / "notes", form="markdown")
    assert (report.memories, report.files_changed) == (5, 7)
    assert memory.export_directory(tmp_path / "notes", form="markdown").files_changed == 0
    assert validate_directory(tmp_path / "notes").problems == ()
    with opened() as other:
        assert other.import_path(tmp_path / "notes").format == "project-memory"
        assert held(other) == held(memory)
    assert memory.import_path(tmp_path / "notes").unchanged == 5


def test_a_note_that_is_edited_is_taken_in_and_not_written_over(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.export_directory(tmp_path, form="markdown")
    note = tmp_path / "memories" / "first.md"
    text = note.read_text(encoding="utf-8")
    edited = text.replace("## Triggers", "## Pitfalls\n\n- mind the gap\n\n## Triggers")
    note.write_text(edited, encoding="utf-8")
    with pytest.raises(Conflict) as error:
        memory.export_directory(tmp_path, form="markdown")
    assert str(error.value) == (
        f"'memories/first.md' in '{tmp_path}' holds what this project never held; take it in "
        f"first with `project-memory import {tmp_path}`, or write over it (--overwrite)"
    )
    with opened() as other:
        other.import_path(tmp_path)
        assert other.get("first").memory["pitfalls"] == ["mind the gap"]


def test_a_broken_note_is_told_by_file_and_line(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path, form="markdown")
    note = tmp_path / "memories" / "first.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("## Facts", "Some words\n\n## Facts"), encoding="utf-8")
    with pytest.raises(InvalidDocument) as error:
        memory.import_path(tmp_path)
    assert str(error.value) == (
        "memories/first.md:15: $: 'Some words' has no place in a memory; write it as a point "
        "below one of: Facts, What to do, Pitfalls, Triggers [bad-note]"
    )
    note.write_text(text.replace('labels: ["', 'labels: ["Kind:Bug", "'), encoding="utf-8")
    problems = validate_directory(tmp_path).problems
    assert [(each.file, each.line, each.path) for each in problems if each.path != "$"] == [
        ("memories/first.md", 5, "$.labels[0]")
    ]


def test_a_folder_of_the_other_form_is_refused(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path)
    with pytest.raises(InvalidInput) as error:
        memory.export_directory(tmp_path, form="markdown")
    assert str(error.value).startswith(f"'{tmp_path}' holds '")
    assert str(error.value).endswith(
        ".json', and this writes files that end in .md; name another folder"
    )


def test_the_note_of_a_memory_that_is_gone_goes(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_directory(tmp_path, form="markdown")
    memory.rename("first", "premier")
    report = memory.export_directory(tmp_path, form="markdown")
    assert report.removed == ("memories/first.md",)


def test_lines_restore_what_the_single_file_does(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_file(tmp_path / "a.json")
    memory.export_file(tmp_path / "a.jsonl", in_lines=True)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = [next(iter(json.loads(line))) for line in lines[1:]]
    assert sorted(set(kinds)) == ["expectation", "memory", "revision"]
    restored = []
    for name in ("a.json", "a.jsonl"):
        with opened() as other:
            other.import_path(tmp_path / name)
            other.export_file(tmp_path / "again.json", overwrite=True)
            restored.append((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert restored[0] == restored[1]
    assert validate_directory(tmp_path / "a.jsonl").problems == ()


BROKEN_LINES = [
    ("cut off", lambda lines: [*lines[:1], lines[1][:-20]],
     "a.jsonl:2: $: the line is no object that holds one of 'memory', 'expectation', "
     "'revision', 'proposal'; export it again [bad-line]"),
    ("another kind", lambda lines: [*lines[:2], '{"node":1}'],
     "a.jsonl:3: $: the line is no object that holds one of 'memory', 'expectation', "
     "'revision', 'proposal'; export it again [bad-line]"),
    ("mixed", lambda lines: [lines[0], lines[1], lines[6], lines[2]],
     "a.jsonl:4: $: key 'memories' is given twice; keep one of the two [duplicate-key]"),
    ("no JSON", lambda lines: [lines[0], '{"memory":{]}'],
     "a.jsonl:2: $: not JSON: Expecting property name enclosed in double quotes at column 17 "
     "[bad-json]"),
    ("newer", lambda lines: [lines[0].replace('"format_version":1', '"format_version":2')],
     "a.jsonl:1: $.format_version: format_version 2 is not 1; import it with the version that "
     "wrote it [export-version]"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"), [each[1:] for each in BROKEN_LINES], ids=[n for n, *_ in BROKEN_LINES]
)
def test_broken_lines_are_told(
    memory: ProjectMemory, tmp_path: Path, change: Any, said: str
) -> None:
    path = tmp_path / "a.jsonl"
    memory.export_file(path, in_lines=True)
    lines = path.read_text(encoding="utf-8").split("\n")
    path.write_text("\n".join(change(lines)), encoding="utf-8")
    with opened() as other, pytest.raises(InvalidDocument) as error:
        other.import_path(path)
    assert str(error.value) == said


def test_the_line_of_a_broken_document_is_told(memory: ProjectMemory, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    memory.export_file(path, in_lines=True)
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[3] = lines[3].replace("kind:bug", "Kind Bug")
    path.write_text("\n".join(lines), encoding="utf-8")
    problems = validate_directory(path).problems
    assert {(each.file, each.line) for each in problems if "labels[" in each.path} == {
        ("a.jsonl", 4)
    }


def test_the_graph_of_the_server_has_each_link_once(memory: ProjectMemory, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    report = memory.export_graph(path)
    assert (report.memories, report.files_changed) == (4, 1)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert rows[2] == {
        "type": "entity",
        "name": "second",
        "entityType": "bug",
        "observations": [
            "the lesson called second: naïve “Straße” 東京\u2028and on",
            "status: superseded: the pool is gone",
            "a pool of one",
            "two lines\n  of a fact",
            "beware: beware of the second",
        ],
    }
    assert [row for row in rows if row["type"] == "relation"] == [
        {"type": "relation", "from": "first", "to": "second", "relationType": "related"},
        {"type": "relation", "from": "fourth", "to": "second", "relationType": "supersedes"},
        {"type": "relation", "from": "third", "to": "first", "relationType": "depends_on"},
    ]
    assert memory.export_graph(path).files_changed == 0
    memory.archive("third")
    with pytest.raises(Conflict) as error:
        memory.export_graph(path)
    assert str(error.value) == (
        f"'{path}' is there already and holds something else; name another file, or write over "
        "it (--overwrite)"
    )
    assert memory.export_graph(path, overwrite=True).files_changed == 1


def test_our_graph_is_one_that_can_be_imported(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.export_graph(tmp_path / "memory.jsonl")
    with opened() as other:
        report = other.import_path(tmp_path / "memory.jsonl")
        assert report.format == "mcp-memory"
        assert report.created == ("first", "fourth", "second", "third")
        assert other.get("third").memory["relationships"]["depends_on"] == [{"id": "first"}]


@pytest.mark.parametrize(
    ("before", "around"),
    [
        ("", ("", "")),
        ("# Mine\n", ("# Mine\n\n", "")),
        ("# Mine", ("# Mine\n\n", "")),
        ("\ufeff# Mine\r\ntext  \r\n", ("\ufeff# Mine\r\ntext  \r\n\r\n", "")),
        (f"# Mine\n{BEGIN}\nold\n{END}\n\nafter \t\n", ("# Mine\n", "\n\nafter \t\n")),
    ],
)
def test_a_section_leaves_the_rest_to_the_byte_and_changes_nothing_again(
    memory: ProjectMemory, tmp_path: Path, before: str, around: tuple[str, str]
) -> None:
    path = tmp_path / "AGENTS.md"
    if before:
        path.write_bytes(before.encode())
    report = memory.export_section(path, budget=1000)
    assert report.files_changed == 1
    after = path.read_bytes().decode()
    start, end = after.index(BEGIN), after.index(END) + len(END)
    assert after[:start] == around[0]
    assert after[end:] in {around[1], "\n", "\r\n"}
    assert "- the lesson called fourth: naïve “Straße” 東京 and on (`fourth`)" in after
    assert memory.export_section(path, budget=1000).files_changed == 0
    assert path.read_bytes().decode() == after


@pytest.mark.parametrize("budget", [200, 300, 500])
def test_a_section_keeps_to_its_budget(memory: ProjectMemory, tmp_path: Path, budget: int) -> None:
    for number in range(12):
        words = f"lesson {number} " + " ".join(f"word{number}x{place}" for place in range(12))
        memory.create(draft(id=f"long-{number}", description=words, pitfalls=[words]))
    path = tmp_path / "AGENTS.md"
    memory.export_section(path, budget=budget)
    assert budget / 2 < documents.tokens(path.read_text(encoding="utf-8")) <= budget


def test_text_cannot_close_the_section_or_hide_in_it(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.create(draft(id="sly", description=f"a lesson that ends {END} and <!-- hides this"))
    path = tmp_path / "AGENTS.md"
    memory.export_section(path, budget=1000)
    text = path.read_text(encoding="utf-8")
    assert (text.count(BEGIN), text.count(END), text.count("<!--")) == (1, 1, 2)
    assert memory.export_section(path, budget=1000).files_changed == 0


def test_an_import_does_not_take_our_own_section_for_lessons(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Mine\n\n- a rule of mine\n")
    memory.export_section(path, budget=1000)
    report = memory.import_path(path)
    assert [each.original for each in report.items] == ["Mine"]


def test_what_a_section_cannot_go_into_is_told(memory: ProjectMemory, tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    with pytest.raises(InvalidInput) as error:
        memory.export_section(path, budget=199)
    assert str(error.value) == "budget 199 is below 200; a section needs 200 tokens"
    for broken in (BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"):
        path.write_text(broken)
        with pytest.raises(Conflict) as conflict:
            memory.export_section(path, budget=500)
        assert str(conflict.value) == (
            f"the markers of the lessons in '{path}' are not one pair; remove what is between "
            "them and both, and export again"
        )
        assert path.read_text() == broken
    path.write_bytes(b"caf\xe9")
    with pytest.raises(InvalidInput) as error:
        memory.export_section(path, budget=500)
    assert str(error.value) == f"'{path}' is not UTF-8; save it as UTF-8"
    (tmp_path / "CLAUDE.md").symlink_to(path)
    with pytest.raises(InvalidInput) as error:
        memory.export_section(tmp_path / "CLAUDE.md", budget=500)
    assert str(error.value) == (
        f"'{tmp_path}/CLAUDE.md' is a symbolic link; name the file that it leads to"
    )


def test_no_pipe_is_waited_for(memory: ProjectMemory, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for export in (memory.export_graph, lambda path: memory.export_section(path, budget=500)):
        with pytest.raises(InvalidInput) as error:
            export(path)
        assert str(error.value) == f"'{path}' is no regular file; name another"
    with pytest.raises(Conflict) as conflict:
        memory.export_file(path)
    assert str(conflict.value) == (
        f"'{path}' is there already and no export; name another file, or write over it "
        "(--overwrite)"
    )


def test_a_place_that_cannot_be_written_is_told(memory: ProjectMemory, tmp_path: Path) -> None:
    for export in (
        memory.export_graph,
        lambda path: memory.export_section(path, budget=500),
        lambda path: memory.export_file(path, in_lines=True),
    ):
        with pytest.raises(StorageError) as error:
            export(tmp_path / "gone" / "AGENTS.md")
        assert str(error.value).startswith("cannot write '")
        assert str(error.value).endswith("(No such file or directory)")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StorageError) as error:
        memory.export_section(tmp_path / "folder", budget=500)
    assert str(error.value) == f"cannot read '{tmp_path}/folder' (Is a directory)"
