"""Backups on the command line: made by anybody, put in the place of a store by a person."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(type(stream), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


def test_without_a_place_it_goes_beside_the_default_store(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = json.loads(store("backup", "--json")[1])["file"]
    assert Path(made).parent == tmp_path / "data" / "project-memory" / "backups"


def test_rows_name_the_file_and_what_was_removed(store, tmp_path: Path) -> None:
    code, out, err = store("backup", "copies", "--keep", "1")
    assert (code, err) == (0, "")
    kind, file = out.rstrip("\n").split("\t")
    assert (kind, Path(file).parent) == ("file", tmp_path / "copies")
    assert store("backup", "copies", "--keep", "1")[1].splitlines()[1] == f"removed\t{file}"


def test_a_store_that_is_there_is_replaced_only_by_a_person_who_says_so(
    store, tmp_path: Path
) -> None:
    store("backup", "copy.db")
    place = f"sqlite://{tmp_path}/memory.db"
    assert store("restore", "--from", "copy.db") == (
        2,
        "",
        f"error: there is a store at '{place}'; repeat with --yes to put the backup in its place, "
        "what it holds is kept in a file\n",
    )
    assert store("restore", "--from", "copy.db", "--yes") == (
        2,
        "",
        "error: only a person can put a backup in the place of a store; do it at a terminal\n",
    )


def test_a_person_puts_a_backup_in_place_and_is_told_what_became_of_the_rest(
    store, tmp_path: Path, terminal: None
) -> None:
    store("backup", "copy.db")
    store("delete", "second", "--yes")
    code, out, err = store("restore", "--from", "copy.db", "--yes")
    assert code == 0
    assert out.splitlines()[0].startswith("projects: 1, memories: 2, revisions: 4; all ")
    (kept,) = tmp_path.glob("memory.db.before-restore-*.backup")
    assert err == f"what was there before is in '{kept}'\n"
    assert store("show", "second")[0] == 0


@pytest.mark.parametrize("there", [False, True])
def test_what_was_taken_back_meanwhile_is_told(
    store, tmp_path: Path, terminal: None, there: bool
) -> None:
    token = json.loads(store("tokens", "add", "bob", "--every-project", "--json")[1])["id"]
    store("backup", "copy.db")
    if there:
        store("tokens", "revoke", "bob")
        store("purge", "second", "--confirm-exact-id", "second", "--leave-copies")
    err = store("restore", "--from", "copy.db", "--yes")[2].splitlines()[1:]
    told = [
        f"revoked since, and still so: {token}",
        "warning: what was purged since the backup was made is back; purge it again",
    ]
    assert err == (told if there else [])


def test_a_backup_of_a_database_is_a_store_in_a_file(store, postgres, tmp_path: Path) -> None:
    url = postgres()
    assert store("migrate", "--to", url)[0] == 0
    shown = json.loads(store("show", "first", "--json")[1])
    assert store("--store", url, "backup", "copy.db")[0] == 0
    there = json.loads(store("--store", "copy.db", "show", "first", "--json")[1])
    assert (there["memory"], there["meta"]) == (shown["memory"], shown["meta"])
    postgres()
    code, out, err = store("--store", url, "restore", "--from", "copy.db")
    assert (code, out.splitlines()[0], err) == (0, f"store\t{url}", "")
    back = json.loads(store("--store", url, "show", "first", "--json")[1])
    assert (back["memory"], back["meta"]) == (shown["memory"], shown["meta"])
