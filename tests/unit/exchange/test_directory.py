"""The directory form: what is written, what is read, and what is said of a broken one."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from factories import document, memory

from project_memory import documents, exchange
from project_memory.errors import NotFound, StorageError, StoreUnreadable
from project_memory.exchange import directory
from project_memory.model import Label, Registry, Severity, Status

REGISTRY = Registry(
    {"kind:bug": Label("kind:bug", "a defect", ("kind:defect",))}, frozenset({"kind"})
)

NOBODY = 65534


def write(folder: Path, *held: dict[str, Any], into: str = "memories") -> Path:
    (folder / into).mkdir(parents=True, exist_ok=True)
    for each in held:
        (folder / into / f"{each['id']}.json").write_text(documents.to_text(each), "utf-8")
    return folder


def said(folder: Path) -> list[str]:
    return [
        f"{p.file}:{p.line} {p.path}: {p.message} [{p.code}]"
        for p in exchange.read(folder).problems
    ]


# -- writing -------------------------------------------------------------------------------------


def test_a_project_is_written_in_canonical_form(tmp_path: Path) -> None:
    held = [
        memory(1, id="first", pinned=True),
        memory(2, id="second", archived_at="2026-01-31T09:30:00Z"),
        memory(3, id="third", status="superseded", own_status=Status.STALE),
    ]
    assert directory.write(tmp_path, held, REGISTRY) == (3, 5)
    assert {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.json")} == {
        *("memories/first.json", "memories/third.json", "archive/second.json"),
        *("labels.json", "meta.json"),
    }
    first = (tmp_path / "memories" / "first.json").read_bytes()
    assert first == (json.dumps(document(id="first"), indent=2) + "\n").encode()
    assert (tmp_path / "meta.json").read_text() == (
        '{\n  "memories": {\n    "first": {\n      "pinned": true\n    },\n'
        '    "third": {\n      "own_status": "stale"\n    }\n  }\n}\n'
    )
    assert (tmp_path / "labels.json").read_text() == (
        '{\n  "schema_version": 1,\n  "labels": {\n    "kind:bug": {\n'
        '      "description": "a defect",\n      "aliases": [\n        "kind:defect"\n'
        '      ]\n    }\n  },\n  "prefixes": {\n    "kind": {\n      "single": true\n'
        "    }\n  }\n}\n"
    )


def test_what_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    directory.write(tmp_path, [memory(1, id="first"), memory(2, id="second")], REGISTRY)
    changed = memory(2, id="second", tags=["x"])
    assert directory.write(tmp_path, [memory(1, id="first"), changed], REGISTRY) == (2, 1)


def test_other_files_are_left_alone_but_a_former_place_is_cleared(tmp_path: Path) -> None:
    directory.write(tmp_path, [memory(1, id="first")], REGISTRY)
    (tmp_path / "memories" / "README.md").write_text("ours")
    (tmp_path / "memories" / "other.json").write_text("{}")
    archived = memory(1, id="first", archived_at="2026-01-31T09:30:00Z")
    directory.write(tmp_path, [archived], REGISTRY)
    assert sorted(p.name for p in (tmp_path / "memories").iterdir()) == ["README.md", "other.json"]
    assert [p.name for p in (tmp_path / "archive").iterdir()] == ["first.json"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "memories").write_text("no folder")
    with pytest.raises(StorageError) as caught:
        directory.write(tmp_path, [memory(1, id="first")], REGISTRY)
    assert str(caught.value) == f"cannot write '{tmp_path}/memories' (File exists)"


def test_a_failed_write_leaves_no_half_file(tmp_path: Path) -> None:
    (tmp_path / "memories" / "first.json").mkdir(parents=True)
    with pytest.raises(StorageError):
        directory.write(tmp_path, [memory(1, id="first")], REGISTRY)
    assert [p.name for p in (tmp_path / "memories").iterdir()] == ["first.json"]


# -- reading -------------------------------------------------------------------------------------


def test_what_was_written_is_read(tmp_path: Path) -> None:
    held = [
        memory(1, id="first", pinned=True),
        memory(2, id="second", archived_at="2026-01-31T09:30:00Z"),
        memory(3, id="third", status="superseded", own_status=Status.STALE),
    ]
    directory.write(tmp_path, held, REGISTRY)
    package = exchange.read(tmp_path)
    assert [
        (m.document, m.file, m.archived, m.own_status, m.pinned, m.sound) for m in package.memories
    ] == [
        (document(id="first"), "memories/first.json", False, None, True, True),
        (document(id="second"), "archive/second.json", True, None, False, True),
        (
            document(id="third", status="superseded"),
            "memories/third.json", False, Status.STALE, False, True,
        ),
    ]  # fmt: skip
    assert package.registry == REGISTRY
    assert (package.problems, package.repairs) == ((), ())


def test_a_plain_folder_of_documents_counts_as_memories(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"), into=".")
    (tmp_path / "labels.json").write_text('{"schema_version": 1, "labels": {}}')
    (found,) = exchange.read(tmp_path).memories
    assert (found.file, found.archived) == ("first.json", False)


def test_conflict_twins_hidden_and_other_files_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"))
    for name in ("first.conflict.json", ".first.json", "notes.txt"):
        (tmp_path / "memories" / name).write_text("nothing to read")
    package = exchange.read(tmp_path)
    assert ([m.file for m in package.memories], package.problems) == (["memories/first.json"], ())


def test_nothing_at_a_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        exchange.read(tmp_path / "ab\udcff")
    assert str(caught.value) == (
        f"nothing at '{tmp_path}/ab\\udcff'; name a directory of memories or an export file"
    )


def test_a_folder_that_is_none_is_an_error_and_not_empty(tmp_path: Path) -> None:
    (tmp_path / "memories").symlink_to("memories")
    with pytest.raises(StoreUnreadable) as caught:
        exchange.read(tmp_path)
    assert str(caught.value) == (
        f"cannot read '{tmp_path}/memories' (Too many levels of symbolic links); "
        "nothing was taken from it"
    )


@contextmanager
def as_nobody() -> Iterator[None]:
    """Drop root's right to read everything for a while; others have no such right to drop."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_without_permission_is_an_error_and_not_empty() -> None:
    # pytest's own temporary folders are closed to others
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "memories").mkdir(mode=0)
        with as_nobody(), pytest.raises(StoreUnreadable) as caught:
            exchange.read(folder)
        assert str(caught.value) == (
            f"cannot read '{folder}/memories' (Permission denied); nothing was taken from it"
        )
        (folder / "memories").chmod(0o700)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", ":1 $: empty [bad-json]"),
        (b" \n", ":2 $: empty [bad-json]"),
        (b"[]", ":1 $: a document is a JSON object [not-an-object]"),
        (b"null", ":1 $: a document is a JSON object [not-an-object]"),
        (b'{"a": 1, "a": 2}', ":1 $: key 'a' is given twice [duplicate-key]"),
        (b'\xef\xbb\xbf{"id"', ":1 $: not JSON: Expecting ':' delimiter at column 6 [bad-json]"),
        (b"\xff{}", ":1 $: the file is not UTF-8 [not-utf8]"),
        (b'{"id": "a\0b"}', ":1 $: not JSON: Invalid control character at at column 10 "
                            "[bad-json]"),
        (b"[" * 2_000_000, ":1 $: nested too deep to be a document [too-deep]"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_document_is_named(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    write(tmp_path)
    (tmp_path / "memories" / "broken.json").write_bytes(content)
    assert said(tmp_path) == [f"memories/broken.json{problem}"]
    assert exchange.read(tmp_path).unread == {"broken"}


def test_ids_twice_names_that_differ_and_case_twins_are_named(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"), document(id="second"), document(id="Second"))
    write(tmp_path, document(id="first"), into="archive")
    (tmp_path / "memories" / "other.json").write_text(documents.to_text(document(id="third")))
    assert said(tmp_path) == [
        "memories/other.json:3 $.id: the file is named 'other', its id is 'third' [name-mismatch]",
        "memories/first.json:3 $.id: id 'first' is also in 'archive/first.json' [duplicate-id]",
        "memories/Second.json:3 $.id: id 'Second' differs only in case from 'second' [case-twin]",
    ]


def test_an_ending_in_capitals_is_a_wrong_name(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"))
    (tmp_path / "memories" / "first.json").rename(tmp_path / "memories" / "first.JSON")
    assert said(tmp_path) == [
        "memories/first.JSON:3 $.id: the file is named 'first.JSON', its id is 'first' "
        "[name-mismatch]"
    ]


def test_a_registry_that_is_a_link_to_nowhere_is_an_error_and_not_absent(tmp_path: Path) -> None:
    (tmp_path / "labels.json").symlink_to("gone.json")
    with pytest.raises(StoreUnreadable) as caught:
        exchange.read(tmp_path)
    assert str(caught.value) == (
        f"cannot read '{tmp_path}/labels.json' (No such file or directory); "
        "nothing was taken from it"
    )


def test_a_name_that_windows_keeps_for_itself_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path, document(id="con"), document(id="com1"), document(id="console"))
    problems = exchange.read(tmp_path).problems
    assert [(p.memory, p.severity) for p in problems] == [
        ("com1", Severity.WARNING), ("con", Severity.WARNING)
    ]  # fmt: skip
    assert problems[1].message == "id 'con' is no file name on Windows"


def test_a_file_name_that_is_not_text_is_named_in_printable_form(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"))
    os.rename(  # noqa: PTH104  # a name of bytes
        bytes(tmp_path / "memories" / "first.json"),
        bytes(tmp_path / "memories") + b"/a\xff\n.json",
    )
    assert said(tmp_path) == [
        "memories/a\\udcff\\n.json:3 $.id: the file is named 'a\\udcff\\n', its id is 'first' "
        "[name-mismatch]"
    ]


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    write(tmp_path, document(id="first"))
    (tmp_path / "memories" / "second.json").mkdir()
    assert said(tmp_path) == ["memories/second.json:None $: no regular file [not-a-file]"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("null", ":1 $: null is not of type object [schema-type]"),
        ("[]", ":1 $: [] is not of type object [schema-type]"),
        ("{}", ":1 $: 'schema_version' and 'labels' are missing [schema-required]"),
        (
            '{"schema_version": 1,\n"labels": {"Bad": {}}}',
            ":2 $.labels: 'Bad' is no label of the form prefix:kebab-case [schema-pattern]",
        ),
        (
            '{"schema_version": 1, "labels": {\n"a:b": {"descripton": "x"}}}',
            ":2 $.labels.a:b.descripton: unknown field 'descripton' [unknown-field]",
        ),
        (
            '{"schema_version": 1, "labels": {\n"a:b": {"description": "\\ud800"}}}',
            ":2 $.labels.a:b.description: half of a surrogate pair is no character "
            "[lone-surrogate]",
        ),
        (
            '{"schema_version": 1, "labels": {\n"a:b": {"broader": "a:c"}}}',
            ":2 $.labels.a:b: broader label 'a:c' of 'a:b' is not registered; add it first "
            "[bad-label]",
        ),
    ],
)
def test_a_broken_registry_is_named(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "labels.json").write_text(content)
    assert said(tmp_path) == [f"labels.json{problem}"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("nonsense", ":1 $: not JSON: Expecting value at column 1 [bad-json]"),
        ("{}", ":1 $: 'memories' is missing [schema-required]"),
        (
            '{"memories": {\n"first": {"own_status": "superseded"}}}',
            ":2 $.memories.first.own_status: 'superseded' is not one of 'active', 'stale', "
            "'wrong' [schema-enum]",
        ),
        (
            '{"memories": {\n"first": {"pinned": "yes"}}}',
            ":2 $.memories.first.pinned: 'yes' is not of type boolean [schema-type]",
        ),
        (
            '{"memories": {\n"gone": {"pinned": true}}}',
            ":2 $.memories.gone: there is no memory 'gone' [bad-meta]",
        ),
    ],
)
def test_a_broken_meta_file_is_named(tmp_path: Path, content: str, problem: str) -> None:
    write(tmp_path, document(id="first"))
    (tmp_path / "meta.json").write_text(content)
    assert said(tmp_path) == [f"meta.json{problem}"]


def test_a_reserved_prefix_in_an_older_registry_is_mapped(tmp_path: Path) -> None:
    registry = {
        "schema_version": 1,
        "labels": {
            "tag:a": {"description": "old", "aliases": ["id:b"]},
            "x:y": {"broader": "tag:a"},
        },
    }
    (tmp_path / "labels.json").write_text(json.dumps(registry))
    package = exchange.read(tmp_path)
    assert package.problems == ()
    assert dict(package.registry.labels) == {
        "xtag:a": Label("xtag:a", "old", ("xid:b",)),
        "x:y": Label("x:y", broader="xtag:a"),
    }
    assert package.repairs == ("label 'tag:a' has a reserved prefix; taken as 'xtag:a'",)
