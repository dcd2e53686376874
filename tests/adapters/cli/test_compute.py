"""``compute`` reports what is new, and acts on nothing."""

from __future__ import annotations

import json
import re
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from project_memory.app import ProjectMemory
from project_memory.jobs import Job, Kind
from project_memory.storage import open_storage


def test_what_is_new_is_told_once_and_nothing_is_acted_on(store) -> None:
    store("link", "second", "supersedes", "first")
    code, out, err = store("compute", "--once")
    assert code == 0
    assert "new\tnote\tsuperseded-removable\tfirst\tsuperseded by 'second'; archive it\n" in out
    assert " found for the first time, 0 resolved\n" in err
    assert store("compute", "--once")[1] == ""
    assert json.loads(store("show", "first", "--json")[1])["meta"].get("archived_at") is None


def test_what_is_resolved_is_told(store) -> None:
    store("link", "second", "supersedes", "first")
    store("compute", "--once")
    store("unlink", "second", "supersedes", "first")
    out = store("compute", "--once")[1]
    assert "resolved\t\tsuperseded-removable\tfirst\t\n" in out


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let time pass at once between two looks, and interrupt the third."""
    passed: list[float] = []
    begun = datetime.now(UTC)

    def wait(event: threading.Event, seconds: float | None = None) -> bool:
        if seconds is None or threading.current_thread() is not threading.main_thread():
            return real(event, seconds)
        passed.append(seconds)
        if len(passed) == 3:
            raise KeyboardInterrupt
        return False

    real = threading.Event.wait
    monkeypatch.setattr(threading.Event, "wait", wait)
    monkeypatch.setattr(
        "project_memory.app.ProjectMemory.open",
        partial(ProjectMemory.open, clock=lambda: begun + timedelta(seconds=sum(passed))),
    )
    return passed


def test_it_does_what_is_due_until_it_is_interrupted(store, waited: list[float]) -> None:
    code, _, err = store("compute", "--every", "2")
    assert code == 130, err
    assert waited == [60, 60, 60]
    assert err.count("found for the first time") == 2  # at once, and after two minutes


def test_jobs_are_listed_with_what_fails(store, tmp_path) -> None:
    (tmp_path / "file").write_text("no folder")
    line = ("compute", "--once", "--kind", "backup", "--backup-dir", "file/backups")
    code, out, err = store(*line)
    assert (code, out) == (3, "")
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    said = (
        rf"backup '{tmp_path}/file/backups/project-memory-[0-9a-f]{{12}}-\d{{8}}T\d{{6}}Z-1.db' "
        r"cannot be written \(not a directory\); check that you may write to its folder and that "
        r"there is space left"
    )
    assert re.fullmatch(
        rf"{moment}: 0 found for the first time, 0 resolved\n"
        rf"warning: backup fails, next try {moment}: {said}\n",
        err,
    )
    store("compute", "--once", "--kind", "audit")
    code, out, err = store("compute", "--list")
    assert (code, err) == (0, "")
    backup, audit = out.splitlines()
    assert re.fullmatch(rf"backup\t\tfailing\t{moment}\t\t{moment}\t1\t{said}", backup)
    assert re.fullmatch(rf"audit\tdemo\tdone\t{moment}\t{moment}\t{moment}\t0\t", audit)


def test_a_person_reads_how_jobs_are(store, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    store("compute", "--once", "--kind", "backup", "--backup-dir", "file")
    store("compute", "--once", "--kind", "index")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    out = store("compute", "--list")[1]
    assert re.search(r"  index of demo: done, last done \S+\n", out)


def test_a_job_that_another_is_at_is_left_to_it(store, tmp_path) -> None:
    path = str(tmp_path / "memory.db")
    with closing(open_storage(path, create=False)) as storage, storage.write() as writer:
        job = Job(writer.project("demo").key, Kind.AUDIT, "far:1:a", "2999-01-01T00:00:00Z")
        writer.take_job(job, "2026-01-01T00:00:00Z")
    code, _, err = store("compute", "--once", "--kind", "audit")
    assert code == 0
    assert err.endswith("audit was left to 'far:1:a', who is at it\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--kind backup", "--kind backup needs a folder; name it with --backup-dir"),
        ("--kind staleness", "staleness is told by the project's code; run `project-memory "
         "compute` in a checkout of it"),
        ("--backup-keep 3", "--backup-interval and --backup-keep say how backups are made, and "
         "--backup-dir, which says where, is missing"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_says_why(store, line: str, message: str) -> None:
    assert store("compute", "--once", *line.split()) == (2, "", f"error: {message}\n")


def test_backups_are_made_beside(store, tmp_path) -> None:
    line = ("compute", "--once", "--backup-dir", "backups", "--backup-keep", "1", "--json")
    store(*line)
    code, out, _ = store(*line)
    made = {job["kind"]: job for job in json.loads(out)["jobs"]}["backup"]["result"]
    assert (code, [str(file) for file in (tmp_path / "backups").iterdir()]) == (0, [made["file"]])
