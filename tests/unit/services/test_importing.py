"""Round trips through directories and single files, and what imports of older documents repair."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import document, draft

from project_memory import documents
from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import (
    InvalidDocument,
    NotFound,
    SecretFound,
    StoreUnreadable,
    UnknownLabel,
)
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REASON = "both fail when two writers meet"
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def opened(actor: Actor = ADA) -> ProjectMemory:
    return ProjectMemory.open(
        "inmemory://", project="demo", actor=actor, create=True, clock=lambda: NOW
    )


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with opened() as project:
        yield project


@pytest.fixture
def full(memory: ProjectMemory, tmp_path_factory: pytest.TempPathFactory) -> ProjectMemory:
    """A project with every kind of thing that an export has to carry."""
    named = {"description": "paying", "aliases": ["area:payment"]}
    memory.import_path(write(tmp_path_factory.mktemp("labels"), labels={"area:checkout": named}))
    for name in ("first", "second", "third", "fourth", "fifth"):
        memory.create(
            draft(
                id=name,
                description=f"the lesson that is called {name}: naïve “Straße” 東京",
                labels=["kind:bug", "area:checkout"],
                remembered_facts=[
                    {"fact": "a pool of one", "status": "verified", "verified_at": "2026-01-31",
                     "source": "the log"},
                ],
                checks=[{"type": "file_exists", "path": "src/*.py"}],
            )
        )  # fmt: skip
    memory.link("first", "related", "second", link_reason=REASON)
    memory.link("third", "depends_on", "first")
    memory.update("second", {"pitfalls": ["beware of the second"], "standing": True})
    memory.set_status("second", "stale", reason="the pool is gone")
    memory.link("fourth", "supersedes", "second")
    memory.pin("third")
    memory.archive("fifth")
    return memory


def contents(memory: ProjectMemory) -> dict[str, str]:
    """Return id -> document as text, archived ones too."""
    with memory._storage.read() as reader:
        project = reader.project("demo")
        return {
            stored.id: documents.to_text(stored.document)
            for stored in reader.memories(project.key)
        }


def beside(memory: ProjectMemory, *names: str) -> dict[str, tuple[Any, ...]]:
    with memory._storage.read() as reader:
        project = reader.project("demo")
        return {
            stored.id: tuple(getattr(stored, name) for name in names)
            for stored in reader.memories(project.key)
        }


def registry(memory: ProjectMemory) -> Any:
    with memory._storage.read() as reader:
        return reader.registry(reader.project("demo").key)


def revision(memory: ProjectMemory) -> int:
    with memory._storage.read() as reader:
        return reader.project("demo").revision


def write(folder: Path, *held: dict[str, Any], labels: dict[str, Any] | None = None) -> Path:
    (folder / "memories").mkdir(parents=True, exist_ok=True)
    for each in held:
        text = json.dumps(each, ensure_ascii=False, indent=2)
        (folder / "memories" / f"{each['id']}.json").write_text(text, encoding="utf-8")
    if labels is not None:
        value = {"schema_version": 1, "labels": labels}
        (folder / "labels.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def old(name: str, **fields: Any) -> dict[str, Any]:
    """Return a document of the older tools: 13 fields, only text in them."""
    return {
        "schema_version": 1,
        "id": name,
        "status": "active",
        "description": f"An older lesson, called {name}, of the build",
        "labels": ["kind:bug", "context:build"],
        "tags": ["bReplicates", "kMaxNodes"],
        "scope": {"project": "demo", "area": "build", "files": ["src/a.py"], "applies_to": []},
        "triggers": [],
        "remembered_facts": ["the flag is read once"],
        "solution_pattern": [],
        "pitfalls": [],
        "evidence": {"created_from_task": "an older task", "last_validated": "2024-05-01"},
        "relationships": {"related": [], "supersedes": [], "superseded_by": []},
        **fields,
    }


# -- round trips ---------------------------------------------------------------------------------


def test_a_directory_brings_everything_but_authority_and_history(
    full: ProjectMemory, tmp_path: Path
) -> None:
    full.export_directory(tmp_path)
    with opened() as other:
        report = other.import_path(tmp_path)
        assert contents(other) == contents(full)
        assert registry(other) == registry(full)
        names = ("own_status", "pinned", "archived")
        assert beside(other, *names) == beside(full, *names)
        assert report.repairs == ()
        assert report.created == ("fifth", "first", "fourth", "second", "third")


def test_a_single_file_brings_everything(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_file(tmp_path / "all.json")
    names = (
        *("own_status", "version", "links_version", "created_at", "updated_at", "author"),
        *("asserted_by", "archived_at", "pinned", "tier", "declared"),
    )
    with opened() as other:
        other.import_path(tmp_path / "all.json")
        assert contents(other) == contents(full)
        assert registry(other) == registry(full)
        assert beside(other, *names) == beside(full, *names)


def test_a_single_file_brings_the_history(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_file(tmp_path / "all.json")
    with opened() as other:
        other.import_path(tmp_path / "all.json")
        there = [(r.operation, r.actor, r.reason) for r in full.history().revisions]
        here = [(r.operation, r.actor, r.reason) for r in other.history().revisions]
        assert here[0][0] == "import"
        assert here[1 : len(there) + 1] == there
        assert other.get("second", version=1).memory == full.get("second", version=1).memory


def test_a_single_file_without_history_brings_none(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_file(tmp_path / "all.json", with_history=False)
    assert json.loads((tmp_path / "all.json").read_text("utf-8"))["history"] == []
    with opened() as other:
        other.import_path(tmp_path / "all.json")
        assert contents(other) == contents(full)


def test_what_was_imported_is_exported_byte_for_byte(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_directory(tmp_path / "one")
    with opened() as other:
        other.import_path(tmp_path / "one")
        other.export_directory(tmp_path / "two")
    one, two = (
        {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.json")}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two
    assert sorted(one) == [
        "archive/fifth.json",
        "labels.json",
        "memories/first.json",
        "memories/fourth.json",
        "memories/second.json",
        "memories/third.json",
        "meta.json",
    ]


def test_a_second_import_changes_nothing(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_directory(tmp_path)
    before = revision(full)
    report = full.import_path(tmp_path)
    assert (report.created, report.updated, report.unchanged) == ((), (), 5)
    assert revision(full) == before


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_a_file_does_not_matter(
    full: ProjectMemory, tmp_path: Path, seed: int
) -> None:
    full.export_file(tmp_path / "all.json")
    value = json.loads((tmp_path / "all.json").read_text("utf-8"))
    random.Random(seed).shuffle(value["memories"])
    (tmp_path / "all.json").write_text(json.dumps(value), encoding="utf-8")
    with opened() as other:
        other.import_path(tmp_path / "all.json")
        assert contents(other) == contents(full)


def test_a_former_id_leads_to_a_restored_memory_too(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.create(draft(id="first"))
    memory.rename("first", "second")
    memory.rename("second", "third")
    memory.rename("third", "second")
    memory.export_file(tmp_path / "all.json")
    with opened() as other:
        other.import_path(tmp_path / "all.json")
        found = {name: other.get(name).memory["id"] for name in ("first", "second", "third")}
    assert found == dict.fromkeys(found, "second")


def test_an_agents_import_takes_no_authority_from_a_file(
    full: ProjectMemory, tmp_path: Path
) -> None:
    full.export_file(tmp_path / "all.json")
    with opened(BOT) as other:
        report = other.import_path(tmp_path / "all.json")
        assert beside(other, "author", "asserted_by") == dict.fromkeys(
            ("fifth", "first", "fourth", "second", "third"), ("bot", "import")
        )
        assert "'second' came as a standing rule; only a person can make it one here" in (
            report.repairs
        )
        assert "standing" not in other.get("second").memory


def test_standing_and_everywhere_in_a_store_in_use_are_taken_off(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.create(draft(id="here-already"))
    loud = document(
        id="loud-one",
        standing=True,
        scope={"project": "demo", "files": [], "applies_to": [], "reach": "everywhere"},
    )
    report = memory.import_path(write(tmp_path, loud))
    assert report.repairs == (
        "'loud-one' came as a standing rule; only a person can make it one here",
        "'loud-one' came with reach everywhere; only a person can give it that here",
    )
    taken = memory.get("loud-one").memory
    assert "standing" not in taken
    assert taken["scope"]["reach"] == "project"


# -- older documents -----------------------------------------------------------------------------


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Two linked documents as older tools wrote them, with everything that was allowed then."""
    older = old(
        "older-one",
        status="superseded",
        labels=["kind:bug", "context:build", "author:ann"],
        description="Cafe\u0301 builds fail when the flag is read twice ",
        tags=["bReplicates", " kMaxNodes", ""],
        scope={"project": "demo", "area": "", "files": ["src\\game\\a.cpp"], "applies_to": []},
        evidence={
            "created_from_task": "an older task",
            "last_validated": "2024-05-01",
            "created": "2023-04-01T08:00:00Z",
            "source": "",
            "related_doc": "docs\\builds.md",
        },
        relationships={
            "related": [{"id": "other-one", "reason": "both read the same flag twice"}],
            "supersedes": [],
        },
    )
    other = old("other-one", remembered_facts=["x" * 3000])
    labels = {"kind:bug": {}, "context:build": {}, "author:ann": {"description": "her finds"}}
    return write(tmp_path / "pair", older, other, labels=labels)


def test_older_documents_come_in_without_a_lost_value(memory: ProjectMemory, pair: Path) -> None:
    memory.import_path(pair)
    assert memory.get("older-one").memory == {
        "schema_version": 1,
        "id": "older-one",
        "status": "stale",
        "status_reason": "imported as superseded without a successor",
        "description": "Café builds fail when the flag is read twice",
        "labels": ["context:build", "kind:bug", "xauthor:ann"],
        "tags": ["bReplicates", "kMaxNodes"],
        "scope": {"project": "demo", "files": ["src/game/a.cpp"], "applies_to": []},
        "triggers": [],
        "remembered_facts": ["the flag is read once"],
        "solution_pattern": [],
        "pitfalls": [],
        "evidence": {
            "created_from_task": "an older task",
            "last_validated": "2024-05-01",
            "created": "2023-04-01T08:00:00Z",
            "related_doc": "docs/builds.md",
        },
        "relationships": {
            **{kind: [] for kind in documents.RELATION_FIELDS},
            "related": [{"id": "other-one", "reason": "both read the same flag twice"}],
        },
    }
    assert memory.get("other-one").memory["relationships"]["related"] == [
        {"id": "older-one", "reason": "both read the same flag twice"}
    ]
    assert beside(memory, "created_at") == {
        "older-one": ("2023-04-01T08:00:00Z",),
        "other-one": ("2024-05-01T00:00:00Z",),
    }
    assert registry(memory).labels["xauthor:ann"].description == "her finds"


def test_every_repair_of_older_documents_is_reported(memory: ProjectMemory, pair: Path) -> None:
    assert memory.import_path(pair).repairs == (
        "label 'author:ann' has a reserved prefix; taken as 'xauthor:ann'",
        "memories/older-one.json: text was not in NFC; composed",
        "memories/older-one.json: blanks around text were taken off",
        "memories/older-one.json: label 'author:ann' has a reserved prefix; "
        "taken as 'xauthor:ann'",
        "memories/older-one.json: scope.area was blank; left out",
        "memories/older-one.json: evidence.source was blank; left out",
        "memories/older-one.json: a blank entry of tags was left out",
        "memories/older-one.json: path 'src\\game\\a.cpp' was written with backslashes; turned",
        "memories/older-one.json: path 'docs\\builds.md' was written with backslashes; turned",
        "'other-one' lacked related 'older-one'; added",
        "'older-one' was superseded by nothing; made stale",
    )


def test_older_documents_validate_and_come_back_from_an_export(
    memory: ProjectMemory, pair: Path, tmp_path: Path
) -> None:
    memory.import_path(pair)
    assert [p.code for p in memory.validate().problems] == ["schema-max-length"]
    memory.export_directory(tmp_path / "out")
    assert validate_directory(tmp_path / "out").ok
    with opened() as other:
        other.import_path(tmp_path / "out")
        assert contents(other) == contents(memory)


def test_older_documents_change_nothing_the_second_time(memory: ProjectMemory, pair: Path) -> None:
    memory.import_path(pair)
    before = contents(memory)
    report = memory.import_path(pair)
    assert (report.created, report.updated, report.unchanged) == ((), (), 2)
    assert contents(memory) == before


def test_reasons_that_differ_are_both_kept(memory: ProjectMemory, tmp_path: Path) -> None:
    one = document(
        id="one-side",
        relationships={"related": [{"id": "two-side", "reason": "the same cause"}]},
    )
    two = document(
        id="two-side",
        relationships={"related": [{"id": "one-side", "reason": "the same cure"}]},
    )
    report = memory.import_path(write(tmp_path, one, two))
    assert memory.get("two-side").memory["relationships"]["related"] == [
        {"id": "one-side", "reason": "the same cause / the same cure"}
    ]
    assert report.repairs == (
        "'one-side' related 'two-side' had a reason on each side; both kept",
    )


def test_a_lower_status_is_never_raised(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.create(draft(id="known-one"))
    memory.set_status("known-one", "wrong", reason="it was measured again")
    memory.import_path(write(tmp_path, document(id="known-one", pitfalls=["one more"])))
    taken = memory.get("known-one").memory
    assert (taken["status"], taken["pitfalls"]) == ("wrong", ["one more"])


# -- labels --------------------------------------------------------------------------------------


def test_unregistered_labels_are_added_and_reported(memory: ProjectMemory, tmp_path: Path) -> None:
    report = memory.import_path(write(tmp_path, document(labels=["area:sea"])))
    assert report.repairs == ("label 'area:sea' of 'sqlite-locked' was not registered; added",)
    assert report.labels == ("area:sea",)


@pytest.mark.parametrize("labels", [None, {"area:sea": {}}])
def test_a_strict_import_refuses_labels_that_are_not_registered(
    memory: ProjectMemory, tmp_path: Path, labels: dict[str, Any] | None
) -> None:
    folder = write(tmp_path, document(labels=["area:sea"]), labels=labels)
    with pytest.raises(UnknownLabel) as caught:
        memory.import_path(folder, strict=True)
    assert str(caught.value) == (
        "label 'area:sea' is not registered; add it with `project-memory labels add area:sea`"
    )
    assert contents(memory) == {}


def test_an_alias_of_the_package_is_taken_as_its_label(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    labels = {"kind:bug": {"aliases": ["kind:defect"]}}
    memory.import_path(write(tmp_path, document(labels=["kind:defect"]), labels=labels))
    assert memory.get("sqlite-locked").memory["labels"] == ["kind:bug"]


def test_a_name_keeps_its_meaning_where_two_registries_differ(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    labels = {"area:sea": {"aliases": ["kind:bug"]}}
    report = memory.import_path(write(tmp_path, document(labels=["area:sea"]), labels=labels))
    assert report.repairs == ("alias 'kind:bug' of 'area:sea' is another label here; left out",)
    assert registry(memory).labels["area:sea"].aliases == ()


# -- refusals ------------------------------------------------------------------------------------


def refused(memory: ProjectMemory, path: Path) -> str:
    """Return why an import is refused, having seen that it left nothing."""
    before = contents(memory), revision(memory)
    with pytest.raises((InvalidDocument, SecretFound, StoreUnreadable, NotFound)) as caught:
        memory.import_path(path)
    assert (contents(memory), revision(memory)) == before
    return str(caught.value)


def test_one_broken_document_leaves_nothing(memory: ProjectMemory, tmp_path: Path) -> None:
    folder = write(tmp_path, document(id="good-one"), document(id="bad-one", status="new"))
    assert refused(memory, folder) == (
        "memories/bad-one.json:4: bad-one $.status: 'new' is not one of 'active', 'stale', "
        "'superseded', 'wrong' [schema-enum]"
    )


def test_a_link_to_nothing_names_its_file(memory: ProjectMemory, tmp_path: Path) -> None:
    one = document(id="one-side", relationships={"depends_on": [{"id": "no-one"}]})
    assert refused(memory, write(tmp_path, one)) == (
        "memories/one-side.json: one-side $.relationships: 'one-side' depends_on 'no-one', but "
        "there is no memory 'no-one'; create the target first, or remove the link "
        "[dangling-link]"
    )


def test_a_link_given_twice_is_refused(memory: ProjectMemory, tmp_path: Path) -> None:
    links = [{"id": "two-side"}, {"id": "two-side", "reason": "it calls it"}]
    one = document(id="one-side", relationships={"depends_on": links})
    assert refused(memory, write(tmp_path, one, document(id="two-side"))) == (
        "memories/one-side.json: one-side $.relationships: 'one-side' depends_on 'two-side' is "
        "given twice; keep one of the two [duplicate-link]"
    )


def test_a_cycle_is_refused(memory: ProjectMemory, tmp_path: Path) -> None:
    one = document(id="one-side", relationships={"supersedes": ["two-side"]})
    two = document(id="two-side", relationships={"supersedes": ["one-side"]})
    assert refused(memory, write(tmp_path, one, two)) == (
        "memories/two-side.json: two-side $.relationships.supersedes: supersedes must not form a "
        "cycle: two-side -> one-side -> two-side; remove supersedes between 'one-side' and "
        "'two-side' [cycle]"
    )


def test_a_secret_is_refused_and_its_file_named(memory: ProjectMemory, tmp_path: Path) -> None:
    leaky = document(id="leaky-one", pitfalls=["mind the hook", f"use {TOKEN} for it"])
    message = refused(memory, write(tmp_path, leaky))
    assert message == (
        "memories/leaky-one.json $.pitfalls[1] looks like a secret (rule 'github-token'); "
        "say where the secret lives, not its value"
    )


@pytest.mark.parametrize(
    ("place", "named"),
    [
        (("history", 1, "reason"), "revision 2 $.reason"),
        (("history", 1, "actor", "name"), "revision 2 $.actor.name"),
        (("history", 1, "changes", 0, "after", "document", "description"),
         "revision 2 $.changes[0].after.document.description"),
        (("memories", 0, "meta", "author"), "what stands beside 'first' $.author"),
    ],
)  # fmt: skip
def test_a_secret_in_the_history_or_beside_a_document_is_refused(
    memory: ProjectMemory, tmp_path: Path, place: tuple[str | int, ...], named: str
) -> None:
    memory.create(draft(id="first"))
    memory.export_file(tmp_path / "all.json")
    value = json.loads((tmp_path / "all.json").read_text())
    holder = value
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = f"the token is {TOKEN}, as ada knows"
    (tmp_path / "all.json").write_text(json.dumps(value))
    with opened() as other, pytest.raises(SecretFound) as caught:
        other.import_path(tmp_path / "all.json")
    assert str(caught.value).startswith(f"{named} looks like a secret (rule 'github-token')")


def test_a_secret_is_not_repeated_when_more_is_wrong(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    leaky = document(id="leaky-one", scope={"project": "demo", "files": [f"/{TOKEN}"]})
    message = refused(memory, write(tmp_path, leaky, document(id="bad-one", status="new")))
    assert TOKEN not in message
    assert "[secret]" in message
    assert "[schema-enum]" in message


def test_a_document_over_64_kib_is_refused_with_its_size(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    large = document(id="large-one", triggers=["é" * 1900] * 20)
    assert refused(memory, write(tmp_path, large)) == (
        "memories/large-one.json:1: large-one $: the document has 76,673 bytes; "
        "at most 65,536 are allowed; keep one lesson in one memory, and link them [oversize]"
    )


def test_an_unreadable_directory_is_an_error_and_no_deletion(
    full: ProjectMemory, tmp_path: Path
) -> None:
    (tmp_path / "memories").write_text("no folder", encoding="utf-8")
    assert refused(full, tmp_path) == (
        f"cannot read '{tmp_path}/memories' (Not a directory); nothing was taken from it"
    )


def test_an_empty_directory_deletes_nothing(full: ProjectMemory, tmp_path: Path) -> None:
    before = contents(full)
    report = full.import_path(tmp_path)
    assert (report.read, contents(full)) == (0, before)


def test_a_path_with_nothing_is_named(memory: ProjectMemory, tmp_path: Path) -> None:
    assert refused(memory, tmp_path / "absent") == (
        f"nothing at '{tmp_path}/absent'; name a directory of memories or an export file"
    )


def test_a_path_that_cannot_be_looked_at_is_named(memory: ProjectMemory, tmp_path: Path) -> None:
    long = "x" * 300
    assert refused(memory, tmp_path / long) == (
        f"cannot read '{tmp_path}/{long}' (File name too long)"
    )


def test_an_id_twice_in_a_single_file_is_refused(full: ProjectMemory, tmp_path: Path) -> None:
    full.export_file(tmp_path / "all.json")
    value = json.loads((tmp_path / "all.json").read_text("utf-8"))
    value["memories"].append(value["memories"][0])
    (tmp_path / "all.json").write_text(json.dumps(value, indent=1), encoding="utf-8")
    with opened() as other:
        assert "fifth $.id: id 'fifth' is twice; keep one of the two [duplicate-id]" in (
            refused(other, tmp_path / "all.json")
        )
