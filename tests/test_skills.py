"""The skills keep to agentskills.io, and name only tools, arguments and commands that exist."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from command_lines import parse_line

from project_memory.audit import CHECKS
from project_memory.cli.group import cli
from project_memory.documents import FIELDS
from project_memory.mcp_server.arguments import checked
from project_memory.mcp_server.tools import BY_NAME
from project_memory.services.curate import check_draft

ROOT = Path(__file__).resolve().parent.parent / "skills"
SKILLS = sorted(path.parent for path in ROOT.glob("*/SKILL.md"))
FRONT = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
CALL = re.compile(r"```json\n(.*?)```", re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")


def parts(skill: Path) -> tuple[dict[str, str], str]:
    match = FRONT.match((skill / "SKILL.md").read_text(encoding="utf-8"))
    assert match
    lines = (line.split(": ", 1) for line in match[1].splitlines())
    return dict(lines), match[2]


def test_the_four_skills_are_there() -> None:
    assert [skill.name for skill in SKILLS] == [
        "project-memory-curate",
        "project-memory-forget",
        "project-memory-recall",
        "project-memory-remember",
    ]


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.name)
def test_the_front_matter_and_size_are_as_specified(skill: Path) -> None:
    front, body = parts(skill)
    assert front["name"] == skill.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", front["name"])
    assert 1 <= len(front["description"]) <= 1024
    assert len(body.splitlines()) < 500


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.name)
def test_example_calls_are_calls_that_the_server_takes(skill: Path) -> None:
    calls = [json.loads(text) for text in CALL.findall(parts(skill)[1])]
    assert calls
    for call in calls:
        arguments = checked(call["tool"], call["arguments"])
        if "memory" in arguments:
            check_draft(arguments["memory"])


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.name)
def test_named_commands_exist(skill: Path) -> None:
    for quoted in QUOTED.findall(parts(skill)[1]):
        if quoted.startswith("project-memory "):
            parse_line(cli, "project-memory", shlex.split(quoted)[1:])


@pytest.mark.parametrize("skill", SKILLS, ids=lambda s: s.name)
def test_named_tools_and_fields_exist(skill: Path) -> None:
    results = {"warnings", "superseded_by", "banner", "nothing_relevant", "undo"}
    results |= {"near_duplicates", "suppressed_by", "lost_expectations"}
    known = {*BY_NAME, *FIELDS, *results, "wrong_ids", "supersedes", "related", "caused_by",
             "depends_on", "generalizes", "contradicts", "verified"}  # fmt: skip
    for quoted in QUOTED.findall(parts(skill)[1]):
        if re.fullmatch(r"[a-z]+(_[a-z]+)+", quoted):
            assert quoted in known, quoted


def test_the_findings_that_curating_names_are_findings_of_the_audit() -> None:
    body = parts(ROOT / "project-memory-curate")[1]
    rows = [line for line in body.splitlines() if line.startswith("| `")]
    named = {code for row in rows for code in QUOTED.findall(row.split("|")[1])}
    assert rows
    assert named <= CHECKS.keys()
