"""A folder and a project at the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from project_memory import resources


def test_a_conflict_is_told_until_it_is_settled(store, tmp_path: Path) -> None:
    assert store("sync", "lessons")[:2] == (0, "")
    file = tmp_path / "lessons" / "memories" / "first.json"
    theirs = {**json.loads(file.read_text()), "description": "the folder says something else"}
    file.write_text(json.dumps(theirs))
    (tmp_path / "patch.json").write_text('{"description": "the store says something else"}')
    store("edit", "first", "--patch", "patch.json")
    code, out, err = store("sync", "lessons")
    assert (code, out) == (
        1,
        "first\tconflict\tmemories/first.conflict.json\n",
    )
    assert err == (
        "warning: 'first' was changed on both sides ($.description); the folder's side is in "
        "memories/first.conflict.json: take from it what is right, and remove it\n"
    )
    code, out, err = store("sync", "lessons", "--json")
    report = json.loads(out)
    jsonschema.validate(report, resources.schema("output/sync"))
    assert (code, report["unsettled"]) == (1, ["memories/first.conflict.json"])
    assert store("sync", "lessons")[2] == (
        "warning: memories/first.conflict.json still waits: take from it what is right, and "
        "remove it\n"
    )
    (tmp_path / "lessons" / "memories" / "first.conflict.json").unlink()
    assert store("sync", "lessons") == (0, "", "")


def test_a_file_that_is_gone_comes_back_unless_asked_for(store, tmp_path: Path) -> None:
    store("sync", "lessons")
    file = tmp_path / "lessons" / "memories" / "second.json"
    file.unlink()
    assert store("sync", "lessons", "--dry-run") == (
        0, "second\trestored\n", "dry run: nothing was changed\n"
    )  # fmt: skip
    assert not file.exists()
    assert store("sync", "lessons")[1] == "second\trestored\n"
    file.unlink()
    assert store("sync", "lessons", "--prune")[1] == "second\tdeleted\n"
    assert not file.exists()


@pytest.mark.parametrize("line", ["sync first.json", "sync"])
def test_what_is_no_folder_is_refused(store, line: str) -> None:
    assert store(*line.split())[0] == 2


def test_to_watch_and_to_try_exclude_each_other(store) -> None:
    assert store("sync", "lessons", "--watch", "--dry-run")[2] == (
        "error: --watch does what --dry-run only tells; name one of the two\n"
    )


def test_without_what_watches_the_extra_is_named(store, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    code, _, err = store("sync", "lessons", "--watch")
    assert (code, err) == (
        2,
        "error: --watch needs watchfiles; install it with `pip install 'project-memory[watch]'`\n",
    )


def test_a_folder_is_watched_until_it_is_interrupted(store, tmp_path: Path) -> None:
    package = str(Path(__file__).parents[3])
    watched = subprocess.Popen(
        [sys.executable, "-m", "project_memory", "sync", "lessons", "--watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": package},
    )
    with watched:
        try:
            assert json.loads(watched.stdout.readline())["files_changed"] == 4
            file = tmp_path / "lessons" / "memories" / "first.json"
            held = file.read_text(encoding="utf-8")
            file.write_text(held.replace('"pitfalls": []', '"pitfalls": ["mind it"]'))
            assert json.loads(watched.stdout.readline())["taken"] == ["first"]
            file.write_text("{")
            assert json.loads(watched.stderr.readline())["error"]["code"] == "invalid-document"
            file.write_text(held.replace('"pitfalls": []', '"pitfalls": ["mind both"]'))
            assert json.loads(watched.stdout.readline())["taken"] == ["first"]
            store("pin", "second")
            assert json.loads(watched.stdout.readline())["files_changed"] == 1
            watched.send_signal(signal.SIGINT)
            assert watched.wait() == 130
        finally:
            watched.kill()
    meta = json.loads((tmp_path / "lessons" / "meta.json").read_text())
    assert meta["memories"] == {"second": {"pinned": True}}
