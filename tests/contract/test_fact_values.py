"""Memories are found by what their facts say under a key."""

from __future__ import annotations

from dataclasses import replace

from factories import memory

from project_memory.documents import value_digest
from project_memory.ports import CROWD

EIGHTY, NINETY = value_digest("80"), value_digest("90")


def port(value, **fields):
    return {"fact": value, "key": "port", **fields}


def put(storage, project, *memories):
    with storage.write() as writer:
        for one in memories:
            writer.put_memory(project.key, one, "d")


def others(storage, project, key="port", value=EIGHTY):
    with storage.read() as reader:
        return reader.other_values(project.key, key, value)


def test_those_that_say_otherwise_are_found_by_id(storage, project):
    put(
        storage,
        project,
        memory(1, id="ccc", remembered_facts=[port("90"), "plain"]),
        memory(2, id="aaa", remembered_facts=[port("100")]),
        memory(3, id="bbb", remembered_facts=[port("80")]),
        memory(4, id="ddd", remembered_facts=[{"fact": "90", "key": "host"}]),
    )
    assert others(storage, project) == ["aaa", "ccc"]
    assert others(storage, project, value=NINETY) == ["aaa", "bbb"]
    assert others(storage, project, key="absent") == []


def test_spelling_makes_no_other_key_and_no_other_value(storage, project):
    fact = {"fact": "The  Port", "key": "  PORT "}
    put(storage, project, memory(1, id="aaa", remembered_facts=[fact]))
    assert others(storage, project, value=value_digest("the port")) == []
    assert others(storage, project) == ["aaa"]


def test_a_deprecated_fact_says_nothing(storage, project):
    put(storage, project, memory(1, id="aaa", remembered_facts=[port("90", status="deprecated")]))
    assert others(storage, project) == []


def test_one_memory_with_two_other_values_is_named_once(storage, project):
    put(storage, project, memory(1, id="aaa", remembered_facts=[port("90"), port("100")]))
    assert others(storage, project) == ["aaa"]


def test_what_a_memory_said_before_is_forgotten(storage, project):
    put(storage, project, memory(1, id="aaa", remembered_facts=[port("90")]))
    put(storage, project, memory(1, id="aaa", remembered_facts=[port("80")]))
    assert others(storage, project) == []
    assert others(storage, project, value=NINETY) == ["aaa"]


def test_what_is_archived_removed_or_of_another_project_is_not_found(storage, project):
    one = memory(1, id="aaa", remembered_facts=[port("90")])
    put(storage, project, replace(one, archived_at="2026-02-01T00:00:00Z"))
    assert others(storage, project) == []
    put(storage, project, one)
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.remove_memory(project.key, 1)
        writer.put_memory(other.key, memory(2, id="bbb", remembered_facts=[port("90")]), "d")
    assert others(storage, project) == []
    assert others(storage, other) == ["bbb"]


def test_of_a_crowd_those_of_the_least_values_are_found_of_one_value_the_oldest(storage, project):
    crowd = [
        memory(key, id=f"m{key:03d}", remembered_facts=[port("90")]) for key in range(1, CROWD + 9)
    ]
    put(storage, project, *crowd)
    assert others(storage, project) == [f"m{key:03d}" for key in range(1, CROWD + 1)]
