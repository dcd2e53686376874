"""The tutorial, followed line by line in a repository of its own: it prints what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from repositories import PERSON, Repository

from project_memory.cli.group import cli
from project_memory.clients import CLIENTS

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, text) for kind, text in BLOCK.findall(PAGE)]
FILES = {"markdown": "CLAUDE.md", "python": "tests/conftest.py"}
INSTALL = "pipx install ."
FAILS = "# exits with 1"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Return the shop's repository, where the commands run, with a home of its own."""
    home, shop = tmp_path / "home", tmp_path / "shop"
    home.mkdir()
    shop.mkdir()
    for name in ("PROJECT_MEMORY_STORE", "PROJECT_MEMORY_PROJECT", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**PERSON, "HOME": str(home)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(shop)
    made = Repository(shop)
    made.git("init", "--quiet")
    return made


def lines() -> list[str]:
    return [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


def run(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run one line and return what it printed; it exits as the line says, else with 0."""
    if line == INSTALL:
        return ""
    program, *arguments = shlex.split(line, comments=True)
    if program == "git":
        return subprocess.run(
            [program, *arguments], check=True, capture_output=True, text=True
        ).stdout
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    printed = capsys.readouterr()
    assert ended.value.code in ((1,) if FAILS in line else (0, None)), (line, printed)
    return printed.out


def steps(repository: Repository, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    """Follow the page; yield what it says is printed beside what was."""
    printed = ""
    for kind, text in BLOCKS:
        if kind == "sh":
            printed = "".join(run(line, capsys) for line in text.splitlines())
        elif kind == "text":
            yield text, printed
        else:
            repository.write({FILES[kind]: text})


def test_following_it_prints_what_it_says(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    for told, printed in steps(repository, capsys):
        assert printed == told


def test_it_is_five_commands_until_an_agent_can_begin() -> None:
    first = PAGE.partition("That is all.")[0]
    shown = [
        line for kind, text in BLOCK.findall(first) if kind == "sh" for line in text.splitlines()
    ]
    assert len(shown) == 5
    assert f"setup --{next(iter(CLIENTS))}" in shown[1]


def test_whatever_it_shows_can_be_run() -> None:
    assert {line.split()[0] for line in lines() if line != INSTALL} == {"project-memory", "git"}


def test_what_is_printed_stands_behind_a_command() -> None:
    kinds = [kind for kind, _ in BLOCKS]
    assert {before for before, kind in pairwise(kinds) if kind == "text"} == {"sh"}
