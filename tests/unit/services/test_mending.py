"""What is mended in a directory, what is left alone, and that a second run has nothing to do."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import networkx
import pytest
from factories import KINDS, document
from hypothesis import given
from hypothesis import strategies as st

from project_memory import documents
from project_memory.app import validate_directory
from project_memory.errors import Conflict, InvalidInput
from project_memory.exchange import rewriting
from project_memory.services import mending
from project_memory.services.mending import MendReport

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REASON = "both were met in the same outage"
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def write(folder: Path, **files: Any) -> Path:
    """Write files below memories/ in canonical form, or as the text that is given."""
    for name, value in files.items():
        place = folder / "memories" / f"{name.replace('_', '-')}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else documents.to_text(value)
        place.write_text(text, encoding="utf-8", newline="")
    return folder


def registry(folder: Path, **labels: dict[str, Any]) -> None:
    named = {name.replace("_", ":"): entry for name, entry in labels.items()}
    value = {"schema_version": 1, "labels": named}
    (folder / "labels.json").write_text(documents.to_text(value))


def mend(folder: Path) -> MendReport:
    """Mend a directory, after a dry run that must foretell it, before a second that must rest."""
    before = contents(folder)
    told = mending.mend(folder, dry_run=True, clock=lambda: NOW)
    assert contents(folder) == before
    report = mending.mend(folder, clock=lambda: NOW)
    assert (told.mended, told.problems, told.dry_run) == (report.mended, report.problems, True)
    after = contents(folder)
    again = mending.mend(folder, clock=lambda: NOW)
    assert (again.mended, contents(folder)) == ((), after)
    assert again.problems == report.problems == validate_directory(folder).problems
    return report


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return name -> (content, time of the last change) of every file."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def said(report: MendReport) -> dict[str, tuple[str, ...]]:
    return {mended.file.removeprefix("memories/"): mended.changes for mended in report.mended}


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / "memories" / f"{name}.json").read_text("utf-8"))


def test_a_canonical_directory_is_left_alone_byte_for_byte(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document())
    registry(tmp_path, kind_bug={})
    before = contents(tmp_path)
    assert mend(tmp_path).mended == ()
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(document()),
        documents.to_text(document()).replace("\n", "\r\n"),
        "\ufeff" + documents.to_text(document()),
        documents.to_text(dict(reversed(document().items()))),
        documents.to_text(document()).rstrip(),
        json.dumps(document(), indent=2).replace("SQLite", "\\u0053QLite") + "\n",
    ],
)
def test_a_document_is_put_into_canonical_form(tmp_path: Path, text: str) -> None:
    write(tmp_path, sqlite_locked=text)
    assert said(mend(tmp_path)) == {"sqlite-locked.json": ("put into canonical form",)}
    mended = (tmp_path / "memories/sqlite-locked.json").read_bytes()
    assert mended == documents.to_text(document()).encode()


def test_only_what_needs_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document(), other=json.dumps(document(id="other")))
    before = contents(tmp_path)["memories/sqlite-locked.json"]
    assert list(said(mend(tmp_path))) == ["other.json"]
    assert contents(tmp_path)["memories/sqlite-locked.json"] == before


def test_labels_are_named_as_the_registry_does_once_and_in_order(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document(labels=["kind:defect", "area:lake", "kind:bug",
                                                   "area:lake"]))  # fmt: skip
    registry(tmp_path, area_lake={}, kind_bug={"aliases": ["kind:defect"]})
    report = mend(tmp_path)
    assert said(report) == {
        "sqlite-locked.json": (
            "label 'kind:defect' is an alias; written 'kind:bug'",
            "label 'area:lake' was given twice; kept once",
        )
    }
    assert read(tmp_path, "sqlite-locked")["labels"] == ["area:lake", "kind:bug"]
    assert report.problems == ()


def test_aliases_of_a_broken_registry_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document(labels=["kind:defect"]))
    registry(
        tmp_path, kind_bug={"aliases": ["kind:defect"]}, kind_flaw={"aliases": ["kind:defect"]}
    )
    before = contents(tmp_path)
    assert mend(tmp_path).mended == ()
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("kind", "back", "held", "mirror"),
    [
        ("related", "related", {"id": "other", "reason": REASON},
         {"id": "sqlite-locked", "reason": REASON}),
        ("depends_on", "required_by", {"id": "other"}, {"id": "sqlite-locked"}),
        ("specializes", "generalizes", {"id": "other", "reason": "it is one"},
         {"id": "sqlite-locked", "reason": "it is one"}),
        ("superseded_by", "supersedes", "other", "sqlite-locked"),
    ],
)  # fmt: skip
def test_a_link_gets_the_side_it_lacks(
    tmp_path: Path, kind: str, back: str, held: Any, mirror: Any
) -> None:
    status = "superseded" if kind == "superseded_by" else "active"
    write(
        tmp_path,
        sqlite_locked=document(status=status, relationships={kind: [held]}),
        other=document(id="other"),
    )
    report = mend(tmp_path)
    assert said(report) == {"other.json": (f"{back} 'sqlite-locked' was missing; added",)}
    assert read(tmp_path, "other") == document(id="other", relationships={back: [mirror]})
    assert report.problems == ()


@pytest.mark.parametrize("status", ["active", "stale", "wrong"])
def test_what_is_superseded_shows_it_and_keeps_its_own_status(tmp_path: Path, status: str) -> None:
    write(
        tmp_path,
        newer=document(id="newer", relationships={"supersedes": ["older"]}),
        older=document(id="older", status=status),
    )
    report = mend(tmp_path)
    assert said(report)["older.json"] == (
        "superseded_by 'newer' was missing; added",
        f"status '{status}' became 'superseded'",
    )
    assert read(tmp_path, "older")["status"] == "superseded"
    assert report.problems == ()
    if status == "active":
        assert list(said(report)) == ["older.json"]
    else:
        assert said(report)["meta.json"] == ("own_status of 'older' kept",)
        meta = json.loads((tmp_path / "meta.json").read_text())
        assert meta == {"memories": {"older": {"own_status": status}}}


def test_a_status_is_left_where_nothing_could_keep_the_own_one(tmp_path: Path) -> None:
    write(
        tmp_path,
        newer=document(id="newer", relationships={"supersedes": ["older"]}),
        older=document(id="older", status="wrong"),
    )
    (tmp_path / "meta.json").write_text("{")
    report = mend(tmp_path)
    assert said(report) == {"older.json": ("superseded_by 'newer' was missing; added",)}
    assert [p.code for p in report.problems] == ["superseded-not-shown", "bad-json"]
    assert (tmp_path / "meta.json").read_text() == "{"


def test_a_link_given_twice_in_the_same_words_is_kept_once(tmp_path: Path) -> None:
    twice = [{"id": "other", "reason": REASON}] * 2
    once = [{"id": "sqlite-locked", "reason": REASON}]
    write(
        tmp_path,
        sqlite_locked=document(relationships={"related": twice}),
        other=document(id="other", relationships={"related": once}),
    )
    report = mend(tmp_path)
    assert said(report) == {"sqlite-locked.json": ("related 'other' was given twice; kept once",)}
    assert report.problems == ()


def test_a_file_gets_the_name_of_its_document(tmp_path: Path) -> None:
    write(tmp_path, wrong_name=document())
    report = mend(tmp_path)
    assert said(report) == {"sqlite-locked.json": ("renamed from 'memories/wrong-name.json'",)}
    assert list(contents(tmp_path)) == ["memories/sqlite-locked.json"]
    assert report.problems == ()


def test_names_are_put_right_in_a_row_and_links_after_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        aaa=document(id="bbb", relationships={"depends_on": [{"id": "ccc"}]}),
        bbb=json.dumps(document(id="ccc")),
    )
    report = mend(tmp_path)
    assert said(report) == {
        "bbb.json": ("renamed from 'memories/aaa.json'",),
        "ccc.json": ("renamed from 'memories/bbb.json'", "required_by 'bbb' was missing; added"),
    }
    assert list(contents(tmp_path)) == ["memories/bbb.json", "memories/ccc.json"]
    assert report.problems == ()


def test_an_ending_in_capitals_is_put_right(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document())
    (tmp_path / "memories/sqlite-locked.json").rename(tmp_path / "memories/sqlite-locked.JSON")
    assert said(mend(tmp_path)) == {
        "sqlite-locked.json": ("renamed from 'memories/sqlite-locked.JSON'",)
    }


def test_the_files_beside_the_documents_are_put_into_canonical_form(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=document())
    labels = {"labels": {"kind:bug": {"aliases": ["kind:b", "kind:a"]}}, "schema_version": 1}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    (tmp_path / "meta.json").write_text('{"memories": {"sqlite-locked": {"pinned": true}}}')
    assert said(mend(tmp_path)) == {
        "labels.json": ("put into canonical form",),
        "meta.json": ("put into canonical form",),
    }
    assert json.loads((tmp_path / "labels.json").read_text()) == {
        "schema_version": 1,
        "labels": {"kind:bug": {"aliases": ["kind:a", "kind:b"]}},
    }


def test_what_an_older_tool_wrote_is_brought_into_form(tmp_path: Path) -> None:
    older = document(
        labels=["status:open"], tags=["", "x "], scope={"project": "d", "files": ["a\\b"]}
    )
    write(tmp_path, sqlite_locked=older)
    assert said(mend(tmp_path)) == {
        "sqlite-locked.json": (
            "blanks around text were taken off",
            "label 'status:open' has a reserved prefix; taken as 'xstatus:open'",
            "a blank entry of tags was left out",
            "path 'a\\b' was written with backslashes; turned",
        )
    }


LEFT_ALONE = {
    "an error": {"sqlite_locked": json.dumps(document(status="new"))},
    "a secret": {"sqlite_locked": json.dumps(document(pitfalls=[TOKEN]))},
    "no JSON": {"sqlite_locked": '{"id": '},
    "a merge": {"sqlite_locked": "<<<<<<< ours\n{}\n"},
    "a duplicate": {"sqlite_locked": document(), "twin": document()},
    "a case twin": {"sqlite_locked": document(), "twin": document(id="SQLITE-LOCKED")},
    "an id that two misnamed files have": {"one": document(), "two": document()},
    "a swap": {"one": document(id="two"), "two": document(id="one")},
    "a self-link": {"sqlite_locked": document(
        relationships={"depends_on": [{"id": "sqlite-locked"}]})},
    "a dangling link": {"sqlite_locked": document(relationships={"depends_on": [{"id": "gone"}]})},
    "a circle": {
        "one": document(id="one", relationships={"depends_on": [{"id": "two"}]}),
        "two": document(id="two", relationships={"depends_on": [{"id": "one"}]}),
    },
    "a circle told from behind": {
        "one": document(id="one", relationships={"superseded_by": ["two"]}),
        "two": document(id="two", relationships={"superseded_by": ["one"]}),
    },
    "two reasons": {"sqlite_locked": document(relationships={"causes": [
        {"id": "other", "reason": "one"}, {"id": "other", "reason": "two"}]}),
        "other": document(id="other", relationships={"caused_by": [{"id": "sqlite-locked"}]})},
    "a successor that is gone": {"sqlite_locked": document(status="superseded")},
    "an unknown label": {"sqlite_locked": document(labels=["kind:bugs"])},
    "a link to a broken document": {
        "sqlite_locked": document(relationships={"depends_on": [{"id": "other"}]}),
        "other": document(id="other", status="new"),
    },
}  # fmt: skip


@pytest.mark.parametrize("files", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_what_has_no_one_right_answer_is_left_alone(tmp_path: Path, files: dict[str, Any]) -> None:
    write(tmp_path, **files)
    if "sqlite_locked" in files and "kind:bugs" in str(files):
        registry(tmp_path, kind_bug={})
    before = contents(tmp_path)
    report = mend(tmp_path)
    assert report.mended == ()
    assert contents(tmp_path) == before
    assert not report.ok


def test_a_mirror_that_would_make_a_document_too_large_is_left_out(tmp_path: Path) -> None:
    fact = "x" * 3900
    full = document(id="other", remembered_facts=[f"{n} {fact}" for n in range(16)])
    room = 65536 - len(json.dumps(full, separators=(",", ":")).encode())
    full["pitfalls"] = ["y" * (room - 10)]
    write(
        tmp_path,
        sqlite_locked=document(relationships={"related": [{"id": "other", "reason": REASON}]}),
        other=full,
    )
    report = mend(tmp_path)
    assert report.mended == ()
    assert [p.code for p in report.problems if p.severity == "error"] == ["missing-mirror"]


@pytest.mark.parametrize("name", ["sqlite-locked", "misnamed"])
def test_a_link_to_a_file_is_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path / "elsewhere", sqlite_locked=json.dumps(document()))
    (tmp_path / "store/memories").mkdir(parents=True)
    target = tmp_path / "elsewhere/memories/sqlite-locked.json"
    link = tmp_path / f"store/memories/{name}.json"
    link.symlink_to(target)
    assert mend(tmp_path / "store").mended == ()
    assert link.is_symlink()


def test_what_a_linked_folder_leads_to_is_left_alone(tmp_path: Path) -> None:
    misnamed = write(tmp_path / "elsewhere", misnamed=json.dumps(document())) / "memories"
    (tmp_path / "store").mkdir()
    (tmp_path / "store/memories").symlink_to(misnamed)
    before = contents(misnamed)
    assert mend(tmp_path / "store").mended == ()
    assert contents(misnamed) == before


def test_a_folder_that_is_called_by_a_link_is_mended(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", misnamed=json.dumps(document()))
    (tmp_path / "store").symlink_to(tmp_path / "elsewhere")
    assert list(said(mend(tmp_path / "store"))) == ["sqlite-locked.json"]


def test_a_plain_folder_of_documents_is_mended_too(tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text(json.dumps(document()))
    assert said(mend(tmp_path)) == {
        "sqlite-locked.json": ("renamed from 'wrong.json'", "put into canonical form")
    }


def test_a_name_that_the_folder_needs_for_itself_is_not_given(tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text(documents.to_text(document(id="labels")))
    assert mend(tmp_path).mended == ()


def test_files_keep_their_mode(tmp_path: Path) -> None:
    write(tmp_path, sqlite_locked=json.dumps(document()))
    path = tmp_path / "memories/sqlite-locked.json"
    path.chmod(0o640)
    mend(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o640


def _has_circle(links: set[tuple[str, str, str]]) -> bool:
    """Return whether links of one pair of kinds lead back to where they began."""
    graphs: dict[str, networkx.DiGraph[str]] = {}
    for source, kind, target in links:
        for one, other in (("supersedes", "superseded_by"), ("depends_on", "required_by"),
                           ("generalizes", "specializes")):  # fmt: skip
            ends = {one: (source, target), other: (target, source)}.get(kind)
            if ends:
                graphs.setdefault(one, networkx.DiGraph()).add_edge(*ends)
    selves = any(source == target for source, _, target in links)
    return selves or not all(map(networkx.is_directed_acyclic_graph, graphs.values()))


IDS = ("aaa", "bbb", "ccc", "ddd")
LINKS = st.tuples(st.sampled_from(IDS), st.sampled_from(KINDS), st.sampled_from(IDS))


@given(st.sets(LINKS, max_size=6), st.lists(st.sampled_from(["active", "stale", "wrong"]),
                                           min_size=4, max_size=4))  # fmt: skip
def test_whatever_links_are_given_mending_ends_and_no_lesson_changes(
    links: set[tuple[str, str, str]], statuses: list[str]
) -> None:
    held: dict[str, dict[str, list[Any]]] = {name: {} for name in IDS}
    for source, kind, target in sorted(links):
        plain = kind in {"supersedes", "superseded_by"}
        item = target if plain else {"id": target, "reason": REASON}
        held[source].setdefault(kind, []).append(item)
    before = {
        name: document(id=name, status=status, relationships=held[name])
        for name, status in zip(IDS, statuses, strict=True)
    }
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name), **before)
        report = mend(folder)
        after = {each: read(folder, each) for each in IDS}
    derived = {"status", "relationships"}
    for each in IDS:
        assert {k: v for k, v in after[each].items() if k not in derived} == {
            k: v for k, v in before[each].items() if k not in derived
        }
        for kind in KINDS:  # nothing is taken away
            assert all(item in after[each]["relationships"][kind]
                       for item in before[each]["relationships"][kind])  # fmt: skip
    codes = {problem.code for problem in report.problems}
    assert report.ok or codes & {"cycle", "self-link", "missing-mirror"}
    if not _has_circle(links):
        assert report.ok, report.problems


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        mending.mend(tmp_path / "absent")
    assert str(caught.value) == (
        f"'{tmp_path}/absent' is no folder, and only a folder is mended; name one that "
        "`project-memory export` wrote"
    )


def test_a_file_that_another_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("theirs")
    with pytest.raises(Conflict) as caught:
        rewriting.rewrite(tmp_path, {"a.json": b"read"}, {"a.json": b"ours"}, {})
    assert str(caught.value) == (
        "'a.json' was changed meanwhile; nothing was mended, run the command again"
    )
    assert (tmp_path / "a.json").read_text() == "theirs"


def test_a_name_that_another_took_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("read")
    (tmp_path / "b.json").write_text("theirs")
    with pytest.raises(Conflict) as caught:
        rewriting.rewrite(tmp_path, {"a.json": b"read"}, {"b.json": b"read"}, {"b.json": "a.json"})
    assert str(caught.value) == "'b.json' came to be meanwhile; run the command again"
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "a.json": "read", "b.json": "theirs"
    }  # fmt: skip


def test_what_was_interrupted_is_finished_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, one=json.dumps(document(id="one")), two=json.dumps(document(id="two")))
    with monkeypatch.context() as patch:
        patch.setattr(
            "project_memory.exchange.writing.replace",
            lambda path, content, mode: path.write_text(content) if "one" in path.name else 1 / 0,
        )
        with pytest.raises(ZeroDivisionError):
            mending.mend(tmp_path)
    assert said(mend(tmp_path)) == {"two.json": ("put into canonical form",)}
