"""A bar for a person who waits, and nothing for anybody else."""

from __future__ import annotations

import sys
import time
from itertools import count

import pytest

from project_memory.cli.progress import progress


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")


def pass_seconds(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """Let each look at the clock find it so many seconds later."""
    times = count(0.0, step)
    monkeypatch.setattr(time, "monotonic", lambda: next(times))


def work(capsys: pytest.CaptureFixture[str]) -> str:
    with progress("auditing") as tell:
        for done in range(4):
            tell(done, 4)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_long_work_on_a_terminal_shows_how_far_it_is(terminal, monkeypatch, capsys) -> None:
    pass_seconds(monkeypatch, 10.0)
    drawn = work(capsys)
    assert "auditing" in drawn
    assert "75 %" in drawn


def test_short_work_shows_nothing(terminal, monkeypatch, capsys) -> None:
    pass_seconds(monkeypatch, 0.01)
    assert work(capsys) == ""


def test_off_a_terminal_nothing_is_drawn(monkeypatch, capsys) -> None:
    pass_seconds(monkeypatch, 10.0)
    assert work(capsys) == ""
