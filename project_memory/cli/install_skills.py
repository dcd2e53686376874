"""``install-skills``: copy the agent skills to where clients look for them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.output import emit
from project_memory.cli.views.setup import SKILLS
from project_memory.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class SkillsReport:
    """Folder -> skill name -> added, refreshed or unchanged."""

    folders: Any


@command(
    "install-skills",
    output="install-skills",
    examples=(
        "project-memory install-skills --claude",
        "project-memory install-skills --dest shared/skills",
    ),
)
@click.option("--claude", is_flag=True, help="Into .claude/skills of this repository.")
@click.option("--codex", is_flag=True, help="Into .agents/skills of this repository.")
@click.option("--dest", type=click.Path(path_type=Path), metavar="DIR", help="Into this folder.")
def install_skills(*, claude: bool, codex: bool, dest: Path | None) -> None:
    """Copy the agent skills; run again, it refreshes the copies."""
    from project_memory.checkout.identity import project_identity  # noqa: PLC0415
    from project_memory.clients import CLIENTS, skills  # noqa: PLC0415

    root = project_identity(Path.cwd()).root
    asked = [name for name, wanted in (("claude", claude), ("codex", codex)) if wanted]
    folders = [root / CLIENTS[name].skills for name in asked] + ([dest] if dest else [])
    if not folders:
        raise InvalidInput("no place is named; pass --claude, --codex or --dest DIR")
    emit(SkillsReport({str(folder): skills.install(folder) for folder in folders}), SKILLS)
