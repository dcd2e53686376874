from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from project_memory.hooks import session
from project_memory.hooks.session import DAYS, WORK, Session
from project_memory.mcp_server.tools import BY_NAME


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(session, "_folder", lambda: tmp_path / "sessions")
    return tmp_path / "sessions"


def test_what_was_told_is_known_to_the_session_alone(folder: Path) -> None:
    Session.of("one").tell(["a", "b"])
    Session.of("one").tell(["c"])
    assert {"a", "b", "c"} <= Session.of("one").told()
    assert Session.of("two").told() == set()
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", [None, "", 7, ["x"]])
def test_without_a_name_nothing_is_known(name: object, folder: Path) -> None:
    Session.of(name).tell(["a"])
    assert Session.of(name).told() == set()
    assert not folder.exists()


def test_a_name_leads_to_no_other_folder(folder: Path) -> None:
    Session.of("../../etc/x\ud800").tell(["a"])
    assert [path.parent for path in folder.iterdir()] == [folder]


def test_a_session_that_begins_anew_is_forgotten_and_old_ones_with_it(folder: Path) -> None:
    for name in ("one", "two", "old"):
        Session.of(name).tell(["a"])
    long_ago = time.time() - (DAYS + 1) * 86_400
    os.utime(Session.of("old").file, (long_ago, long_ago))
    Session.of("one").forget()
    assert sorted(folder.iterdir()) == [Session.of("two").file]


def test_a_folder_that_cannot_be_written_changes_nothing(folder: Path) -> None:
    folder.write_text("in the way")
    Session.of("one").tell(["a"])
    Session.of("one").forget()
    assert Session.of("one").told() == set()


def transcript(tmp_path: Path, content: bytes) -> dict[str, str]:
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(content)
    return {"transcript_path": str(path)}


def test_a_reminder_is_due_once_after_work_that_stored_nothing(tmp_path: Path) -> None:
    sent = transcript(tmp_path, b"x" * WORK)
    assert Session.of("one").is_due(sent)
    Session.of("one").remind()
    assert not Session.of("one").is_due(sent)
    assert Session.of("two").is_due(sent)


@pytest.mark.parametrize("tool", ["create_memory", "update_memory"])
@pytest.mark.parametrize("form", ['"name":"mcp__project-memory__{}"', '"name": "{}"'])
def test_no_reminder_is_due_where_something_was_stored(tmp_path, tool: str, form: str) -> None:
    assert tool in BY_NAME
    stored = form.format(tool).encode()
    assert not Session.of("one").is_due(transcript(tmp_path, b"x" * WORK + stored))


@pytest.mark.parametrize("place", [None, 7, "", "/nowhere", "nul\0", "."])
def test_no_reminder_is_due_without_a_transcript(place: object) -> None:
    assert not Session.of("one").is_due({"transcript_path": place})


def test_no_reminder_is_due_after_a_few_words(tmp_path: Path) -> None:
    sent = transcript(tmp_path, b"x" * (WORK - 1))
    assert not Session.of("one").is_due(sent)
    assert not Session.of(None).is_due(transcript(tmp_path, b"x" * WORK))
