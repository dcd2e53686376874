"""Background work: one worker at a time, a lease that ends, and what came of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from project_memory.errors import InvalidInput
from project_memory.jobs import STORE, Job, Kind

NOW, SOON, LATER = "2026-01-31T09:30:00Z", "2026-01-31T09:31:00Z", "2026-01-31T09:32:00Z"
EVEN_LATER = "2026-01-31T09:33:00Z"


def asked(worker="one", until=SOON, project=STORE, kind=Kind.BACKUP):
    return Job(project, kind, worker, until)


def take(storage, job, now=NOW, since=None):
    with storage.write() as writer:
        return writer.take_job(job, now, since)


def end(storage, job):
    with storage.write() as writer:
        return writer.end_job(job)


def renew(storage, job):
    with storage.write() as writer:
        return writer.renew_job(job)


def kept(storage):
    with storage.read() as reader:
        return reader.jobs()


def test_a_job_is_one_workers_until_its_lease_ends(storage):
    assert take(storage, asked()) == Job(STORE, Kind.BACKUP, "one", SOON, NOW)
    assert take(storage, asked("two", LATER)) is None
    assert take(storage, asked("two", LATER), SOON) == Job(STORE, Kind.BACKUP, "two", LATER, SOON)
    assert kept(storage) == [Job(STORE, Kind.BACKUP, "two", LATER, SOON)]


def test_jobs_of_other_projects_and_kinds_are_apart(storage, project):
    for job in (asked(), asked(kind=Kind.AUDIT), asked(project=project.key)):
        assert take(storage, job) is not None
    assert [(job.project, job.kind) for job in kept(storage)] == [
        (STORE, Kind.AUDIT), (STORE, Kind.BACKUP), (project.key, Kind.BACKUP),
    ]  # fmt: skip


def test_a_lease_that_is_renewed_ends_later(storage):
    taken = take(storage, asked())
    assert renew(storage, replace(taken, leased_until=LATER))
    assert take(storage, asked("two", EVEN_LATER), SOON) is None
    assert take(storage, asked("two", EVEN_LATER), LATER) is not None
    assert not renew(storage, replace(taken, leased_until=EVEN_LATER))


def test_what_came_of_it_is_kept_and_a_recent_success_is_enough(storage):
    taken = take(storage, asked())
    done = replace(taken, succeeded_at=SOON, due_at=LATER, result={"rows": [1, "é"]})
    assert end(storage, done)
    assert kept(storage) == [replace(done, worker=None, leased_until=None)]
    assert take(storage, asked("two", EVEN_LATER), LATER, NOW) is None
    assert take(storage, asked("two", EVEN_LATER), LATER, SOON) == replace(
        done, worker="two", leased_until=EVEN_LATER, started_at=LATER
    )


def test_a_failure_is_kept_with_what_it_said(storage):
    taken = take(storage, asked())
    failed = replace(taken, due_at=LATER, failures=3, failing_since=NOW, error="no space left")
    assert end(storage, failed)
    assert kept(storage) == [replace(failed, worker=None, leased_until=None)]


def test_a_failure_waits_for_its_next_try(storage):
    taken = take(storage, asked())
    end(storage, replace(taken, due_at=LATER, failures=1))
    assert take(storage, asked("two", EVEN_LATER), SOON, NOW) is None
    assert take(storage, asked("two", EVEN_LATER), LATER, NOW).failures == 1


def test_one_that_is_not_due_can_be_taken_all_the_same_but_not_from_a_worker(storage):
    taken = take(storage, asked())
    assert take(storage, asked("two", LATER)) is None
    end(storage, replace(taken, succeeded_at=SOON, due_at=EVEN_LATER))
    assert take(storage, asked("two", EVEN_LATER), SOON, NOW) is None
    assert take(storage, asked("two", EVEN_LATER), SOON).worker == "two"


def test_whoever_lost_a_job_says_nothing_of_it(storage):
    lost = take(storage, asked())
    has = take(storage, asked("two", LATER), SOON)
    assert not end(storage, replace(lost, succeeded_at=SOON))
    assert kept(storage) == [has]
    assert not end(storage, asked("nobody", kind=Kind.INDEX))


def test_what_cannot_be_stored_is_refused(storage):
    taken = take(storage, asked())
    with pytest.raises(InvalidInput) as error:
        end(storage, replace(taken, error="\ud800"))
    assert "lone surrogate" in str(error.value)
    assert kept(storage) == [taken]


def test_of_many_who_ask_at_once_one_has_it(storage):
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: take(storage, asked(f"w{n}")), range(24)))
    assert sum(job is not None for job in found) == 1


def test_of_many_who_ask_at_once_for_a_projects_job_one_has_it(storage, project):
    def ask(number):
        with storage.write(project.name) as writer:
            return writer.take_job(asked(f"w{number}", project=project.key), NOW)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, range(24)))
    assert sum(job is not None for job in found) == 1
