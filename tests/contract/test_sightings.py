"""What audits found, kept by subject, code and place."""

from __future__ import annotations

from contextlib import suppress

import pytest

from project_memory.errors import InvalidInput
from project_memory.sightings import Sighting

NOW = "2026-01-31T09:30:00Z"


def sighting(code="orphan", subject="lake", place="", **fields):
    finding = {"severity": "note", "message": "nothing leads to it", "evidence": {"é": ["数", 1]}}
    return Sighting(code, subject, place, **{"finding": finding, "first_seen": NOW,
                                             "last_changed": NOW, **fields})  # fmt: skip


def put(storage, project, *sightings):
    with storage.write() as writer:
        for one in sightings:
            writer.put_sighting(project.key, one)


def kept(storage, project):
    with storage.read() as reader:
        return list(reader.sightings(project.key))


def test_a_sighting_comes_back_as_it_was(storage, project):
    whole = sighting(place="$.tags[0]", last_changed="2026-02-01T00:00:00Z", resolved_at=NOW)
    put(storage, project, whole)
    assert kept(storage, project) == [whole]


def test_sightings_are_listed_by_subject_code_and_place(storage, project):
    names = [("b", "moor", ""), ("a", "moor", "2"), ("a", "moor", "1"), ("z", "lake", "")]
    put(storage, project, *(sighting(*name) for name in names))
    assert [one.key for one in kept(storage, project)] == [names[3], names[2], names[1], names[0]]


def test_a_sighting_is_replaced_by_its_key_in_its_project(storage, project):
    put(storage, project, sighting(), sighting(resolved_at=NOW))
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_sighting(other.key, sighting(place="here"))
    assert kept(storage, project) == [sighting(resolved_at=NOW)]
    assert kept(storage, other) == [sighting(place="here")]


def test_what_was_found_on_a_subject_is_removed_in_its_project(storage, project):
    put(storage, project, sighting(), sighting("noisy"), sighting(subject="moor"))
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_sighting(other.key, sighting())
        writer.remove_sightings(project.key, "lake")
        writer.remove_sightings(project.key, "nothing")
    assert kept(storage, project) == [sighting(subject="moor")]
    assert kept(storage, other) == [sighting()]


def test_a_transaction_that_fails_leaves_no_sighting(storage, project):
    with suppress(RuntimeError), storage.write() as writer:
        writer.put_sighting(project.key, sighting())
        raise RuntimeError
    assert kept(storage, project) == []


def test_a_lone_surrogate_is_refused(storage, project):
    with pytest.raises(InvalidInput) as error, storage.write() as writer:
        writer.put_sighting(project.key, sighting(finding={"message": "half \ud800"}))
    assert str(error.value) == (
        "text holds the lone surrogate '\\ud800', which cannot be stored; send valid Unicode"
    )
