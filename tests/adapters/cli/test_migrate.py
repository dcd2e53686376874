"""A store goes to a database and back on the command line; a password goes nowhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

PASSWORD = "open-sesame"


def test_a_store_goes_to_a_database_and_back(store, postgres, tmp_path: Path) -> None:
    url, file = postgres(), f"sqlite://{tmp_path}/copy.db"
    shown = json.loads(store("show", "first", "--json")[1])
    history = json.loads(store("history", "list", "--json")[1])
    code, out, err = store("migrate", "--to", url)
    assert (code, out.splitlines()[:3]) == (
        0,
        [f"source\tsqlite://{tmp_path}/memory.db", f"target\t{url}", "projects\t1"],
    )
    assert err == (
        f"what is written to 'sqlite://{tmp_path}/memory.db' from now on is not in the copy; "
        "point every client to the copy\n"
    )
    code, out, _ = store("--store", url, "migrate", "--to", file, "--json")
    assert (code, json.loads(out)["rows"]["memories"]) == (0, 2)
    for place in (url, file):
        there = json.loads(store("--store", place, "show", "first", "--json")[1])
        assert there["memory"] == shown["memory"]
        assert there["meta"] == shown["meta"]
        told = json.loads(store("--store", place, "history", "list", "--json")[1])
        assert told["revisions"] == history["revisions"]
        assert store("--store", place, "undo")[0] == 0


def test_a_person_sees_what_was_copied(store, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    code, out, _ = store("migrate", "--to", "copy.db")
    assert code == 0
    first, source, target = out.splitlines()
    start, _, end = first.partition("; all ")
    assert start == "projects: 1, memories: 2, revisions: 4"
    assert end.endswith(" rows were compared")
    assert f"from sqlite://{tmp_path}/memory.db" in source
    assert f"to sqlite://{tmp_path}/copy.db" in target


def test_a_place_that_is_taken_is_the_callers_mistake(store, tmp_path: Path) -> None:
    assert store("migrate", "--to", "copy.db")[0] == 0
    assert store("migrate", "--to", "copy.db") == (
        2,
        "",
        f"error: store 'sqlite://{tmp_path}/copy.db' holds projects already; name a place without "
        "a store\n",
    )


@pytest.fixture
def with_password(postgres) -> tuple[str, str]:
    """Return the URL of a database with a password, and as it may be shown."""
    url = postgres()
    return url.replace("@", f":{PASSWORD}@"), url


def test_setup_writes_no_password_for_a_client(run, with_password, tmp_path: Path) -> None:
    url, shown = with_password
    code, out, err = run("--store", url, "setup", "--claude", "--no-skills")
    assert code == 0, err
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(shown in path.read_text() for path in written)
    assert not any(PASSWORD in path.read_text() for path in written)
    assert PASSWORD not in out + err


def test_no_answer_and_no_error_repeats_a_password(run, with_password) -> None:
    url, shown = with_password
    lines = [
        ("doctor",),
        ("show", "first"),
        ("init",),
        ("init",),
        ("project", "show"),
        ("stats",),
        ("doctor",),
        ("show", "first"),
        ("audit", "--apply", "--yes"),
        ("migrate", "--to", url),
    ]
    for line in lines:
        for form in ([], ["--json"], ["--debug"]):
            _, out, err = run("--store", url, *line, *form)
            assert PASSWORD not in out + err, line
    assert shown in run("--store", url, "stats", "--json")[1]
