"""A folder and a project at the command line."""

from __future__ import annotations

import json
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
