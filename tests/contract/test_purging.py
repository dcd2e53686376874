"""What a purge asks of a back end: history put anew, tombstones, and no trace left behind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from factories import memory, revision

from project_memory.model import Label, LabelChange, MemoryChange, Usage, Uses

ONE, TWO = memory(1, id="one-memory"), memory(2, id="two-memory")
LABEL = LabelChange(None, Label("kind:bug"))


def told(storage, project):
    with storage.read() as reader:
        return list(reader.revisions(project.key))


def test_revisions_are_put_anew_under_their_numbers(storage, project):
    first = revision(1, MemoryChange(None, ONE), MemoryChange(None, TWO), LABEL, reason="why")
    second = revision(2, MemoryChange(ONE, replace(ONE, pinned=True)))
    third = revision(3, MemoryChange(TWO, None))
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.append_revision(other.key, revision(1, MemoryChange(None, memory(9))))
        for one in (first, second, third):
            writer.append_revision(project.key, one)
        seen = []

        def rewrite(old):
            seen.append(old)
            changes = tuple(c for c in old.changes if c is not None and getattr(c, "key", 0) != 1)
            return replace(old, changes=changes, reason=None)

        writer.rewrite_history(project.key, rewrite)
    assert seen == [first, second, third]
    cleaned = replace(first, changes=(MemoryChange(None, TWO), LABEL), reason=None)
    assert told(storage, project) == [cleaned, replace(second, changes=()), third]
    assert len(told(storage, other)) == 1
    with storage.read() as reader:
        assert list(reader.revisions(project.key, memory_id="one-memory")) == []
        assert reader.last_version(project.key, "one-memory") == 0
        assert [r.number for r in reader.revisions(project.key, memory_id="two-memory")] == [1, 3]


def test_a_rewriting_is_rolled_back_with_its_transaction(storage, project):
    first = revision(1, MemoryChange(None, ONE))
    with storage.write() as writer:
        writer.append_revision(project.key, first)
    try:
        with storage.write() as writer:
            writer.rewrite_history(project.key, lambda old: replace(old, changes=()))
            writer.put_tombstone(project.key, "d1")
            raise RuntimeError
    except RuntimeError:
        pass
    assert told(storage, project) == [first]
    with storage.read() as reader:
        assert reader.tombstones(project.key) == frozenset()


def test_counters_and_redirects_of_one_memory_are_forgotten(storage, project):
    with storage.write() as writer:
        for one in (ONE, TWO):
            writer.put_memory(project.key, one, "d")
            writer.put_redirect(project.key, f"old-{one.id}", one.key)
            writer.add_usage(project.key, "2026-01-31", {one.id: Uses(applied=1)}, questions=1)
        writer.forget(project.key, 1)
    with storage.read() as reader:
        uses = {"two-memory": Uses(applied=1)}
        assert reader.usage(project.key) == Usage(uses, uses, {"2026-01-31": 2})
        assert reader.redirect(project.key, "old-one-memory") is None
        assert reader.redirect(project.key, "old-two-memory") == "two-memory"


def test_tombstones_are_of_one_project_and_stay(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        for digest in ("d1", "d2", "d1"):
            writer.put_tombstone(project.key, digest)
    with storage.read() as reader:
        assert reader.tombstones(project.key) == {"d1", "d2"}
        assert reader.tombstones(other.key) == frozenset()


def test_a_swept_store_holds_what_it_held(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, ONE, "d")
    log = "the server's write-ahead log holds it until it is written over, and so do "
    log += "replicas' logs, archives and backups of the server; ask its administrator"
    assert storage.sweep() == ([log] if storage.url.startswith("postgresql:") else [])
    with storage.read() as reader:
        assert reader.memory(project.key, "one-memory") == ONE


def owes(storage):
    with storage.read() as reader:
        return reader.owes_sweep()


def test_a_sweep_is_owed_from_the_commit_until_it_is_done(storage, project):
    assert not owes(storage)
    with suppress(KeyError), storage.write() as writer:
        writer.owe_sweep()
        raise KeyError
    assert not owes(storage)
    for _ in range(2):
        with storage.write() as writer:
            writer.owe_sweep()
    assert owes(storage)
    storage.sweep()
    assert not owes(storage)
