"""Build a draft from the options of ``add``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from project_memory.cli import complete
from project_memory.cli.parameters import LINK

Function = TypeVar("Function", bound=Callable[..., Any])

# option, place in the draft, help; two underscores lead one object deeper
_TEXTS = (
    ("--id", "id", "Its id; made from the description if left out."),
    ("--description", "description", "The symptom or rule in one sentence."),
    ("--area", "scope__area", "Part of the project that it concerns."),
    ("--task", "evidence__created_from_task", "The task that taught it."),
)
_LISTS = (
    ("--label", "labels", "A registered label."),
    ("--fact", "remembered_facts", "What is known."),
    ("--trigger", "triggers", "A phrase that a person or a log would show."),
    ("--tag", "tags", "Free text, such as a code identifier."),
    ("--solution", "solution_pattern", "What to do."),
    ("--pitfall", "pitfalls", "What not to do."),
    ("--file", "scope__files", "A file it concerns, repository-relative, or a glob."),
)
_PLAIN_KINDS = ("supersedes", "superseded_by")


def draft_options(function: Function) -> Function:
    """Add one option for each part of a draft; those in the plural may be repeated."""
    for kind in reversed(complete.relationship_kinds()):
        function = _link_option(kind)(function)
    for name, place, text in reversed(_LISTS):
        completion = complete.labels if name == "--label" else None
        option = click.option(
            name, place, multiple=True, metavar="TEXT", shell_complete=completion, help=text
        )
        function = option(function)
    for name, place, text in reversed(_TEXTS):
        function = click.option(name, place, metavar="TEXT", help=text)(function)
    return function


def draft(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the draft that the options say; options left out leave no trace."""
    made: dict[str, Any] = {}
    for place, value in given.items():
        if value in (None, ()):
            continue
        *outer, name = place.split("__")
        holder = made.setdefault(outer[0], {}) if outer else made
        holder[name] = list(value) if isinstance(value, tuple) else value
    return made


def _link_option(kind: str) -> Callable[[Function], Function]:
    plain = kind in _PLAIN_KINDS
    return click.option(
        f"--{kind.replace('_', '-')}",
        f"relationships__{kind}",
        multiple=True,
        type=None if plain else LINK,
        metavar="ID" if plain else "ID:REASON",
        shell_complete=complete.memory_ids,
        help=f"Link: {kind.replace('_', ' ')}.",
    )
