"""A store tells what it finds each memory by, all at once."""

from __future__ import annotations

from dataclasses import replace

from factories import memory

from project_memory.documents import value_digest
from project_memory.model import Handles

EIGHTY, NINETY = value_digest("80"), value_digest("90")


def handles(storage, project):
    with storage.read() as reader:
        return reader.handles(project.key)


def test_what_each_memory_is_found_by_is_told_by_id(storage, project):
    facts = [{"fact": "80", "key": "Port"}, {"fact": "90", "key": "port"}, "plain"]
    with storage.write() as writer:
        writer.put_memory(project.key, memory(1, id="bbb"), "d1", [7, 3, 5], b"signs")
        writer.put_memory(project.key, memory(2, id="aaa", remembered_facts=facts), "d2")
    assert handles(storage, project) == {
        "bbb": Handles("d1", 3, frozenset()),
        "aaa": Handles("d2", None, frozenset({("port", EIGHTY), ("port", NINETY)})),
    }


def test_what_a_memory_was_found_by_before_is_forgotten(storage, project):
    keyed = memory(1, id="aaa", remembered_facts=[{"fact": "80", "key": "port"}])
    with storage.write() as writer:
        writer.put_memory(project.key, keyed, "d1", [1, 2], b"signs")
        writer.put_memory(project.key, memory(1, id="aaa"), "d2", [4, 5], b"signs")
    assert handles(storage, project) == {"aaa": Handles("d2", 4, frozenset())}


def test_what_is_archived_or_of_another_project_is_left_out(storage, project):
    one = memory(1, id="aaa")
    with storage.write() as writer:
        other = writer.put_project("other")
        away = replace(one, archived_at="2026-02-01T00:00:00Z")
        writer.put_memory(project.key, away, "d1", [1], b"signs")
        writer.put_memory(other.key, memory(2, id="bbb"), "d2", [9], b"signs")
    assert handles(storage, project) == {}
    assert handles(storage, other) == {"bbb": Handles("d2", 9, frozenset())}
