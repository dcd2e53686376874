"""What the page about sync shows is what happens."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from factories import draft
from repositories import Repository

from project_memory.cli.group import cli

PAGE = (Path(__file__).parents[1] / "docs" / "sync.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def test_what_is_shown_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROJECT_MEMORY_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("PROJECT_MEMORY_PROJECT", "demo")
    Repository(tmp_path).git("init", "--quiet")
    (tmp_path / "lesson.json").write_text(json.dumps(draft(id="locked")))

    def run(line: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(shlex.split(line)[1:])
        return int(ended.value.code or 0), capsys.readouterr().out

    run("project-memory init")
    run("project-memory add lesson.json")
    first, settle, git, prune = LINES
    memories = tmp_path / ".project-memory" / "memories"
    assert run(first)[0] == 0
    file = memories / "locked.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("database is locked", "what the folder says"))
    (tmp_path / "patch.json").write_text('{"description": "what the store says of the lesson"}')
    run("project-memory edit locked --patch patch.json")
    assert run(first) == (1, "locked\tconflict\tmemories/locked.conflict.json\n")
    source, target = shlex.split(settle.replace("ID", "locked"))[1:]
    Path(source).rename(target)
    assert run(first) == (0, "locked\ttaken\n")
    assert "git\t.gitattributes\tadded" in run(git)[1]
    file.unlink()
    (memories / "other.json").write_text(
        text.replace("locked", "other").replace("deferred", "further"), encoding="utf-8"
    )
    assert run(prune) == (0, "other\ttaken\nlocked\tdeleted\n")
