"""Background work: done when it is due, by one worker at a time; failures wait and are kept."""

from __future__ import annotations

import json
import logging
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from factories import draft

from project_memory.app import ProjectMemory, check_store
from project_memory.errors import InvalidInput, StorageError
from project_memory.hosting import Host
from project_memory.jobs import Backups, Kind, Plan
from project_memory.model import Actor, Authority
from project_memory.services import computing
from project_memory.services.working import Background, Task, Worker, pause
from project_memory.storage import open_storage

ADA = Actor("ada", Authority.USER)
HOUR = timedelta(hours=1)


class Clock:
    def __init__(self):
        self.now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path):
    if request.param == "postgres":
        return request.getfixturevalue("postgres")()
    return str(tmp_path / "memory.db")


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def storage(url):
    with ProjectMemory.open(url, project="shop", actor=ADA, create=True) as memories:
        memories.create(draft(id="first"))
    with closing(open_storage(url, create=False)) as opened:
        yield opened


def task(act=dict, kind=Kind.BACKUP, every=HOUR):
    return Task(kind, None, every, act)


def worker(storage, clock, name="one", **how):
    return Worker(storage, name, clock, **how)


def failing(message="no space left"):
    def act():
        raise StorageError(message)

    return act


def test_what_is_due_is_done_once_an_interval(storage, clock):
    done = []
    tasks = [task(lambda: done.append(clock.now) or {"n": len(done)})]
    for minutes in (0, 30, 59, 60, 61):
        clock.now = datetime(2026, 1, 31, 9, 30, tzinfo=UTC) + timedelta(minutes=minutes)
        worker(storage, clock).do_due(tasks)
    assert [moment.hour for moment in done] == [9, 10]
    (kept,) = reader_jobs(storage)
    assert (kept.succeeded_at, kept.due_at, kept.result) == (
        "2026-01-31T10:30:00Z", "2026-01-31T11:30:00Z", {"n": 2},
    )  # fmt: skip


def reader_jobs(storage):
    with storage.read() as reader:
        return reader.jobs()


def test_a_shorter_interval_holds_at_once(storage, clock):
    worker(storage, clock).do_due([task()])
    clock.now += timedelta(minutes=10)
    assert worker(storage, clock).do_due([task()]) == []
    assert len(worker(storage, clock).do_due([task(every=timedelta(minutes=10))])) == 1


def test_a_failure_is_kept_and_tried_again_after_longer_and_longer(storage, clock):
    begun, waits = "2026-01-31T09:30:00Z", []
    for _ in range(3):
        (job,) = worker(storage, clock).do_due([task(failing())])
        assert (job.failing_since, job.error, job.succeeded_at) == (begun, "no space left", None)
        due = datetime.fromisoformat(job.due_at)
        waits.append((due - clock.now).total_seconds() / 60)
        clock.now = due - timedelta(seconds=1)
        assert worker(storage, clock).do_due([task(failing())]) == []
        clock.now = due
    assert waits == [1, 2, 4]
    (job,) = worker(storage, clock).do_due([task(lambda: {"ok": 1})])
    assert (job.failures, job.failing_since, job.error, job.result) == (0, None, None, {"ok": 1})


def test_a_pause_is_at_most_an_hour_and_the_interval():
    assert pause(7, 24 * HOUR) == HOUR
    assert pause(500, 24 * HOUR) == HOUR
    assert pause(7, timedelta(minutes=5)) == timedelta(minutes=5)


def test_a_defect_ends_no_other_job_and_is_in_the_log(storage, clock, caplog):
    def broken():
        raise ZeroDivisionError("what somebody said")

    first, second = worker(storage, clock).do_due([task(broken), task(kind=Kind.INDEX)])
    assert first.error == "internal error: ZeroDivisionError; see the log"
    assert (second.failures, caplog.messages) == (0, ["job 'backup' failed"])


def test_nobody_else_is_at_a_job_while_one_is(storage, clock):
    def act():
        other = worker(storage, clock, "two")
        assert other.do_due([task()]) == []
        assert other.do(task(), early=True) is None
        return {"alone": True}

    assert worker(storage, clock).do(task(act)).result == {"alone": True}


def test_a_lease_is_renewed_while_the_work_is_done(storage):
    def now():
        return datetime.now(UTC)

    def act():
        taken = reader_jobs(storage)[0].leased_until
        while reader_jobs(storage)[0].leased_until == taken:
            renewed.wait(0.05)
        return {}

    renewed = threading.Event()
    one = Worker(storage, "one", now, lease=timedelta(seconds=2))
    assert one.do(task(act)).failures == 0


def test_whoever_took_longer_than_its_lease_leaves_the_word_to_the_next(storage, clock, caplog):
    def act():
        clock.now += timedelta(minutes=3)
        worker(storage, clock, "two").do(task(lambda: {"by": "two"}))
        return {"by": "one"}

    assert worker(storage, clock).do(task(act)) is None
    assert [job.result for job in reader_jobs(storage)] == [{"by": "two"}]
    assert caplog.messages == [
        "job 'backup' took longer than its lease, and another worker took it"
    ]


def test_a_thread_does_what_is_due_until_it_is_closed(storage, clock):
    done = threading.Event()
    background = Background(
        worker(storage, clock), lambda: [task(lambda: done.set() or {})], tick=0.01
    )
    assert done.wait(60)
    background.close()
    assert reader_jobs(storage)[0].worker is None


def test_a_store_out_of_reach_does_not_end_the_thread(tmp_path, clock, caplog):
    tried = threading.Event()

    def tasks():
        if caplog.messages:
            tried.set()
        raise StorageError("the server is away")
        yield

    with closing(open_storage("inmemory://", create=True)) as storage:
        background = Background(worker(storage, clock), tasks, tick=0.01)
        assert tried.wait(60)
        background.close()
    assert caplog.messages[0] == "no background work can be done: the server is away"


def test_each_check_of_the_audit_is_of_one_kind():
    codes = [code for each in computing.CODES.values() for code in each]
    assert sorted(codes) == sorted(set(codes) | set(computing.CHECKS))
    assert set(computing.CODES) == {Kind.AUDIT, Kind.STALENESS, Kind.DUPLICATES}


def test_no_job_changes_a_memory(url, storage, tmp_path):
    text = {"description": "Writers see 'database is locked' under load"}
    with ProjectMemory.open(url, project="shop", actor=ADA) as memories:
        memories.create(draft(id="second", **text))
        memories.link("second", "supersedes", "first")
        before = memories.history()
        plan = Plan(
            frozenset({Kind.INDEX, Kind.AUDIT, Kind.DUPLICATES}),
            backups=Backups(tmp_path / "backups", HOUR, 2),
        )
        report = memories.compute(plan, early=True)
        assert [(job.kind.value, job.state) for job in report.jobs] == [
            ("backup", "done"), ("audit", "done"), ("duplicates", "done"), ("index", "done"),
        ]  # fmt: skip
        assert [finding.code for finding in report.new][:1] == ["superseded-removable"]
        assert memories.history() == before
        results = {job.kind: job.result for job in memories.jobs().jobs}
    assert results[Kind.INDEX] == {"memories": 2}
    assert results[Kind.AUDIT]["counts"]["error"] == 0
    assert (tmp_path / "backups").joinpath(results[Kind.BACKUP]["file"]).exists()


def test_checks_that_the_project_ignores_are_not_made(url, storage):
    with ProjectMemory.open(url, project="shop", actor=ADA) as memories:
        memories.configure({"audit": {"ignore": list(computing.CODES[Kind.DUPLICATES])}})
        report = memories.compute(Plan(frozenset({Kind.DUPLICATES})), early=True)
    assert [job.result for job in report.jobs] == [{}]


def test_staleness_needs_a_checkout(url, storage):
    with (
        ProjectMemory.open(url, project="shop", actor=ADA) as memories,
        pytest.raises(InvalidInput) as error,
    ):
        memories.compute(Plan(frozenset({Kind.STALENESS})), early=True)
    assert str(error.value) == (
        "staleness is told by the project's code; run `project-memory compute` in a checkout of it"
    )


def test_a_server_does_the_work_of_every_project(url, storage, tmp_path):
    with storage.write() as writer:
        writer.put_project("till")
    with Host.open(url) as host:
        host.begin_work(Plan(frozenset({Kind.AUDIT})))
        while [job.state for job in host.jobs()] != ["done", "done"]:
            threading.Event().wait(0.02)
        assert [job.project for job in host.jobs()] == ["shop", "till"]
        assert host.warnings() == []


def test_backups_that_fail_are_told_to_the_administrator(url, storage, clock):
    worker(storage, clock).do(task(failing("no space left at /backups")))
    with Host.open(url) as host:
        assert host.warnings() == ["backups fail since 2026-01-31T09:30:00Z; see the log"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_the_doctor_names_what_fails_and_when_it_is_next_tried(url, storage, clock):
    worker(storage, clock).do(task(failing("no space left at /backups")))
    (check,) = [each for each in check_store(url, "shop") if each.name == "background work"]
    assert (check.ok, check.detail) == (
        False,
        "'backup' fails since 2026-01-31T09:30:00Z (no space left at /backups); it is tried again "
        "at 2026-01-31T09:31:00Z, or at once by `project-memory compute --once`",
    )


def test_the_log_of_a_server_says_what_failed_and_when_it_is_next_tried(storage, clock, caplog):
    caplog.set_level(logging.INFO)
    done = threading.Event()
    tasks = [task(failing()), task(lambda: done.set() or {}, kind=Kind.INDEX)]
    background = Background(worker(storage, clock), lambda: tasks, tick=0.01)
    assert done.wait(60)
    background.close()
    told = [(record.levelname, record.getMessage(), json.dumps(record.fields, sort_keys=True))
            for record in caplog.records if hasattr(record, "fields")]  # fmt: skip
    assert told[:2] == [
        ("ERROR", "background work fails",
         '{"error": "no space left", "failing_since": "2026-01-31T09:30:00Z", "job": "backup", '
         '"next_at": "2026-01-31T09:31:00Z"}'),
        ("INFO", "background work done", '{"job": "index", "next_at": "2026-01-31T10:30:00Z"}'),
    ]  # fmt: skip
