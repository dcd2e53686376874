"""Questions that recall did not help with are kept, as far as they may be, and reported."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from factories import draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority, Question
from project_memory.services.gaps import telling
from project_memory.services.tally import KEPT

ADA = Actor("ada", Authority.USER)
FIRST, SECOND = "2026-01-31", "2026-02-01"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
UNKNOWN = "quuxification of the frobnicator"
LOCKED = "is the sqlite database locked"


@pytest.fixture
def url(tmp_path):
    url = str(tmp_path / "store.db")
    with opened(url) as memories:
        memories.create(draft(id="locked"))
        memories.create(
            draft(
                id="parser",
                description="A stray comma ends the list that the parser reads",
                remembered_facts=["the parser stops at the first comma"],
            )
        )
    return url


def opened(url, day=FIRST):
    moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return ProjectMemory.open(url, project="demo", actor=ADA, create=True, clock=lambda: moment)


def kept(url):
    with opened(url) as memories, memories._storage.read() as reader:
        return reader.questions(1)


def test_a_question_without_an_answer_is_kept_once_a_day_for_each_process(url):
    for day in (FIRST, FIRST, SECOND):
        with opened(url, day) as memories:
            for _ in range(3):
                assert memories.recall(query=UNKNOWN).nothing_relevant
    assert kept(url) == [Question(UNKNOWN, FIRST, SECOND, 3, 0)]


def test_what_is_not_asked_in_words_or_is_a_further_page_is_no_gap(url):
    with opened(url) as memories:
        memories.recall()
        memories.recall(query=" ", files=["nowhere.py"])
        memories.recall(query=UNKNOWN, offset=1)
        memories.recall(related_to="locked")
    assert kept(url) == []


def test_a_question_none_of_whose_hits_was_applied_is_kept(url):
    with opened(url) as memories:
        assert memories.recall(query=LOCKED, limit=1).brought == {"locked": True}
        memories.record_use(["parser"])
    assert kept(url) == [Question(LOCKED, FIRST, FIRST, 0, 1)]


def test_a_question_with_a_hit_that_was_applied_is_not_kept(url):
    with opened(url) as memories:
        memories.recall(query=LOCKED, limit=1)
        memories.record_use(["locked"])
    assert kept(url) == []


def test_a_process_that_applies_nothing_does_not_tell(url):
    with opened(url) as memories:
        memories.recall(query=LOCKED, limit=1)
        memories.record_use([], wrong_ids=["parser"])
    assert kept(url) == []


def test_a_day_that_ends_is_judged_by_what_was_applied_on_it(url):
    day = [FIRST]
    clock = lambda: datetime.fromisoformat(day[0]).replace(tzinfo=UTC)  # noqa: E731
    with ProjectMemory.open(url, project="demo", actor=ADA, clock=clock) as memories:
        memories.recall(query=LOCKED, limit=1)
        memories.record_use(["parser"])
        day[0] = SECOND
        memories.recall(query="the parser stops at the comma", limit=1)
        memories.record_use(["locked", "parser"])
    assert kept(url) == [Question(LOCKED, FIRST, FIRST, 0, 1)]


def test_no_secret_reaches_the_store(url, tmp_path):
    with opened(url) as memories:
        memories.recall(query=f"{UNKNOWN} with {TOKEN}")
    (question,) = kept(url)
    assert question.text.startswith(f"{UNKNOWN} with [redacted: ")
    assert all(TOKEN.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_the_report_groups_them_and_says_how_often_and_when(url):
    for day in (FIRST, SECOND):
        with opened(url, day) as memories:
            memories.recall(query=UNKNOWN)
            memories.recall(query="frobnicator quuxification zorblat")
            memories.recall(query="xylophonic wumpus")
    with opened(url) as memories:
        report = memories.gaps()
        first, second = report.gaps
        assert (first.questions, first.unanswered, first.unapplied) == (2, 4, 0)
        assert (first.first_day, first.last_day) == (FIRST, SECOND)
        assert second.example == "xylophonic wumpus"
        assert (report.count, report.questions, report.most) == (2, 3, KEPT)
        assert report.keeping
        assert memories.gaps(limit=1, offset=1).gaps == (second,)
        with pytest.raises(InvalidInput):
            memories.gaps(limit=0)


def test_switched_off_nothing_is_kept_and_what_was_is_forgotten(url):
    with opened(url) as memories:
        memories.recall(query=UNKNOWN)
    with opened(url) as memories:
        memories.recall(query="asked before it was switched off, zorblat")
        memories.configure({"questions": "off"})
        memories.recall(query="xylophonic wumpus")
        report = memories.gaps()
        assert (report.gaps, report.keeping) == ((), False)
    assert kept(url) == []
    with opened(url) as memories:
        memories.configure({"questions": None})
        memories.recall(query=UNKNOWN)
    assert [question.text for question in kept(url)] == [UNKNOWN]


def test_a_purge_forgets_the_questions_that_tell_of_it(url):
    with opened(url) as memories:
        memories.create(draft(id="staging-login", description="Log in at staging as bob admin"))
        with memories._storage.write() as writer:
            texts = ("LOG in at  staging as bob admin", "see staging-login", "staging-logins")
            writer.note_questions(1, [Question(t, FIRST, FIRST, 1) for t in texts], KEPT)
        memories.purge("staging-login", leave_copies=True)
    assert [question.text for question in kept(url)] == ["staging-logins"]


def test_a_purge_leaves_the_questions_of_other_projects(url):
    with opened(url) as memories, memories._storage.write() as writer:
        other = writer.put_project("other")
        for key in (1, other.key):
            writer.note_questions(key, [Question("see parser", FIRST, FIRST, 1)], KEPT)
    with opened(url) as memories:
        memories.purge("parser", leave_copies=True)
        with memories._storage.read() as reader:
            assert reader.questions(1) == []
            assert [question.text for question in reader.questions(other.key)] == ["see parser"]


def test_no_export_holds_a_question(url, tmp_path):
    with opened(url) as memories:
        memories.recall(query=UNKNOWN)
    with opened(url) as memories:
        memories.export_directory(tmp_path / "out")
        memories.export_file(tmp_path / "one.json", with_history=True)
    assert [question.text for question in kept(url)] == [UNKNOWN]
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    texts = [file.read_text() for file in (*files, tmp_path / "one.json")]
    assert [text for text in texts if UNKNOWN in text] == []


def test_what_was_asked_before_a_purge_is_not_written_after_it(url):
    with opened(url) as memories:
        memories.recall(query=UNKNOWN)
        with opened(url) as others:
            others.purge("parser", leave_copies=True)
        memories.recall(query="xylophonic wumpus")
    assert [question.text for question in kept(url)] == ["xylophonic wumpus"]


def test_a_question_that_was_cut_within_a_text_tells_of_it():
    text = "the password of the staging machine is a secret"
    asked = [
        Question(f"why is it that {cut}…", FIRST, FIRST) for cut in (text[:20], text[:5], text)
    ]
    assert telling(asked, [text], []) == [asked[0].text, asked[2].text]
