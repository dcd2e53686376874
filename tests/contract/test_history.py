"""Revisions as change feed and undo log; versions; usage counters."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from factories import document, memory, revision

from project_memory.errors import Conflict
from project_memory.model import (
    Actor,
    Authority,
    Label,
    LabelChange,
    MemoryChange,
    PrefixChange,
    Uses,
)


def append(storage, project, *revisions):
    with storage.write() as writer:
        for one in revisions:
            writer.append_revision(project.key, one)


def numbers(storage, project, **filters):
    with storage.read() as reader:
        return [found.number for found in reader.revisions(project.key, **filters)]


def made(key, name, version=1):
    return MemoryChange(None, memory(key, id=name, version=version))


def edited(key, name, version, old_name=None):
    before = memory(key, id=old_name or name, version=version - 1)
    return MemoryChange(before, memory(key, id=name, version=version))


def removed(key, name, version):
    return MemoryChange(memory(key, id=name, version=version), None)


def test_a_revision_comes_back_with_every_change_in_order(storage, project):
    whole = revision(
        1,
        made(1, "new-one"),
        edited(2, "edited-one", 5),
        removed(3, "old-one", 2),
        LabelChange(None, Label("area:auth", "signing in", ("area:login",), "area:web", True)),
        LabelChange(Label("area:old"), Label("area:old", deprecated=True)),
        LabelChange(Label("area:gone"), None),
        PrefixChange("kind", before=False, after=True),
        actor="bot",
        operation="apply",
        reason="why\nnot – 因为",
        undoes=None,
    )
    append(storage, project, whole)
    with storage.read() as reader:
        assert list(reader.revisions(project.key)) == [whole]
        assert reader.revision(project.key) == 1


def test_documents_in_history_are_byte_identical(storage, project):
    odd = {"zz": 1, **document(id="odd-order", tags=["é", "e\u0301", "\u2028"]), "aa": 1.0}
    before = memory(1, id="odd-order")
    after = memory(1, **odd)
    append(storage, project, revision(1, MemoryChange(before, after)))
    with storage.read() as reader:
        found = next(reader.revisions(project.key)).changes[0]
    assert json.dumps(found.after.document) == json.dumps(after.document)
    assert list(found.after.document) == list(after.document)


def test_an_undo_names_the_revision_it_takes_back(storage, project):
    append(storage, project, revision(1), revision(2, operation="undo", undoes=1))
    with storage.read() as reader:
        assert [found.undoes for found in reader.revisions(project.key)] == [None, 1]


@pytest.mark.parametrize("number", [0, -1, 1, 2, 4, 10**9])
def test_only_the_next_number_can_be_appended(storage, project, number):
    append(storage, project, revision(1), revision(2))
    with pytest.raises(Conflict) as error:
        append(storage, project, revision(number))
    assert str(error.value) == (
        f"revision {number} cannot follow revision 2; read the project again and repeat the change"
    )
    assert numbers(storage, project) == [1, 2]


def test_each_project_counts_by_itself(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
    append(storage, project, revision(1), revision(2))
    append(storage, other, revision(1, made(9, "apart"), actor="eve"))
    assert numbers(storage, project) == [1, 2]
    assert numbers(storage, other) == [1]
    assert numbers(storage, project, memory_id="apart") == []
    assert numbers(storage, project, actor="eve") == []


def test_the_revision_of_a_project_shows_in_the_project(storage, project):
    append(storage, project, revision(1))
    with storage.read() as reader:
        assert [found.revision for found in reader.projects()] == [1]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [1, 2, 3, 4, 5, 6]),
        ({"after": 4}, [5, 6]),
        ({"before": 3}, [1, 2]),
        ({"after": 2, "before": 5}, [3, 4]),
        ({"after": 6}, []),
        ({"after": 4, "before": 5}, []),
        ({"limit": 2}, [1, 2]),
        ({"limit": 0}, []),
        ({"limit": -1}, []),
        ({"limit": 10**30}, [1, 2, 3, 4, 5, 6]),
        ({"after": -(10**30), "before": 10**30}, [1, 2, 3, 4, 5, 6]),
        ({"after": 10**30}, []),
        ({"newest_first": True}, [6, 5, 4, 3, 2, 1]),
        ({"newest_first": True, "limit": 2, "before": 5}, [4, 3]),
        ({"actor": "bob"}, [2, 4, 6]),
        ({"actor": "bob", "newest_first": True, "limit": 1}, [6]),
        ({"actor": "nobody"}, []),
        ({"memory_id": "main-one"}, [1, 3, 5]),
        ({"memory_id": "main-one", "after": 1, "newest_first": True}, [5, 3]),
        ({"memory_id": "main-one", "actor": "ada", "limit": 2}, [1, 3]),
        ({"memory_id": "main-one", "actor": "bob"}, []),
        ({"memory_id": "no-such-memory"}, []),
    ],
)
def test_revisions_are_selected(storage, project, filters, expected):
    for number in range(1, 7):
        odd = number % 2 == 1
        change = made(1, "main-one", number) if odd else made(2, "side-one", number)
        actor = "ada" if odd else "bob"
        append(storage, project, revision(number, change, actor=actor))
    assert numbers(storage, project, **filters) == expected


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("memory_id", [None, "busy-one"])
def test_a_long_history_comes_whole_and_in_order(storage, project, newest_first, memory_id):
    append(storage, project, *(revision(n, made(1, "busy-one", n)) for n in range(1, 161)))
    found = numbers(storage, project, newest_first=newest_first, memory_id=memory_id)
    assert found == sorted(range(1, 161), reverse=newest_first)
    some = numbers(
        storage, project, newest_first=newest_first, memory_id=memory_id, after=9, limit=130
    )
    assert some == (list(range(160, 30, -1)) if newest_first else list(range(10, 140)))


def test_the_history_of_a_memory_holds_all_changes_of_its_revisions(storage, project):
    both = revision(1, made(1, "one-end"), made(2, "other-end"))
    append(storage, project, both)
    with storage.read() as reader:
        assert list(reader.revisions(project.key, memory_id="one-end")) == [both]


def test_the_history_of_a_memory_spans_all_its_ids(storage, project):
    append(
        storage,
        project,
        revision(1, made(1, "first-name")),
        revision(2, edited(1, "second-name", 2, old_name="first-name")),
        revision(3, made(2, "third-party")),
        revision(4, edited(1, "second-name", 3)),
    )
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="second-name", version=3), "d")
    assert numbers(storage, project, memory_id="second-name") == [1, 2, 4]
    assert numbers(storage, project, memory_id="first-name") == [1, 2, 4]


def test_a_deleted_memory_keeps_its_history(storage, project):
    append(
        storage, project, revision(1, made(1, "gone-one")), revision(2, removed(1, "gone-one", 1))
    )
    assert numbers(storage, project, memory_id="gone-one") == [1, 2]


def test_an_id_with_two_memories_in_its_past_means_both(storage, project):
    append(
        storage,
        project,
        revision(1, made(1, "reused-id")),
        revision(2, removed(1, "reused-id", 1)),
        revision(3, made(2, "reused-id", 2)),
        revision(4, removed(2, "reused-id", 2)),
    )
    assert numbers(storage, project, memory_id="reused-id") == [1, 2, 3, 4]
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="reused-id", version=3), "d")
    assert numbers(storage, project, memory_id="reused-id") == [1, 2, 3, 4]
    newest = {"memory_id": "reused-id", "newest_first": True}
    assert numbers(storage, project, limit=3, **newest) == [4, 3, 2]
    assert numbers(storage, project, before=4, actor="ada", **newest) == [3, 2, 1]


def test_a_revision_in_which_two_memories_change_ids_is_told_once(storage, project):
    append(
        storage,
        project,
        revision(1, made(1, "this-one"), made(2, "that-one")),
        revision(2, edited(1, "that-one", 2, "this-one"), edited(2, "this-one", 2, "that-one")),
        revision(3, edited(1, "that-one", 3)),
    )
    assert numbers(storage, project, memory_id="this-one") == [1, 2, 3]
    newest = {"memory_id": "that-one", "newest_first": True}
    assert numbers(storage, project, limit=2, **newest) == [3, 2]
    assert numbers(storage, project, limit=0, **newest) == []


def test_the_last_version_counts_over_everything_that_had_the_id(storage, project):
    append(
        storage,
        project,
        revision(1, made(1, "some-id")),
        revision(2, edited(1, "some-id", 2)),
        revision(3, removed(1, "some-id", 2)),
        revision(4, made(2, "some-id", 3)),
        revision(5, edited(2, "new-name", 4, old_name="some-id")),
    )
    with storage.read() as reader:
        assert reader.last_version(project.key, "some-id") == 3
        assert reader.last_version(project.key, "new-name") == 4
        assert reader.last_version(project.key, "never-there") == 0


def test_the_last_version_counts_a_present_memory_without_history(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="bare-one", version=6), "d")
        assert writer.last_version(project.key, "bare-one") == 6


def test_a_revision_that_is_rolled_back_leaves_its_number_free(storage, project):
    with suppress(RuntimeError), storage.write() as writer:
        writer.append_revision(project.key, revision(1, made(1, "lost-one")))
        raise RuntimeError
    append(storage, project, revision(1, made(2, "kept-one")))
    assert numbers(storage, project, memory_id="lost-one") == []


def test_a_revision_has_a_mark_that_no_other_of_its_project_has(storage, project):
    append(storage, project, revision(1), revision(2))
    with storage.read() as reader:
        first, second = (reader.mark(project.key, number) for number in (1, 2))
        assert None not in (first, second)
        assert first != second
        assert reader.mark(project.key, 1) == first
        assert [reader.mark(project.key, number) for number in (-1, 0, 3)] == [None] * 3
        assert reader.marks(project.key, 0) == {1: first, 2: second}
        assert reader.marks(project.key, 1) == {2: second}
        assert reader.marks(project.key, 2) == reader.marks(project.key + 1, 0) == {}
        assert reader.mark(project.key + 1, 1) is None


def test_a_mark_stays_when_history_is_rewritten(storage, project):
    append(storage, project, revision(1, made(1, "gone-one")))
    with storage.write() as writer:
        before = writer.mark(project.key, 1)
        writer.rewrite_history(project.key, lambda old: replace(old, changes=()))
        assert writer.mark(project.key, 1) == before


def test_every_authority_is_kept(storage, project):
    actors = [Actor("ada", authority) for authority in Authority]
    with storage.write() as writer:
        for number, actor in enumerate(actors, 1):
            writer.append_revision(project.key, replace(revision(number), actor=actor))
    with storage.read() as reader:
        assert [found.actor for found in reader.revisions(project.key)] == actors


def test_counters_add_up(storage, project):
    with storage.write() as writer:
        for key, name in enumerate(["used-one", "unused-one", "wrong-one"], 1):
            writer.put_memory(project.key, memory(key, id=name), "d")
        used = Uses(applied=1, surfaced=2, surfaced_direct=1)
        writer.add_usage(project.key, "2026-01-31", {"used-one": used})
        uses = {"used-one": Uses(applied=4), "wrong-one": Uses(wrong=1), "unused-one": Uses()}
        writer.add_usage(project.key, "2026-01-31", uses)
    with storage.read() as reader:
        used = Uses(surfaced=2, surfaced_direct=1, applied=5, days=1, last_seen="2026-01-31")
        assert reader.usage(project.key).total == {"used-one": used, "wrong-one": Uses(wrong=1)}
        assert reader.usage(project.key).tier == reader.usage(project.key).total
        assert reader.revision(project.key) == 0


def test_a_day_counts_once_and_only_when_it_is_a_later_one(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="seen-one"), "d")
        for day in ("2026-01-31", "2026-01-31", "2026-02-02", "2026-02-01"):
            writer.add_usage(project.key, day, {"seen-one": Uses(surfaced=1)})
        writer.add_usage(project.key, "2026-02-03", {"seen-one": Uses(applied=1)})
        assert writer.usage(project.key).total == {
            "seen-one": Uses(surfaced=4, applied=1, days=2, last_seen="2026-02-02")
        }


def test_a_first_feedback_is_no_day_seen(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="seen-one"), "d")
        writer.add_usage(project.key, "2026-01-31", {"seen-one": Uses(applied=1)})
        assert writer.usage(project.key).total == {"seen-one": Uses(applied=1)}
        writer.add_usage(project.key, "2026-01-31", {"seen-one": Uses(surfaced=1)})
        seen = Uses(surfaced=1, applied=1, days=1, last_seen="2026-01-31")
        assert writer.usage(project.key).total == {"seen-one": seen}


def test_each_tier_counts_anew_and_the_sum_is_of_all(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="moving-one"), "d")
        writer.add_usage(project.key, "2026-01-31", {"moving-one": Uses(surfaced=3)})
        writer.put_memory(project.key, memory(1, id="moving-one", tier=2), "d")
        assert writer.usage(project.key).tier == {}
        writer.add_usage(project.key, "2026-02-01", {"moving-one": Uses(surfaced=1, wrong=1)})
    with storage.read() as reader:
        usage = reader.usage(project.key)
        now = Uses(surfaced=1, wrong=1, days=1, last_seen="2026-02-01")
        assert usage.tier == {"moving-one": now}
        assert usage.total == {"moving-one": replace(now, surfaced=4, days=2)}


def test_questions_are_counted_by_day(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        for owner, day, count in (
            (project, "2026-02-01", 2),
            (project, "2026-01-31", 1),
            (project, "2026-02-01", 3),
            (project, "2026-02-02", 0),
            (other, "2026-02-01", 7),
        ):
            writer.add_usage(owner.key, day, {}, questions=count)
    with storage.read() as reader:
        assert reader.usage(project.key).questions == {"2026-01-31": 1, "2026-02-01": 5}
        assert reader.usage(other.key).questions == {"2026-02-01": 7}


def test_counters_follow_a_rename_and_its_redirect(storage, project):
    day, applied = "2026-01-31", Uses(applied=1)
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="old-name"), "d")
        writer.add_usage(project.key, day, {"old-name": applied})
        writer.put_memory(project.key, memory(1, id="new-name"), "d")
        writer.put_redirect(project.key, "old-name", 1)
        writer.add_usage(project.key, day, {"old-name": applied})
        assert writer.usage(project.key).total == {"new-name": Uses(applied=2)}


def test_counters_of_an_unknown_memory_are_dropped(storage, project):
    with storage.write() as writer:
        writer.put_redirect(project.key, "gone-memory", 9)
        for name in ("no-such-memory", "gone-memory"):
            writer.add_usage(project.key, "2026-01-31", {name: Uses(applied=1)})
        writer.put_memory(project.key, memory(9, id="back-again"), "d")
        assert writer.usage(project.key).total == {}


def test_counters_come_back_with_their_memory(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="restored-one"), "d")
        writer.add_usage(project.key, "2026-01-31", {"restored-one": Uses(applied=3)})
        writer.remove_memory(project.key, 1)
        assert writer.usage(project.key).total == {}
        writer.put_memory(project.key, memory(1, id="restored-one"), "d")
        assert writer.usage(project.key).total == {"restored-one": Uses(applied=3)}


def test_the_states_of_a_memory_come_newest_first_and_end_with_none_of_another(storage, project):
    first, other = made(1, "the-one"), made(2, "another")
    moved = edited(1, "now-this", 2, old_name="the-one")
    gone = removed(2, "another", 1)
    append(
        storage,
        project,
        revision(1, first, other),
        revision(2, moved),
        revision(3, gone),
    )
    with storage.read() as reader:
        assert list(reader.states(project.key, 1)) == [moved.after, first.after]
        assert list(reader.states(project.key, 2)) == [other.after]
        assert list(reader.states(project.key, 3)) == []
        assert list(reader.states(project.key + 1, 1)) == []


def test_days_count_again_after_a_clock_that_was_ahead(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="seen-one"), "d")
        for day in ("2027-01-31", "2026-01-31", "2026-01-31", "2026-02-01", "2026-01-31"):
            writer.add_usage(project.key, day, {"seen-one": Uses(surfaced=1)})
        assert writer.usage(project.key).total == {
            "seen-one": Uses(surfaced=5, days=3, last_seen="2026-02-01")
        }
