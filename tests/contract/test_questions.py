"""What is kept of questions that recall did not help with."""

from __future__ import annotations

from project_memory.model import Question

FIRST, LATER = "2026-01-31", "2026-02-01"
ONE = Question("how to reset", FIRST, FIRST, 1, 0)
TWO = Question("why Ünder load", FIRST, FIRST, 0, 1)


def kept(storage, project):
    with storage.read() as reader:
        return reader.questions(project.key)


def note(storage, project, *notes, limit=10):
    with storage.write() as writer:
        return writer.note_questions(project.key, notes, limit)


def test_a_question_is_kept_once_with_its_counts_and_days(storage, project):
    assert kept(storage, project) == []
    assert note(storage, project, TWO, ONE) == 0
    assert kept(storage, project) == [ONE, TWO]
    again = Question(ONE.text, LATER, LATER, 2, 3)
    note(storage, project, again)
    assert kept(storage, project) == [Question(ONE.text, FIRST, LATER, 3, 3), TWO]
    note(storage, project, Question(TWO.text, "2026-01-01", "2026-01-01", 1, 0))
    assert kept(storage, project)[1] == Question(TWO.text, "2026-01-01", FIRST, 1, 1)


def test_what_was_noted_least_is_dropped_then_what_was_not_noted_for_longest(storage, project):
    often = Question("often", "2025-01-01", "2025-01-01", 1, 1)
    late = Question("late", LATER, LATER, 1, 0)
    assert note(storage, project, often, ONE, late, TWO, limit=3) == 1
    assert kept(storage, project) == [ONE, late, often]
    assert note(storage, project, limit=2) == 1
    assert kept(storage, project) == [late, often]


def test_questions_of_a_project_are_its_own(storage, project):
    with storage.write() as writer:
        other = writer.put_project("other")
    note(storage, other, ONE, TWO)
    note(storage, project, ONE, limit=1)
    with storage.write() as writer:
        writer.forget_questions(project.key)
    assert kept(storage, project) == []
    assert kept(storage, other) == [ONE, TWO]


def test_questions_are_forgotten_by_their_texts(storage, project):
    note(storage, project, ONE, TWO)
    with storage.write() as writer:
        writer.forget_questions(project.key, [ONE.text, "never noted"])
        assert writer.questions(project.key) == [TWO]
        writer.forget_questions(project.key, [])
    assert kept(storage, project) == [TWO]
