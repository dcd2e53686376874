"""Purging at a terminal, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(type(stream), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


def test_a_person_types_the_exact_id(store, terminal: None) -> None:
    code, _, err = store("purge", "first", "--confirm-exact-id", "firs")
    assert (code, err) == (
        2,
        "error: 'firs' confirms the purge of 'first', so nothing was removed; repeat the exact "
        "id with --confirm-exact-id\n",
    )
    assert store("show", "first")[0] == 0
    code, _, err = store("purge", "first", "--confirm-exact-id", "first")
    assert code == 2
    assert "a text of 'first' also stands in 'demo/second'" in err
    code, out, err = store("purge", "first", "--confirm-exact-id", "first", "--leave-copies")
    assert code == 0
    assert "out of use" in out
    assert "'first' is gone for good, and its text from history" in err
    assert store("show", "first")[0] == 2
    assert store("history", "list", "first")[0] == 2


def test_without_a_terminal_nobody_is_a_person(store) -> None:
    code, _, err = store("purge", "first")
    assert code == 2
    assert err == (
        "error: nothing confirms the purge of 'first', so nothing was removed; repeat the exact "
        "id with --confirm-exact-id\n"
    )
    code, _, err = store("purge", "first", "--confirm-exact-id", "first")
    assert (code, err) == (
        2,
        "error: only a person can purge a memory; run `project-memory purge` at a terminal\n",
    )


def test_a_dry_run_needs_neither(store) -> None:
    code, out, err = store("purge", "first", "--dry-run")
    assert code == 0
    assert out.splitlines()[:2] == ["ids\tfirst", "unlinked\tsecond"]
    assert err == "dry run: nothing was removed\n"


def test_what_is_gone_goes_from_a_synced_folder(store, terminal: None, tmp_path: Path) -> None:
    store("sync", "lessons")
    store("purge", "second", "--confirm-exact-id", "second", "--leave-copies")
    assert store("sync", "lessons") == (0, "lessons: 1 removed, 1 file written\n", "")
    assert not (tmp_path / "lessons" / "memories" / "second.json").exists()
    assert "second" not in (tmp_path / "lessons" / "memories" / "first.json").read_text()
    assert store("sync", "lessons")[1] == "lessons: 0 files written\n"


def test_another_text_under_an_id_that_is_gone_is_refused_by_its_file(
    store, terminal: None, tmp_path: Path
) -> None:
    store("sync", "lessons")
    store("purge", "second", "--confirm-exact-id", "second", "--leave-copies")
    file = tmp_path / "lessons" / "memories" / "second.json"
    file.write_text(file.read_text().replace("busy file", "file that is in use"))
    assert store("sync", "lessons") == (
        2,
        "",
        "error: memories/second.json: second $.id: 'second' was purged here, and its id stays out "
        "of use; remove 'memories/second.json' [purged-id]\n",
    )
