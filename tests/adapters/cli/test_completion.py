"""What a shell is told: scripts, and bash's answers through its own function."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CALL = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_project_memory_completion project-memory
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("shell", "start"),
    [
        ("bash", "_project_memory_completion() {"),
        ("zsh", "#compdef project-memory"),
        ("fish", "function _project_memory_completion;"),
    ],
)
def test_each_shell_has_its_script(run, shell: str, start: str) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert out.lstrip().startswith(start)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["se"], ["search", "setup", "serve"]),
        (["history", "re"], ["revert"]),
        (["recall", "--max"], ["--max-tokens"]),
        (["show", "f"], ["first"]),
        (["link", "first", "super"], ["supersedes", "superseded_by"]),
        (["status", "first", "s"], ["stale", "superseded"]),
        # bash itself cuts words at colons
        (["search", "kind", ":", "b"], ["blocker", "bug"]),
        (["search", "kind", ":"], ["architecture", "blocker", "bug", "completion", "convention",
                                   "decision", "lesson", "observation", "workflow"]),
        (["recall", "--labels", "'kind:b"], ["kind:blocker", "kind:bug"]),
        (["--project", "other", "show", "f"], [""]),
    ],
)  # fmt: skip
def test_bash_completes(store, tmp_path: Path, words: list[str], expected: list[str]) -> None:
    program = tmp_path / "bin/project-memory"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m project_memory "$@"\n')
    program.chmod(0o755)
    script = tmp_path / "completion.bash"
    script.write_text(store("completion", "bash")[1])
    done = subprocess.run(
        ["bash", "-c", CALL, "bash", script, "project-memory", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
    )
    assert done.stdout.splitlines() == expected
