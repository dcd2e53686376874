"""Few are answered at once, whoever asks: questions four at a time, changes one by one."""

from __future__ import annotations

import threading

import anyio
import anyio.to_thread

from project_memory.mcp_server.turns import READERS, Turns


class Answers:
    """Answers that wait until they are let go, and count how many are under way."""

    def __init__(self):
        self.begun, self.free = threading.Semaphore(0), threading.Event()
        self.under_way = self.most = 0
        self._lock = threading.Lock()

    def __call__(self):
        with self._lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        self.begun.release()
        assert self.free.wait(30)
        with self._lock:
            self.under_way -= 1


async def most_at_once(turn, count, expected):
    """Return how many of `count` answers were under way at once, where so many can be."""
    answers = Answers()
    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(turn, answers)
        for _ in range(expected):
            assert await anyio.to_thread.run_sync(answers.begun.acquire, True, 30)
        answers.free.set()
    return answers.most


def test_questions_are_answered_four_at_a_time():
    async def asked():
        return await most_at_once(Turns().read, 3 * READERS, READERS)

    assert anyio.run(asked) == READERS == 4


def test_changes_are_made_one_by_one_while_questions_are_answered():
    async def asked():
        turns, question = Turns(), Answers()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(turns.read, question)
            assert await anyio.to_thread.run_sync(question.begun.acquire, True, 30)
            most = await most_at_once(turns.write, 3, 1)
            question.free.set()
        return most

    assert anyio.run(asked) == 1
