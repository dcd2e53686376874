"""Memories are found by the bands of their text, the likest first."""

from __future__ import annotations

from dataclasses import replace

from factories import memory

from project_memory.ports import CROWD


def put(storage, project, bands, **memories):
    """Store memories under bands; the names are ids with the hyphen left out."""
    with storage.write() as writer:
        for name, key in memories.items():
            one = memory(key, id=name.replace("_", "-"))
            writer.put_memory(project.key, one, "d", bands)


def near(storage, project, bands, limit=10):
    with storage.read() as reader:
        return list(reader.near_text(project.key, bands, limit))


def test_a_memory_is_found_by_each_of_its_bands(storage, project):
    put(storage, project, [1, 2**62 - 1], one_memory=1)
    assert near(storage, project, [1]) == ["one-memory"]
    assert near(storage, project, [2**62 - 1, 5]) == ["one-memory"]
    assert near(storage, project, [5]) == []
    assert near(storage, project, []) == []


def test_those_under_the_most_bands_come_first_then_the_oldest(storage, project):
    put(storage, project, [1], bbb=2, ccc=1)
    put(storage, project, [1, 2], aaa=3)
    assert near(storage, project, [1, 2]) == ["aaa", "ccc", "bbb"]
    assert near(storage, project, [1, 2], limit=2) == ["aaa", "ccc"]


def test_a_memory_put_again_without_bands_stays_under_its_own(storage, project):
    put(storage, project, [1], one_memory=1)
    put(storage, project, None, one_memory=1)
    assert near(storage, project, [1]) == ["one-memory"]


def test_a_memory_put_again_with_bands_leaves_the_old_ones(storage, project):
    put(storage, project, [1], one_memory=1)
    put(storage, project, [2], one_memory=1)
    assert near(storage, project, [1]) == []
    assert near(storage, project, [2]) == ["one-memory"]


def test_a_memory_is_found_with_the_signs_that_were_put_with_its_bands(storage, project):
    one = memory(1, id="one-memory")
    signs = bytes(range(256))
    for told, kept in (((), b""), (([1], signs), signs), ((), signs), (([1],), b"")):
        with storage.write() as writer:
            writer.put_memory(project.key, one, "d", *told)
        with storage.read() as reader:
            found = reader.near_text(project.key, [1], 5)
        assert found == ({"one-memory": kept} if told or kept else {})


def test_a_renamed_memory_is_found_under_its_new_id(storage, project):
    put(storage, project, [1], one_memory=1)
    put(storage, project, None, new_name=1)
    assert near(storage, project, [1]) == ["new-name"]


def test_a_removed_memory_is_not_found_and_a_later_one_of_its_key_not_by_its_bands(
    storage, project
):
    put(storage, project, [1], one_memory=1)
    with storage.write() as writer:
        writer.remove_memory(project.key, 1)
    assert near(storage, project, [1]) == []
    put(storage, project, None, one_memory=1)
    assert near(storage, project, [1]) == []


def test_an_archived_memory_is_not_found_until_it_is_back(storage, project):
    one = memory(1, id="one-memory")
    for archived_at, found in (("2026-02-01T00:00:00Z", []), (None, ["one-memory"])):
        with storage.write() as writer:
            writer.put_memory(project.key, replace(one, archived_at=archived_at), "d", [1])
        assert near(storage, project, [1]) == found


def test_projects_do_not_see_each_others_texts(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_memory(other.key, memory(1, id="one-memory"), "d", [1])
    assert near(storage, project, [1]) == []
    assert near(storage, other, [1]) == ["one-memory"]


def test_of_a_crowded_band_the_oldest_are_looked_at(storage, project):
    ids = {f"m{key:03d}": key for key in range(1, CROWD + 10)}
    put(storage, project, [1], **ids)
    found = near(storage, project, [1], limit=2 * CROWD)
    assert found == [f"m{key:03d}" for key in range(1, CROWD + 1)]


def test_a_transaction_rolled_back_leaves_no_bands(storage, project):
    try:
        with storage.write() as writer:
            writer.put_memory(project.key, memory(1, id="one-memory"), "d", [1])
            raise KeyError
    except KeyError:
        pass
    assert near(storage, project, [1]) == []


def test_the_lesson_of_a_memory_is_its_description_and_facts(storage, project):
    facts = ["one fact", {"fact": "80", "key": "port"}]
    told = {"description": "Ports are fixed here", "remembered_facts": facts}
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="one-memory", **told), "d")
        writer.put_memory(project.key, memory(2, id="two-memory", remembered_facts=[]), "d")
    with storage.read() as reader:
        found = reader.lessons(project.key, ["two-memory", "one-memory", "gone-memory"])
        assert reader.lessons(project.key, []) == {}
    assert list(found) == ["two-memory", "one-memory"]
    assert found["one-memory"] == "Ports are fixed here\none fact\n80"
    assert found["two-memory"] == memory(2).document["description"]


def test_what_was_put_with_each_unarchived_memory_is_given_back(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
        told = ([2**62, 1, 7], b"\x00\xff\x80")
        writer.put_memory(project.key, memory(1, id="one-memory"), "d", *told)
        writer.put_memory(project.key, memory(2, id="two-memory"), "d", [3], b"\x01")
        writer.put_memory(project.key, memory(2, id="two-memory"), "d", [4], b"\x02")
        writer.put_memory(project.key, memory(3, id="bare-memory"), "d", [], b"")
        gone = replace(memory(4, id="archived"), archived_at="2026-02-01T00:00:00Z")
        writer.put_memory(project.key, gone, "d", *told)
        writer.put_memory(other.key, memory(5, id="one-memory"), "d", [9], b"\x09")
    with storage.read() as reader:
        assert reader.imprints(project.key) == {
            "one-memory": ((1, 7, 2**62), b"\x00\xff\x80"),
            "two-memory": ((4,), b"\x02"),
        }
        assert reader.imprints(other.key) == {"one-memory": ((9,), b"\x09")}
