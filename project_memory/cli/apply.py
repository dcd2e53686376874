"""``apply``: several operations, all or nothing."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import command
from project_memory.cli.options import change_options
from project_memory.cli.output import emit
from project_memory.cli.session import opened
from project_memory.cli.source import named, read_json
from project_memory.cli.views.receipt import VIEW
from project_memory.errors import InvalidInput


@command(
    "apply",
    output="receipt",
    examples=(
        "project-memory apply changes.json --dry-run",
        "project-memory apply - < changes.json",
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@change_options
def apply(file: str, **change: Any) -> None:
    """Make several changes in one transaction.

    FILE (- for standard input) holds a JSON list of operations, such as
    {"op": "create", "memory": {...}}, {"op": "update", "id": ..., "patch": {...}},
    {"op": "link", "from_id": ..., "kind": ..., "to_id": ..., "reason": ...},
    {"op": "status", "id": ..., "status": ...}; also touch, unlink, archive, unarchive, pin, unpin,
    delete, rename, merge, and of the registry add_label, describe_label, add_alias, remove_alias,
    set_broader, rename_label, merge_labels, deprecate_label, restore_label, remove_label and
    set_single.
    """
    operations = read_json(file)
    if not isinstance(operations, list):
        raise InvalidInput(
            f'{named(file)} holds no list of operations; write [{{"op": ...}}, ...]'
        )
    with opened() as memories:
        emit(memories.apply(operations, **change), VIEW)
