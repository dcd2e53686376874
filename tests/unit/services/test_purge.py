"""A purge leaves nothing of a memory: not in history, not beside it, not in the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import Conflict, Forbidden, InvalidDocument, InvalidInput, NotFound
from project_memory.model import Actor, Authority, Question
from project_memory.proposals import Proposal, State
from project_memory.services import indexes, snapshots
from project_memory.sightings import Sighting
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
SECRET = "the staging vault opens with correct-horse-battery-staple"
WORD = "correct-horse-battery-staple"
REASON = "both are about the staging vault, see correct-horse-battery-staple"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture(params=["sqlite", "inmemory", "postgres"])
def memories(request: Any, path: Path) -> Iterator[ProjectMemory]:
    if request.param == "postgres":
        url = request.getfixturevalue("postgres")()
    else:
        url = str(path) if request.param == "sqlite" else "inmemory://"
    storage = open_storage(url, create=True)
    with storage.write() as writer:
        writer.put_project("demo")
        writer.put_project("other")
    with ProjectMemory(storage, "demo", ADA) as opened:
        opened.add_label("kind:bug")
        opened.create(draft(id="neighbour", description="Where the staging vault is described"))
        yield opened


def secret(**fields: Any) -> dict[str, Any]:
    facts = ["the vault asks for it after every restart"]
    return draft(**{"description": SECRET, "remembered_facts": facts, **fields})


def leak(memories: ProjectMemory) -> None:
    """Store a secret, and let it get into everything that a store keeps."""
    memories.create(secret(id="leaked", triggers=[f"login {WORD} refused"]))
    memories.link("leaked", "related", "neighbour", link_reason=REASON)
    memories.update("leaked", {"pitfalls": [f"never type {WORD} twice"]}, reason=f"as {WORD} says")
    memories.rename("leaked", "leaked-again")
    memories.update("neighbour", {"remembered_facts": [f"It said: {SECRET}"]})
    memories.update("neighbour", {"remembered_facts": ["it is described elsewhere"]})
    memories.recall(query="staging vault")
    memories.record_use(["leaked-again"])
    bot = {"revision": 1, "operation": "update", "actor": BOT, "time": "2026-01-31T09:30:00Z"}
    with memories._storage.write() as writer:
        operation = {"op": "update", "id": "leaked-again", "patch": {"pitfalls": [WORD]}}
        writer.put_proposal(1, Proposal(1, operations=(operation,), reason=WORD, **bot))
        writer.put_proposal(1, Proposal(2, note=f"once more: {SECRET}", **bot))
        writer.put_proposal(1, Proposal(3, note="something else", **bot))
        times = ("2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z")
        writer.put_sighting(1, Sighting("orphan", "leaked-again", "", {"m": WORD}, *times))
        writer.put_sighting(1, Sighting("twin", "neighbour", "", {"twin": "leaked-again"}, *times))
        writer.put_sighting(1, Sighting("other", "label:x", "", {"m": "else"}, *times))


def everything(memories: ProjectMemory) -> str:
    """Return all that a reader can be told, as text."""
    with memories._storage.read() as reader:
        told = [
            *reader.memories(1),
            *reader.revisions(1),
            *reader.proposals(1),
            *reader.sightings(1),
            reader.usage(1),
        ]
    return "\n".join(map(repr, told))


def test_nothing_of_it_is_left_to_read(memories: ProjectMemory) -> None:
    leak(memories)
    assert WORD in everything(memories)
    report = memories.purge("leaked-again", reason="a secret got in")
    said = everything(memories)
    for trace in (WORD, "leaked"):
        assert trace not in said
    assert report.ids == ("leaked", "leaked-again")
    assert report.unlinked == ("neighbour",)
    assert report.proposals == (1, 2)
    assert report.copies == ()
    assert memories.get("neighbour").memory["remembered_facts"] == ["it is described elsewhere"]
    assert memories.validate().problems == ()


def test_the_file_and_its_log_do_not_hold_it(path: Path) -> None:
    with ProjectMemory.open(str(path), project="demo", actor=ADA, create=True) as memories:
        memories.create(draft(id="neighbour", description="Where the staging vault is described"))
        leak(memories)
        for number in range(50):  # pages of its own, freed and taken again
            memories.update("leaked-again", {"pitfalls": [f"{WORD} {number} " * 40]})
        assert any(WORD.encode() in file.read_bytes() for file in path.parent.iterdir())
        memories.purge("leaked-again")
        for file in path.parent.iterdir():
            assert WORD.encode() not in file.read_bytes()
            assert b"leaked" not in file.read_bytes()


def test_neighbours_keep_their_history_without_it(memories: ProjectMemory) -> None:
    leak(memories)
    memories.purge("leaked-again")
    old = memories.get("neighbour", version=2).memory
    assert old["remembered_facts"] == ["It said: (purged)"]
    assert old["relationships"]["related"] == []
    memories.revert("neighbour", version=2)
    assert memories.get("neighbour").memory["remembered_facts"] == ["It said: (purged)"]


def test_the_purge_itself_is_told_and_cannot_be_undone(memories: ProjectMemory) -> None:
    leak(memories)
    memories.purge("leaked-again", reason="a secret got in")
    newest = memories.history().revisions[0]
    assert (newest.operation, newest.reason) == ("purge", "a secret got in")
    assert newest.memories == ()
    for asked in ({}, {"revision": newest.number}):
        with pytest.raises(Conflict) as caught:
            memories.undo(**asked)
        assert str(caught.value) == (
            f"revision {newest.number} is a purge, which nothing takes back; name an earlier "
            "revision to undo that one (--revision)"
        )
    with pytest.raises(NotFound):
        memories.get("leaked-again")
    assert "leaked" not in everything(memories)


def test_a_deleted_memory_can_be_purged(memories: ProjectMemory) -> None:
    leak(memories)
    memories.delete("leaked-again")
    report = memories.purge("leaked-again")
    assert report.unlinked == ()
    assert WORD not in everything(memories)
    assert memories.history().revisions[0].operation == "purge"
    undo_everything(memories)
    assert WORD not in everything(memories)


def undo_everything(memories: ProjectMemory) -> None:
    for revision in memories.history().revisions:
        with suppress(Conflict):  # whatever can be taken back, it is not what was purged
            memories.undo(revision=revision.number)


def test_neither_id_nor_text_comes_back(memories: ProjectMemory, tmp_path: Path) -> None:
    memories.create(secret(id="leaked"))
    memories.rename("leaked", "leaked-again")
    memories.export_directory(tmp_path / "folder")
    memories.purge("leaked-again")
    for name in ("leaked", "leaked-again"):
        with pytest.raises(InvalidDocument) as caught:
            memories.create(draft(id=name, description="Another text altogether, of no secret"))
        assert str(caught.value) == (
            f"{name} $.id: '{name}' was purged here, and its id stays out of use; choose another "
            "id, or leave the memory out [purged-id]"
        )
    with pytest.raises(InvalidDocument) as caught:
        memories.create(secret(id="fresh-one", description=SECRET.upper()))
    assert str(caught.value) == (
        "fresh-one $.remembered_facts: a memory of this text was purged here; write it without "
        "what had to go, or leave the memory out [purged-text]"
    )
    same = {key: secret()[key] for key in ("description", "remembered_facts")}
    with pytest.raises(InvalidDocument, match="purged-text"):
        memories.update("neighbour", same)
    with pytest.raises(InvalidDocument, match="purged-id"):
        memories.rename("neighbour", "leaked")
    with pytest.raises(InvalidDocument, match="purged-id"):
        memories.import_path(tmp_path / "folder")
    assert SECRET not in everything(memories)


def test_a_lesson_told_anew_gets_an_id_of_its_own(memories: ProjectMemory) -> None:
    lesson = draft(description="How the staging vault is opened", remembered_facts=[SECRET])
    first = memories.create(lesson).memories[0].id
    memories.purge(first)
    clean = {**lesson, "remembered_facts": ["ask whoever is on duty"]}
    assert memories.create(clean).memories[0].id == f"{first}-2"


def test_a_history_that_tells_of_it_is_not_taken_over(
    memories: ProjectMemory, tmp_path: Path
) -> None:
    memories.create(secret(id="leaked"))
    memories.export_file(tmp_path / "all.json")
    memories.purge("leaked")
    memories.delete("neighbour")
    with pytest.raises(InvalidDocument) as caught:
        memories.import_path(tmp_path / "all.json")
    assert "the history tells of 'leaked', which was purged here" in str(caught.value)


def test_copies_elsewhere_are_named_before_anything_is_removed(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    memories.update("neighbour", {"pitfalls": [f"{SECRET}, they say"]})
    with pytest.raises(InvalidInput) as caught:
        memories.purge("leaked")
    assert str(caught.value) == (
        "a text of 'leaked' also stands in 'demo/neighbour'; take it out there first, so that "
        "their history is cleared too, or leave it there with --leave-copies"
    )
    assert memories.get("leaked").memory["description"] == SECRET
    report = memories.purge("leaked", leave_copies=True)
    assert report.copies == ("demo/neighbour",)
    assert memories.get("neighbour").memory["pitfalls"] == [f"{SECRET}, they say"]
    memories.update("neighbour", {"pitfalls": []})
    memories.revert("neighbour", version=2)  # what stands there still, its history keeps too
    assert memories.get("neighbour").memory["pitfalls"] == [f"{SECRET}, they say"]


def leak_abroad(memories: ProjectMemory) -> ProjectMemory:
    """Store a secret, and let it get into everything that another project keeps of the past."""
    memories.create(secret(id="leaked"))
    other = ProjectMemory(memories._storage, "other", ADA)
    other.add_label("kind:bug")
    other.create(draft(id="leaked", description="Another memory, which has the same id here"))
    other.update("leaked", {"remembered_facts": [f"It said: {SECRET}"]}, reason=SECRET)
    other.update("leaked", {"remembered_facts": ["it is described elsewhere"]})
    other.expect(f"why it says that {SECRET}", ["leaked"])
    bot = {"revision": 1, "operation": "update", "actor": BOT, "time": "2026-01-31T09:30:00Z"}
    with memories._storage.write() as writer:
        key = writer.project("other").key
        writer.put_proposal(key, Proposal(1, note=f"once more: {SECRET}", **bot))
        writer.put_proposal(key, Proposal(2, note="about leaked, something else", **bot))
        times = ("2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z")
        writer.put_sighting(key, Sighting("twin", "leaked", "", {"m": SECRET}, *times))
        writer.put_sighting(key, Sighting("other", "label:x", "", {"m": "else"}, *times))
        asked = Question(f"is it that {SECRET}", "2026-01-31", "2026-01-31", 1, 0)
        writer.note_questions(key, [asked, replace(asked, text="what is leaked")], 10)
    return other


def all_of(memories: ProjectMemory) -> str:
    with memories._storage.read() as reader:
        key = reader.project(memories.project).key
        told = [
            *reader.memories(key),
            *reader.revisions(key),
            *reader.proposals(key),
            *reader.sightings(key),
            *reader.expectations(key),
            *reader.questions(key),
        ]
    return "\n".join(map(repr, told))


def test_other_projects_are_cleared_of_it_and_keep_their_own(memories: ProjectMemory) -> None:
    other = leak_abroad(memories)
    before = all_of(other).count(WORD)
    foretold = memories.purge("leaked", dry_run=True)
    assert all_of(other).count(WORD) == before == 8
    done = memories.purge("leaked", reason="a secret got in")
    assert done.elsewhere == foretold.elsewhere == ("other",)
    assert done.copies == ()
    said = all_of(other)
    assert WORD not in said
    for kept in ("about leaked, something else", "'m': 'else'", "what is leaked"):
        assert kept in said
    assert other.get("leaked").memory["remembered_facts"] == ["it is described elsewhere"]
    assert other.get("leaked", version=2).memory["remembered_facts"] == ["It said: (purged)"]
    newest = other.history().revisions[0]
    assert (newest.operation, newest.reason, newest.memories) == ("purge", None, ())
    assert other.validate().problems == ()


def test_a_project_that_tells_nothing_of_it_stays_as_it_is(memories: ProjectMemory) -> None:
    other = ProjectMemory(memories._storage, "other", ADA)
    other.add_label("kind:bug")
    other.create(draft(id="leaked", description="Another memory, which has the same id here"))
    before = all_of(other)
    memories.create(secret(id="leaked"))
    assert memories.purge("leaked").elsewhere == ()
    assert all_of(other) == before


BEYOND = (
    "a project that is not yours to clear may hold a text of it; ask who administers the whole "
    "store to repeat the purge"
)


def test_what_is_not_the_callers_to_clear_is_told_of_without_its_name(
    memories: ProjectMemory,
) -> None:
    other = leak_abroad(memories)
    before = all_of(other)
    memories._sees = lambda project: project.name == "demo"
    assert memories.purge("leaked", dry_run=True).remains == (BEYOND,)
    report = memories.purge("leaked")
    assert report.remains[0] == BEYOND
    assert "other" not in repr(report)
    assert all_of(other) == before
    assert WORD not in all_of(memories)


def test_a_copy_that_is_not_the_callers_to_take_out_is_not_named_and_stops_nothing(
    memories: ProjectMemory,
) -> None:
    memories.create(secret(id="leaked"))
    other = ProjectMemory(memories._storage, "other", ADA)
    other.add_label("kind:bug")
    other.create(draft(id="copied", description=f"They say: {SECRET}"))
    with pytest.raises(InvalidInput, match="also stands in 'other/copied'; take it out"):
        memories.purge("leaked")
    memories._sees = lambda project: project.name == "demo"
    report = memories.purge("leaked")
    assert (report.copies, report.remains[0]) == ((), BEYOND)
    assert "other/copied" not in repr(report)


FILED = {
    "tags": [f"tag {WORD}"],
    "scope": {"area": f"area {WORD}", "files": [f"{WORD}.pem"], "applies_to": [f"to {WORD}"]},
    "evidence": {
        "created_from_task": f"task {WORD}",
        "source": f"source {WORD}",
        "related_doc": f"{WORD}.md",
        "commit": f"commit {WORD}",
    },
    "remembered_facts": [
        {"fact": "a fact", "status": "verified", "verified_at": "2026-01-31",
         "source": f"from {WORD}"}
    ],
    "checks": [
        {"type": "file_exists", "path": f"checked/{WORD}"},
        {"type": "dependency", "requirement": f"package-{WORD}"},
    ],
}  # fmt: skip


@pytest.mark.parametrize("field", FILED)
def test_what_a_memory_is_filed_under_goes_too(memories: ProjectMemory, field: str) -> None:
    own = {"description": "It opens the vault of staging", "remembered_facts": ["a fact of it"]}
    memories.create(draft(**{"id": "leaked", **own, field: FILED[field]}))
    memories.update("neighbour", {field: FILED[field]})
    plain = {"tags": [], "checks": [], "remembered_facts": ["nothing of it"]}
    empty = {"scope": {"area": None, "files": [], "applies_to": []},
             "evidence": dict.fromkeys(FILED["evidence"], None)}  # fmt: skip
    empty["evidence"]["created_from_task"] = "another task"
    memories.update("neighbour", {field: (plain | empty)[field]})
    assert WORD in everything(memories)
    memories.purge("leaked")
    assert WORD not in everything(memories)


def test_a_name_that_others_have_too_is_told_of_and_stays_theirs(memories: ProjectMemory) -> None:
    scope = {"files": ["src/vault/staging.py"]}
    memories.create(secret(id="leaked", scope=scope))
    memories.update("neighbour", {"scope": scope})
    report = memories.purge("leaked")
    assert report.copies == ("demo/neighbour",)
    assert memories.get("neighbour").memory["scope"]["files"] == scope["files"]
    assert memories.get("neighbour", version=2).memory["scope"]["files"] == scope["files"]


def test_a_proposal_that_only_has_a_name_of_it_loses_that(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked", scope={"files": ["src/vault/staging.py"]}))
    patch = {"scope": {"files": ["src/vault/staging.py", "src/other.py"]}}
    change = {"op": "update", "id": "neighbour", "patch": patch}
    with memories._storage.write() as writer:
        bot = {"revision": 1, "operation": "update", "actor": BOT, "time": "2026-01-31T09:30:00Z"}
        writer.put_proposal(1, Proposal(1, operations=(change,), reason="it moved", **bot))
    assert memories.purge("leaked").proposals == (1,)
    with memories._storage.read() as reader:
        left = reader.proposal(1, 1)
    assert (left.state, left.reason) == (State.WAITING, "it moved")
    assert left.operations[0]["patch"]["scope"]["files"] == ["(purged)", "src/other.py"]


def test_what_the_settings_say_is_a_copy_too(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    memories.configure({"audit": {"protect": f'text:"{SECRET}"'}})
    with pytest.raises(InvalidInput, match=r"also stands in 'demo/\(settings\)'; take it out"):
        memories.purge("leaked")
    memories.configure({"audit": None})
    assert memories.purge("leaked").copies == ()


def test_what_a_label_says_is_a_copy_too(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    memories.describe_label("kind:bug", f"such as: {SECRET}")
    with pytest.raises(InvalidInput, match="also stands in 'demo/kind:bug'; take it out"):
        memories.purge("leaked")
    memories.describe_label("kind:bug", "a defect")
    memories.purge("leaked")
    assert WORD not in everything(memories)


def test_only_a_person_can_purge(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    bot = ProjectMemory(memories._storage, "demo", BOT)
    with pytest.raises(Forbidden) as caught:
        bot.purge("leaked")
    assert str(caught.value) == (
        "only a person can purge a memory; run `project-memory purge` at a terminal"
    )
    assert memories.get("leaked")
    assert bot.purge("leaked", dry_run=True).dry_run


def test_a_dry_run_tells_the_same_and_removes_nothing(memories: ProjectMemory) -> None:
    leak(memories)
    before = everything(memories)
    foretold = memories.purge("leaked-again", dry_run=True)
    assert everything(memories) == before
    done = memories.purge("leaked-again")
    # where a back end keeps copies is known once its tables are swept
    swept = {"dry_run": False, "revision": done.revision, "remains": done.remains}
    assert replace(foretold, **swept) == done


def test_an_unknown_id_is_an_error_and_a_purged_one_is_swept_again(
    memories: ProjectMemory,
) -> None:
    with pytest.raises(NotFound) as caught:
        memories.purge("no-such-memory")
    assert str(caught.value) == (
        "no memory ever was 'no-such-memory'; list ids with `project-memory list`, and deleted "
        "ones with `project-memory history list`"
    )
    memories.create(secret(id="leaked"))
    memories.purge("leaked")
    revision = memories.stats().store.revision
    again = memories.purge("leaked")
    assert (again.ids, again.rewritten, again.revision) == (("leaked",), (), revision)


def test_a_former_id_is_refused_with_the_present_one(memories: ProjectMemory) -> None:
    leak(memories)
    with pytest.raises(InvalidInput) as caught:
        memories.purge("leaked")
    assert str(caught.value) == "'leaked' was renamed; purge 'leaked-again', which it is now"


def test_who_waits_is_told_that_the_proposal_is_gone(memories: ProjectMemory) -> None:
    leak(memories)
    memories.purge("leaked-again")
    with memories._storage.read() as reader:
        first, second, third = reader.proposals(1)
    assert (first.state, first.operations, first.reason) == (State.WITHDRAWN, (), None)
    assert first.because == ("what it was about was purged",)
    assert (second.note, third.note) == (None, "something else")


def test_an_index_of_another_process_forgets_it(path: Path) -> None:
    with (
        ProjectMemory.open(str(path), project="demo", actor=ADA, create=True) as memories,
        ProjectMemory.open(str(path), project="demo", actor=BOT) as other,
    ):
        memories.create(draft(id="neighbour", description="Where the staging vault is described"))
        leak(memories)
        assert "leaked-again" in [h.id for h in other.recall(query="staging vault").answers]
        memories.purge("leaked-again")
        assert [h.id for h in other.recall(query="staging vault").answers] == ["neighbour"]
        assert other.recall(query="correct horse battery staple").nothing_relevant


def test_no_process_keeps_it_in_a_file_beside_the_store(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(snapshots, "WORTH", 1)
    monkeypatch.setattr(indexes, "FEW", 1)
    with ProjectMemory.open(str(path), project="demo", actor=ADA, create=True) as memories:
        leak_one(memories)
    kept = list((tmp_path / "cache").rglob("*.index"))
    assert [b"leaked" in file.read_bytes() for file in kept] == [True]
    with (
        ProjectMemory.open(str(path), project="demo", actor=ADA) as memories,
        ProjectMemory.open(str(path), project="demo", actor=BOT) as other,
    ):
        for each in (memories, other):
            each.create(draft(description=f"A lesson that {each._actor.name} adds to the index"))
            each.recall(query="staging vault")
        memories.purge("leaked", leave_copies=True)
        assert not any(file.exists() for file in kept)
    for file in (tmp_path / "cache").rglob("*.index"):
        assert b"leaked" not in file.read_bytes()


def leak_one(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    memories.recall(query="staging vault")


def test_backups_and_held_logs_are_named(path: Path) -> None:
    with ProjectMemory.open(str(path), project="demo", actor=ADA, create=True) as memories:
        memories.create(secret(id="leaked"))
        backup = path.with_name("store.db.v1.backup")
        backup.write_bytes(b"")
        memories._storage._seconds = 0.1
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchone()
            report = memories.purge("leaked")
            reader.execute("ROLLBACK")
        assert report.remains == (
            f"backup '{backup}' was made before and may hold it; delete it, or put it under lock",
            f"another process reads an old view of the store, so that its log '{path}-wal' may "
            "hold it; run `project-memory doctor` when that process has ended, which clears it",
        )
        assert len(memories.purge("leaked").remains) == 1
        assert SECRET.encode() not in path.read_bytes()
        assert SECRET.encode() not in Path(f"{path}-wal").read_bytes()


def test_an_id_that_another_memory_has_by_now_stays_in_use(memories: ProjectMemory) -> None:
    memories.create(secret(id="leaked"))
    memories.rename("leaked", "leaked-again")
    memories.delete("leaked-again")
    memories.create(draft(id="leaked", description="A lesson of its own about something else"))
    memories.link("leaked", "related", "neighbour", link_reason="both are innocent")
    report = memories.purge("leaked-again")
    assert report.ids == ("leaked-again",)
    assert memories.get("leaked").memory["description"].startswith("A lesson of its own")
    assert [e.to_id for e in memories.neighborhood("leaked").edges] == ["neighbour"]
