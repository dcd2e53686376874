"""Commit, rollback, isolation, waiting, and the end of a view."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from factories import memory

from project_memory.errors import StorageBusy, StorageError
from project_memory.model import Uses


def stored_ids(storage, project):
    with storage.read() as reader:
        return [found.id for found in reader.memories(project.key)]


def test_a_clean_exit_commits(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(id="kept-one"), "d")
    assert stored_ids(storage, project) == ["kept-one"]


@pytest.mark.parametrize("reason", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_rolls_everything_back(storage, project, reason):
    def fail():
        with storage.write() as writer:
            writer.put_memory(project.key, memory(id="lost-one"), "d")
            writer.put_project("other")
            writer.add_usage(project.key, "2026-01-31", {"lost-one": Uses(applied=1)})
            raise reason

    with pytest.raises(reason):
        fail()
    with storage.read() as reader:
        assert [found.name for found in reader.projects()] == ["demo"]
    assert stored_ids(storage, project) == []


def test_a_store_can_be_written_after_a_rollback(storage, project):
    with pytest.raises(KeyError), storage.write():
        raise KeyError
    with storage.write() as writer:
        writer.put_memory(project.key, memory(id="kept-one"), "d")
    assert stored_ids(storage, project) == ["kept-one"]


def test_a_writer_reads_what_it_has_written(storage, project):
    with storage.write() as writer:
        writer.put_memory(project.key, memory(id="fresh-one"), "d")
        assert writer.memory(project.key, "fresh-one") == memory(id="fresh-one")
        assert writer.same_text(project.key, "d") == ["fresh-one"]
        assert [found.id for found in writer.memories(project.key)] == ["fresh-one"]


def test_a_reader_keeps_the_view_of_the_moment_it_opened(storage, project):
    with storage.read() as early:
        with storage.write() as writer:
            writer.put_memory(project.key, memory(id="later-one"), "d")
            assert early.memory(project.key, "later-one") is None
        assert early.memory(project.key, "later-one") is None
        assert list(early.memories(project.key)) == []
        with storage.read() as late:
            assert late.memory(project.key, "later-one") == memory(id="later-one")


def test_an_unused_reader_has_its_view_from_the_opening_too(storage, project):
    with storage.read() as early:
        with storage.write() as writer:
            writer.put_project("another")
        assert [found.name for found in early.projects()] == ["demo"]


def test_readers_answer_while_a_writer_holds_its_transaction(storage, project):
    holding, done = threading.Event(), threading.Event()

    def hold():
        with storage.write() as writer:
            writer.put_memory(project.key, memory(id="held-one"), "d")
            holding.set()
            assert done.wait(60)

    with ThreadPoolExecutor(9) as threads:
        held = threads.submit(hold)
        assert holding.wait(60)
        try:
            answers = [threads.submit(stored_ids, storage, project) for _ in range(64)]
            assert [answer.result(60) for answer in answers] == [[]] * 64
            assert not held.done()
        finally:
            done.set()
        held.result(60)
    assert stored_ids(storage, project) == ["held-one"]


def test_many_waiting_writers_do_not_keep_readers_waiting(storage, project):
    holding, done = threading.Event(), threading.Event()
    waiting = threading.Barrier(21)

    def hold():
        with storage.write():
            holding.set()
            assert done.wait(60)

    def wait_in_line():
        waiting.wait(60)
        with storage.write():
            pass

    with ThreadPoolExecutor(22) as threads:
        held = threads.submit(hold)
        assert holding.wait(60)
        line = [threads.submit(wait_in_line) for _ in range(20)]
        waiting.wait(60)
        try:
            assert threads.submit(stored_ids, storage, project).result(60) == []
        finally:
            done.set()
        for waiter in (held, *line):
            waiter.result(60)


def test_a_second_writer_gives_up_after_the_busy_timeout(back_end):
    first, second = back_end(busy_timeout=0.1), back_end(busy_timeout=0.1)
    with first.write(), pytest.raises(StorageBusy) as error, second.write():
        pass
    assert str(error.value) == (
        f"store '{_place(second)}' is busy, another writer has held it for too long; "
        "repeat the command"
    )


def test_a_second_writer_of_the_same_object_gives_up_too(back_end):
    storage = back_end(busy_timeout=0.1)
    with storage.write(), pytest.raises(StorageBusy), storage.write():
        pass


def test_the_lock_is_free_after_a_busy_error(back_end):
    first, second = back_end(busy_timeout=0.1), back_end(busy_timeout=0.1)
    with first.write(), pytest.raises(StorageBusy), second.write():
        pass
    with second.write() as writer:
        writer.put_project("after-all")
    with first.read() as reader:
        assert [found.name for found in reader.projects()] == ["after-all"]


def test_eight_threads_write_and_read_without_losing_anything(storage, project):
    start = threading.Barrier(8)

    def work(number):
        start.wait(60)
        for turn in range(12):
            name = f"thread-{number}-{turn}"
            with storage.write() as writer:
                found = memory(writer.next_key(), id=name, author=f"actor-{number}")
                writer.put_memory(project.key, found, f"digest-{turn}")
            with storage.read() as reader:
                assert reader.memory(project.key, name) == found

    with ThreadPoolExecutor(8) as threads:
        for future in [threads.submit(work, number) for number in range(8)]:
            future.result(120)
    with storage.read() as reader:
        found = list(reader.memories(project.key))
    assert len(found) == 96
    assert {one.key for one in found} == set(range(1, 97))


def test_readers_see_only_whole_transactions(storage, project):
    with storage.write() as writer:
        for key in (1, 2):
            writer.put_memory(project.key, memory(key, id=f"pair-{key}", tags=["0"]), "d")
    finished = threading.Event()

    def write():
        try:
            for turn in range(1, 40):
                with storage.write() as writer:
                    for key in (1, 2):
                        pair = memory(key, id=f"pair-{key}", tags=[str(turn)])
                        writer.put_memory(project.key, pair, "d")
        finally:
            finished.set()

    def read():
        while not finished.is_set():
            with storage.read() as reader:
                first = reader.memory(project.key, "pair-1")
                second = reader.memory(project.key, "pair-2")
            assert first.document["tags"] == second.document["tags"]

    with ThreadPoolExecutor(4) as threads:
        for future in [threads.submit(write), *(threads.submit(read) for _ in range(3))]:
            future.result(120)


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_view_refuses_to_work_after_its_end(storage, project, mode):
    with getattr(storage, mode)() as view:
        pass
    with pytest.raises(StorageError) as error:
        view.memory(project.key, "any-one")
    assert str(error.value) == (
        f"this view of store '{_place(storage)}' has ended; open another one"
    )


def test_a_view_that_has_ended_does_not_join_the_next_one(storage, project):
    with storage.read() as old:
        pass
    with storage.read() as fresh:
        assert fresh.project("demo") == project
        with pytest.raises(StorageError):
            old.memory(project.key, "any-one")


def test_an_iteration_that_outlives_its_view_is_refused(storage, project):
    with storage.write() as writer:
        for key in range(1, 4):
            writer.put_memory(project.key, memory(key, id=f"memory-{key}"), "d")
    with storage.read() as reader:
        found = reader.memories(project.key)
        next(found)
        fresh = reader.memories(project.key, ["memory-1"])
    with pytest.raises(StorageError):
        list(fresh)
    with storage.write() as writer:
        writer.remove_memory(project.key, 1)
    assert stored_ids(storage, project) == ["memory-2", "memory-3"]


def test_a_closed_store_refuses_to_work(back_end):
    storage = back_end()
    storage.close()
    storage.close()
    for mode in (storage.read, storage.write):
        with pytest.raises(StorageError) as error, mode():
            pass
        assert str(error.value) == f"store '{_place(storage)}' is closed; open it again"


def test_a_view_that_is_open_survives_the_closing_of_the_store(back_end):
    storage = back_end()
    with storage.read() as reader:
        storage.close()
        assert reader.projects() == []


def test_the_store_id_is_random_and_stays(storage, back_end):
    with storage.read() as reader:
        first = reader.store_id()
    with back_end().read() as reader:
        assert reader.store_id() == first
    assert len(first) == 32
    assert set(first) <= set("0123456789abcdef")


def _place(storage):
    return storage.url.removeprefix("sqlite://")
