"""What a project expects to be found, and its changes in the history."""

from __future__ import annotations

import pytest

from project_memory.errors import InvalidInput
from project_memory.model import (
    Actor,
    Authority,
    Expectation,
    ExpectationChange,
    Revision,
)

FIRST = Expectation("sync stalls ünder load", ("lake", "moor"), 3, "area:sync")
SECOND = Expectation("sync stalls ünder load", ("lake",))


def put(storage, project, *expectations):
    with storage.write() as writer:
        for each in expectations:
            writer.put_expectation(project.key, each)


def kept(storage, project):
    with storage.read() as reader:
        return reader.expectations(project.key)


def test_an_expectation_comes_back_as_it_was_by_query_and_labels(storage, project):
    earlier = Expectation("before", ("moor",))
    put(storage, project, FIRST, SECOND, earlier)
    assert kept(storage, project) == [earlier, SECOND, FIRST]


def test_an_expectation_is_replaced_by_its_question_in_its_project(storage, project):
    put(storage, project, SECOND, Expectation(SECOND.query, ("moor",), 9))
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_expectation(other.key, SECOND)
    assert kept(storage, project) == [Expectation(SECOND.query, ("moor",), 9)]
    assert kept(storage, other) == [SECOND]


def test_an_expectation_is_removed_in_its_project(storage, project):
    put(storage, project, FIRST, SECOND)
    with storage.write() as writer:
        other = writer.put_project("other")
        writer.put_expectation(other.key, FIRST)
        writer.remove_expectation(project.key, FIRST.id)
        writer.remove_expectation(project.key, "000000000000")
    assert kept(storage, project) == [SECOND]
    assert kept(storage, other) == [FIRST]


def test_what_cannot_be_stored_is_refused(storage, project):
    with pytest.raises(InvalidInput) as error:
        put(storage, project, Expectation("half a \ud800 pair", ("lake",)))
    assert str(error.value) == (
        "text holds the lone surrogate '\\ud800', which cannot be stored; send valid Unicode"
    )
    assert kept(storage, project) == []


def test_a_change_of_an_expectation_is_in_the_history(storage, project):
    changes = (
        ExpectationChange(None, FIRST),
        ExpectationChange(SECOND, None),
        ExpectationChange(FIRST, Expectation(FIRST.query, ("lake",), 2, FIRST.labels)),
    )
    made = Revision(
        1, Actor("ada", Authority.USER), "apply", None, "2026-01-31T09:30:00Z", changes
    )
    with storage.write() as writer:
        writer.append_revision(project.key, made)
    with storage.read() as reader:
        assert list(reader.revisions(project.key)) == [made]
