"""What recall brings is counted apart, and nobody waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from factories import draft, memory

from project_memory.app import ProjectMemory
from project_memory.errors import StorageBusy
from project_memory.model import Actor, Authority, Usage, Uses
from project_memory.services.tally import Batch, Tally
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
DAY = "2026-01-31"
NEVER = 3600.0


class Watched:
    """A store that says when a write has ended, and that can refuse writes."""

    def __init__(self, storage):
        self._storage = storage
        self.refuse = False
        self.ended = threading.Event()

    @contextmanager
    def write(self, project=None):
        try:
            if self.refuse:
                raise StorageBusy("busy")
            with self._storage.write(project) as writer:
                yield writer
        finally:
            self.ended.set()

    def waited(self):
        """Return whether a write ended within ten seconds, and forget it."""
        found = self.ended.wait(10)
        self.ended.clear()
        return found


@pytest.fixture
def storage():
    storage = open_storage("inmemory://", create=True)
    with storage.write() as writer:
        writer.put_project("demo")
        for key, name in enumerate(("one", "two"), 1):
            writer.put_memory(1, memory(key, id=f"{name}-memory"), "d")
    return storage


def usage(storage) -> Usage:
    with storage.read() as reader:
        return reader.usage(1)


def test_a_full_batch_is_written_at_once(storage):
    watched = Watched(storage)
    tally = Tally(watched, 1, limit=2, seconds=NEVER)
    tally.add(DAY, {"one-memory": True, "two-memory": False}, "question 1")
    assert not watched.ended.is_set()
    tally.add(DAY, {"one-memory": False}, "question 2")
    assert watched.waited()
    one = Uses(surfaced=2, surfaced_direct=1, days=1, last_seen=DAY)
    two = Uses(surfaced=1, days=1, last_seen=DAY)
    assert usage(storage) == Usage(
        {"one-memory": one, "two-memory": two}, {"one-memory": one, "two-memory": two}, {DAY: 2}
    )
    tally.close()


def test_a_batch_is_written_after_a_while(storage):
    watched = Watched(storage)
    tally = Tally(watched, 1, seconds=0.01)
    tally.add(DAY, {"one-memory": False}, "question 3")
    assert watched.waited()
    assert usage(storage).questions == {DAY: 1}
    tally.close()


def test_closing_writes_what_is_left_by_day(storage):
    tally = Tally(storage, 1, seconds=NEVER)
    tally.add(DAY, {"one-memory": False}, "question 4")
    tally.add("2026-02-01", {"one-memory": True}, None)
    tally.close()
    tally.close()
    seen = Uses(surfaced=2, surfaced_direct=1, days=2, last_seen="2026-02-01")
    assert usage(storage).total == {"one-memory": seen}
    assert usage(storage).questions == {DAY: 1}


def test_what_cannot_be_written_is_written_later(storage):
    watched = Watched(storage)
    watched.refuse = True
    tally = Tally(watched, 1, limit=1, seconds=NEVER)
    tally.add(DAY, {"one-memory": False}, "question 5")
    assert watched.waited()
    assert usage(storage).total == {}
    watched.refuse = False
    tally.add(DAY, {"one-memory": False}, "question 6")
    tally.close()
    assert usage(storage).total["one-memory"].surfaced == 2
    assert usage(storage).questions == {DAY: 2}


def test_closing_gives_up_on_a_busy_store(storage):
    tally = Tally(storage, 1, seconds=NEVER)
    with storage.write():
        tally.add(DAY, {"one-memory": False}, "question 7")
        tally.close(patience=0.01)
        tally.add(DAY, {"one-memory": False}, "question 8")  # too late to count
    assert usage(storage).questions in ({}, {DAY: 1})


def test_counts_of_a_thread_that_is_gone_are_taken_up_by_another(storage):
    tally = Tally(storage, 1, seconds=NEVER)
    tally._thread = threading.Thread(target=int)  # as in a forked process: never started
    tally.add(DAY, {"one-memory": False}, "question 9")
    tally.close()
    assert usage(storage).questions == {DAY: 1}


def test_a_question_counts_once_a_day_and_what_it_brings_each_time(storage):
    tally = Tally(storage, 1, seconds=NEVER)
    for day, question in (
        (DAY, "why is it locked"),
        (DAY, "Why  is it LOCKED"),
        (DAY, "why is it slow"),
        ("2026-02-01", "why is it locked"),
    ):
        tally.add(day, {"one-memory": False}, question)
    tally.close()
    assert usage(storage).questions == {DAY: 2, "2026-02-01": 1}
    assert usage(storage).total["one-memory"].surfaced == 4


def test_batches_add_up():
    one, other = Batch(), Batch()
    assert not one
    other.questions[DAY] = 2
    other.surfaced[DAY, "a"] = 2
    other.direct[DAY, "a"] = 1
    one.add(other)
    one.add(other)
    assert one
    assert one.days() == [DAY]
    assert one.uses(DAY) == {"a": Uses(surfaced=4, surfaced_direct=2)}
    assert one.uses("2026-02-01") == {}


@pytest.fixture
def url(tmp_path):
    url = str(tmp_path / "store.db")
    with ProjectMemory.open(url, project="demo", actor=ADA, create=True) as memories:
        memories.create(draft(id="locked"))
        memories.create(
            draft(
                id="parser",
                description="A stray comma ends the list that the parser reads",
                remembered_facts=["the parser stops at the first comma"],
            )
        )
    return url


def opened(url):
    return ProjectMemory.open(url, project="demo", actor=ADA)


def test_what_a_question_brought_is_counted(url):
    with opened(url) as memories:
        memories.recall(query="is the sqlite database locked", limit=1)
        found = memories.recall(query="sqlite database is locked", limit=1)
        assert found.brought == {"locked": True}
    with opened(url) as memories:
        report = memories.usage()
        first, second = report.memories
        assert (first.id, first.tier, report.questions, report.count) == ("locked", 1, 2, 2)
        assert (first.total.surfaced, first.total.surfaced_direct, first.total.days) == (2, 2, 1)
        assert first.in_tier == first.total
        assert (second.id, second.total) == ("parser", Uses())


def test_a_question_that_brings_nothing_passes_nobody_over(url):
    with opened(url) as memories:
        assert memories.recall(query="quuxification of the frobnicator").nothing_relevant
    with opened(url) as memories:
        assert memories.usage().questions == 0


def test_browsing_is_not_counted(url):
    with opened(url) as memories:
        assert memories.recall().brought is None
        assert memories.recall(query="database locked", order="recent").brought is None
        memories.search("kind:bug")
        memories.get("locked")
    with opened(url) as memories:
        assert memories.usage().questions == 0
        assert {row.total for row in memories.usage().memories} == {Uses()}


def test_what_only_the_links_brought_is_no_direct_match(url):
    with opened(url) as memories:
        memories.link("locked", "related", "parser", link_reason="both were met on one day")
        assert memories.recall(related_to="locked").brought == {"parser": False}
        assert memories.recall(query="sqlite database").brought == {
            "locked": True,
            "parser": False,
        }


def test_a_further_page_is_no_further_question(url):
    with opened(url) as memories:
        memories.link("locked", "related", "parser", link_reason="both were met on one day")
        memories.recall(query="sqlite database", limit=1)
        memories.recall(query="sqlite database", limit=1, offset=1)
    with opened(url) as memories:
        assert memories.usage().questions == 1
        assert [row.total.surfaced for row in memories.usage().memories] == [1, 1]


def test_recall_does_not_wait_for_a_writer(url):
    with opened(url) as memories:
        with memories._storage.write():
            assert memories.recall(query="database is locked").answers
        assert memories.usage(limit=1).questions == 0
    with opened(url) as memories:
        assert memories.usage().questions == 1


def test_counts_change_no_rank_and_no_status(url):
    with opened(url) as memories:
        before = memories.recall(query="a database or a parser")
        revision = memories.stats().store.revision
        for _ in range(100):
            memories.record_use(["parser"], wrong_ids=["locked"])
        for _ in range(100):
            memories.recall(query="the parser reads a comma")
    with opened(url) as memories:
        assert memories.usage().memories[0].total.wrong + memories.usage().memories[1].total.wrong
        after = memories.recall(query="a database or a parser")
        assert after.answers == before.answers
        assert memories.stats().store.revision == revision


def test_a_crash_takes_only_the_batch(url):
    code = (
        "import os, sys\n"
        "from project_memory.app import ProjectMemory\n"
        "from project_memory.model import Actor, Authority\n"
        "bob = Actor('bob', Authority.AGENT)\n"
        "memories = ProjectMemory.open(sys.argv[1], project='demo', actor=bob)\n"
        "assert memories.recall(query='database is locked').answers\n"
        "os._exit(9)\n"
    )
    with opened(url) as memories:
        memories.recall(query="database is locked")
    assert subprocess.run([sys.executable, "-c", code, url], check=False).returncode == 9
    with opened(url) as memories:
        assert memories.usage().questions == 1
        assert memories.validate().problems == ()


def test_looking_up_finds_the_same_and_counts_nothing(tmp_path):
    path = str(tmp_path / "memory.db")
    with ProjectMemory.open(path, project="demo", actor=ADA, create=True) as memories:
        memories.create(draft())
        found = memories.look_up(query="database locked")
        memories.look_up(query="where is the kafka topic")
    with ProjectMemory.open(path, project="demo", actor=ADA) as memories:
        assert (memories.usage().questions, memories.gaps().questions) == (0, 0)
        assert memories.recall(query="database locked").answers == found.answers != ()
    with ProjectMemory.open(path, project="demo", actor=ADA) as memories:
        assert memories.usage().questions == 1
