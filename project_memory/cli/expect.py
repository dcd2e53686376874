"""``expect``: which symptom must find which memories."""

from __future__ import annotations

from typing import Any

import click

from project_memory.cli.command import Group, command
from project_memory.cli.options import change_options, memory_argument
from project_memory.cli.output import emit, say
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.views import expect as views
from project_memory.cli.views.receipt import VIEW as RECEIPT

expect = Group(
    "expect",
    default="list",
    help="Say which symptom must find which memories, and ask whether it does.",
    examples=(
        "project-memory expect add 'sync stalls after a crash' fixture-queue-lost-events",
        "project-memory expect run",
    ),
)

_within = click.option(
    "--within",
    type=COUNT,
    metavar="N",
    help="Among the first N answers; 5 unless it is said.",
)


@expect.command_from
@command(
    "add",
    output="receipt",
    examples=(
        "project-memory expect add 'sync stalls after a crash' fixture-queue-lost-events",
        "project-memory expect add 'login loops' auth-clock-skew --within 3 --labels area:auth",
    ),
)
@click.argument("query", metavar="QUERY")
@memory_argument("expects", "ID...", nargs=-1, required=True)
@_within
@click.option("--labels", metavar="EXPR", help="Of the memories that this expression selects.")
@change_options
def add(query: str, expects: tuple[str, ...], **choices: Any) -> None:
    """Expect memories to be found by a symptom.

    QUERY is what a person or a log would show, in their words and not those of the memory. A
    question of which something is expected already expects these memories too.
    """
    with opened() as memories:
        emit(memories.expect(query, expects, **choices), RECEIPT)


@expect.command_from
@command(
    "seed",
    output="expect-seed",
    examples=(
        "project-memory expect seed",
        "project-memory expect seed auth-clock-skew --yes",
    ),
)
@memory_argument("memory_ids", "[ID]...", nargs=-1)
@_within
@click.option(
    "--limit", type=COUNT, default=500, show_default=True, metavar="N", help="Try N triggers."
)
@click.option("--yes", is_flag=True, help="Add them; without it they are only shown.")
@click.option("--reason", metavar="TEXT", help="Why; kept in history.")
def seed(memory_ids: tuple[str, ...], *, yes: bool, **choices: Any) -> None:
    """Expect memories to be found by their own triggers, of all active memories or of these.

    A trigger that does not find its memory today is named, and nothing is expected of it.
    """
    with opened() as memories:
        emit(memories.seed_expectations(memory_ids, dry_run=not yes, **choices), views.SEEDS)
    if not yes:
        say("add them with --yes")


@expect.command_from
@command("list", output="expect-list", examples=("project-memory expect list --json",))
def list_() -> None:
    """List what is expected to be found."""
    with opened() as memories:
        emit(memories.expectations(), views.LIST)


@expect.command_from
@command(
    "remove",
    output="receipt",
    examples=("project-memory expect remove 'sync stalls after a crash'",),
)
@click.argument("expectation", metavar="ID|QUERY")
@change_options
def remove(expectation: str, **change: Any) -> None:
    """Expect something no more; it is named by its id or its question."""
    with opened() as memories:
        emit(memories.unexpect(expectation, **change), RECEIPT)


@expect.command_from
@command(
    "run",
    output="expect-run",
    examples=("project-memory expect run", "project-memory expect run 'login loops' --json"),
)
@click.argument("names", nargs=-1, metavar="[ID|QUERY]...")
@click.pass_context
def run(context: click.Context, names: tuple[str, ...]) -> None:
    """Ask what is expected to be found, all or these; exit status 1 means that some is not."""
    with opened() as memories:
        found = memories.run_expectations(names)
        emit(found, views.RUN)
    context.exit(1 if found.lost else 0)
