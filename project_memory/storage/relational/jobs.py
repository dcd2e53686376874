"""Rows of background work."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from project_memory.jobs import Job, Kind
from project_memory.storage.codec import to_json
from project_memory.storage.relational.session import Session

_JOB = """project, kind, worker, leased_until, started_at, succeeded_at, due_at, failures,
    failing_since, error, result"""
_THIS = "project = ? AND kind = ?"
_DUE = """AND (succeeded_at IS NULL OR succeeded_at <= ?)
    AND (failures = 0 OR due_at IS NULL OR due_at <= ?)"""


def every(session: Session) -> list[Job]:
    """See `Reader.jobs`."""
    rows = session.rows(f"SELECT {_JOB} FROM jobs ORDER BY project, kind")
    return [_job(row) for row in rows]


def take(session: Session, job: Job, now: str, since: str | None) -> Job | None:
    """See `Writer.take_job`; the condition is that of `Job.is_due`."""
    key = (job.project, job.kind.value)
    known = """INSERT INTO jobs (project, kind, failures) VALUES (?, ?, 0)
        ON CONFLICT (project, kind) DO NOTHING"""
    session.run(known, key)
    due = "" if since is None else _DUE
    # one statement: of two that ask at once, one changes the row
    row = session.row(
        f"""UPDATE jobs SET worker = ?, leased_until = ?, started_at = ? WHERE {_THIS}
        AND (leased_until IS NULL OR leased_until <= ?) {due} RETURNING {_JOB}""",
        (job.worker, job.leased_until, now, *key, now, *((since, now) if since else ())),
    )
    return None if row is None else _job(row)


def renew(session: Session, job: Job) -> bool:
    """See `Writer.renew_job`."""
    sql = f"UPDATE jobs SET leased_until = ? WHERE {_THIS} AND worker = ?"
    return bool(session.run(sql, (job.leased_until, job.project, job.kind.value, job.worker)))


def end(session: Session, job: Job) -> bool:
    """See `Writer.end_job`."""
    result = None if job.result is None else to_json(job.result)
    outcome = (job.succeeded_at, job.due_at, job.failures, job.failing_since, job.error, result)
    sql = f"""UPDATE jobs SET worker = NULL, leased_until = NULL, succeeded_at = ?, due_at = ?,
        failures = ?, failing_since = ?, error = ?, result = ? WHERE {_THIS} AND worker = ?"""
    return bool(session.run(sql, (*outcome, job.project, job.kind.value, job.worker)))


def _job(row: tuple[Any, ...]) -> Job:
    project, kind, *beside, result = row
    held = None if result is None else json.loads(result)
    return replace(Job(project, Kind(kind), *beside), result=held)
