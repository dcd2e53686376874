"""Run command lines in process over a store on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from factories import draft

from project_memory.access import AGENT_SIGNS
from project_memory.cli.group import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Return a function that runs a command line and gives (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROJECT_MEMORY_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("PROJECT_MEMORY_PROJECT", "demo")
    monkeypatch.setenv("PROJECT_MEMORY_ACTOR", "ada")
    for name in AGENT_SIGNS:
        monkeypatch.delenv(name, raising=False)

    def run_line(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(list(arguments))
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return run_line


@pytest.fixture
def store(run: Run, tmp_path: Path) -> Run:
    """Return `run` over a store that holds two linked memories."""
    run("init")
    texts = {
        "first": "Writers see 'database is locked' under load",
        "second": "Parallel test runs stop with a busy file",
    }
    for name, text in texts.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(draft(id=name, description=text)))
        assert run("add", str(path))[0] == 0
    reason = "both are about two writers"
    assert run("link", "second", "related", "first", "--reason", reason)[0] == 0
    return run
