"""Every command line that the documentation shows is one that the program takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_lines import parse_line

from project_memory.cli.group import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(project-memory [a-z][^`]*)`")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def shown(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    blocks = [line for block in SHELL.findall(text) for line in block.splitlines()]
    return [line for line in blocks if line.startswith("project-memory ")]


LINES = [(page.name, line) for page in PAGES for line in shown(page)]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_shown_command_line_parses(page: str, line: str) -> None:
    parse_line(cli, "project-memory", shlex.split(line, comments=True)[1:])


def test_the_pages_show_command_lines() -> None:
    assert len(LINES) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
