"""Do background work that is due: each job by one worker at a time, whatever became of others."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from project_memory.errors import ProjectMemoryError
from project_memory.jobs import STORE, Job, Kind
from project_memory.model import Clock, Project, timestamp
from project_memory.ports import Storage, Writer

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=120)
"""For which a worker has a job without saying that it still lives."""

TICK = 5.0
"""Seconds between two looks at what is due."""

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Task:
    """Work that can be done here.

    Attributes:
        kind: Which.
        project: On which project; None: the whole store.
        every: How long after one time the next is due.
        act: Does it, and returns what is kept of it.
    """

    kind: Kind
    project: Project | None
    every: timedelta
    act: Callable[[], Mapping[str, Any]]

    @property
    def key(self) -> tuple[int, Kind]:
        """Return what its job is known by."""
        return (self.project.key if self.project else STORE, self.kind)


def new_worker(host: str, process: int) -> str:
    """Return a name for a worker that no other has."""
    return f"{host}:{process}:{secrets.token_hex(4)}"


class Worker:
    """Takes jobs and does them, one after the other."""

    def __init__(
        self, storage: Storage, name: str, clock: Clock, *, lease: timedelta = LEASE
    ) -> None:
        self._storage, self._name, self._clock, self._lease = storage, name, clock, lease

    def do_due(self, tasks: Iterable[Task]) -> list[Job]:
        """Do what is due and nobody is at; return what came of it."""
        with self._storage.read() as reader:
            known = {(job.project, job.kind): job for job in reader.jobs()}
        due = (task for task in tasks if self._is_free(task, known.get(task.key)))
        return list(filter(None, (self.do(task) for task in due)))

    def do(self, task: Task, *, early: bool = False) -> Job | None:
        """Do one job; return what came of it, or None where another worker is at it.

        A job that is not due is done only where `early` says so. Whatever fails is kept with the
        job, and logged; it is tried again after a pause that grows.
        """
        taken = self._take(task, early=early)
        if taken is None:
            return None
        with self._renewing(task, taken):
            outcome = self._attempt(task, taken)
        with self._writing(task) as writer:
            has = writer.end_job(outcome)
        if not has:
            logger.warning(
                "job '%s' took longer than its lease, and another worker took it", task.kind
            )
            return None
        return replace(outcome, worker=None, leased_until=None)

    def _is_free(self, task: Task, job: Job | None) -> bool:
        """Return whether it is worth asking for a job, which takes a lock."""
        moment = self._clock()
        now, since = timestamp(moment), timestamp(moment - task.every)
        return job is None or (job.is_due(now, since) and not job.is_held(now))

    def _take(self, task: Task, *, early: bool) -> Job | None:
        now = self._clock()
        since = None if early else timestamp(now - task.every)
        asked = Job(*task.key, self._name, timestamp(now + self._lease))
        with self._writing(task) as writer:
            return writer.take_job(asked, timestamp(now), since)

    def _attempt(self, task: Task, job: Job) -> Job:
        try:
            result = task.act()
        except ProjectMemoryError as error:
            return self._failed(task, job, str(error))
        except Exception as error:
            # the outermost loop of a worker: a defect in one job must not end the others
            logger.exception("job '%s' failed", task.kind)
            return self._failed(task, job, f"internal error: {type(error).__name__}; see the log")
        now = self._clock()
        return replace(
            job,
            succeeded_at=timestamp(now),
            due_at=timestamp(now + task.every),
            failures=0,
            failing_since=None,
            error=None,
            result=result,
        )

    def _failed(self, task: Task, job: Job, said: str) -> Job:
        now, failures = self._clock(), job.failures + 1
        return replace(
            job,
            due_at=timestamp(now + pause(failures, task.every)),
            failures=failures,
            failing_since=job.failing_since or timestamp(now),
            error=said,
        )

    @contextmanager
    def _renewing(self, task: Task, job: Job) -> Iterator[None]:
        """Let the lease go on while the work is done."""
        end = Event()

        def renew() -> None:
            while not end.wait(self._lease.total_seconds() / 4):
                later = replace(job, leased_until=timestamp(self._clock() + self._lease))
                try:
                    with self._writing(task) as writer:
                        writer.renew_job(later)
                except ProjectMemoryError as error:
                    logger.warning("a lease was not renewed: %s", error)

        thread = Thread(target=renew, name="renewing", daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    def _writing(self, task: Task) -> AbstractContextManager[Writer]:
        return self._storage.write(task.project.name if task.project else None)


def _tell(job: Job) -> None:
    """Log how a job ended."""
    fields = {"job": job.kind.value, "next_at": job.due_at}
    if job.failures:
        fields |= {"failing_since": job.failing_since, "error": job.error}
        logger.error("background work fails", extra={"fields": fields})
    else:
        logger.info("background work done", extra={"fields": fields})


def pause(failures: int, every: timedelta) -> timedelta:
    """Return how long to wait after so many failures, from 1: twice as long after each."""
    doubled: timedelta = _FIRST_PAUSE * 2 ** min(failures - 1, 16)
    return min(doubled, _LONGEST_PAUSE, every)


class Background:
    """A thread in which a worker does what is due, until it is closed."""

    def __init__(
        self, worker: Worker, tasks: Callable[[], Iterable[Task]], *, tick: float = TICK
    ) -> None:
        self._worker, self._tasks, self._tick = worker, tasks, tick
        self._end = Event()
        self._thread = Thread(target=self._run, name="working", daemon=True)
        self._thread.start()

    def close(self, patience: float = 5.0) -> None:
        """End it after the job at hand, which is waited for at most so many seconds."""
        self._end.set()
        self._thread.join(patience)

    def _run(self) -> None:
        while not self._end.is_set():
            try:
                for job in self._worker.do_due(self._until_the_end()):
                    _tell(job)
            except ProjectMemoryError as error:
                # the store is out of reach, which it may not be the next time
                logger.warning("no background work can be done: %s", error)
            self._end.wait(self._tick)

    def _until_the_end(self) -> Iterator[Task]:
        for task in self._tasks():
            if self._end.is_set():
                return
            yield task
