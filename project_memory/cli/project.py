"""``project``: what it is called, which repositories it has, how it is set."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click

from project_memory.cli.command import Group, command
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.views.project import VIEW
from project_memory.errors import InvalidInput

project = Group(
    "project",
    default="show",
    help="Show a project and change its settings.",
    examples=("project-memory project show", "project-memory project set writes=review"),
)


@project.command_from
@command("show", output="project", examples=("project-memory project show --json",))
def show() -> None:
    """Show the project's name, repositories and settings."""
    with opened() as memories:
        emit(memories.project_info(), VIEW)


@project.command_from
@command(
    "set",
    output="project",
    examples=(
        "project-memory project set writes=review",
        "project-memory project set agent_edits=demote writes=",
        "project-memory project set 'audit={\"validated-days\": 180}'",
    ),
)
@click.argument("given", nargs=-1, required=True, metavar="NAME=VALUE...")
def set_(given: tuple[str, ...]) -> None:
    """Change settings; a name without a value takes it back to its default.

    writes is direct or review: with review, what agents write waits until a person applies it.
    agent_edits is propose or demote: with demote, an agent's edit of what a person asserted is
    made at once and becomes the agent's assertion. expectations is named or strict: with strict,
    a change is refused that loses what the project expects to be found. questions is kept or off:
    with off, questions that recall did not help with are not kept, and those kept are forgotten.
    audit is a JSON object of limits, named as the options of project-memory audit.
    """
    with opened() as memories:
        emit(memories.configure(_settings(given)), VIEW)


def _settings(given: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in given:
        name, sign, text = each.partition("=")
        if not sign:
            raise InvalidInput(f"'{each}' has no '='; write NAME=VALUE")
        found[name] = _value(text)
    return found


def _value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
