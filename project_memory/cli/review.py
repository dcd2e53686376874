"""``review``: decide what waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from project_memory.cli.command import Group, command
from project_memory.cli.editor import edit_until_stored
from project_memory.cli.options import dry_run_option
from project_memory.cli.output import emit, say
from project_memory.cli.parameters import COUNT
from project_memory.cli.session import opened
from project_memory.cli.source import parse_json, read_json
from project_memory.cli.views import review as views
from project_memory.cli.views.receipt import VIEW as RECEIPT
from project_memory.model import Receipt
from project_memory.proposals import State

review = Group(
    "review",
    default="list",
    help="Decide on proposals and notes that wait.",
    examples=("project-memory review list", "project-memory review show 3"),
)
number_argument = click.argument("number", metavar="NUMBER", type=COUNT)
reason_option = click.option("--reason", metavar="TEXT", help="Why; kept with the decision.")


@review.command_from
@command(
    "list",
    output="review-list",
    examples=("project-memory review list", "project-memory review list --state rejected"),
)
@click.option(
    "--state",
    type=click.Choice([*(state.value for state in State), "all"]),
    default=State.WAITING.value,
    show_default=True,
    help="Only what is in this state.",
)
def list_(state: str) -> None:
    """List what waits, the skipped ones last."""
    with opened() as memories:
        emit(memories.inbox(None if state == "all" else State(state)), views.LIST)


@review.command_from
@command("show", output="review-show", examples=("project-memory review show 3",))
@number_argument
def show(number: int) -> None:
    """Show a proposal, what it would change now, and what has changed since."""
    with opened() as memories:
        emit(memories.proposal(number), views.SHOW)


@review.command_from
@command(
    "apply",
    output="receipt",
    examples=(
        "project-memory review apply 3",
        "project-memory review apply 4 --draft lesson.json --reason 'seen twice'",
    ),
)
@number_argument
@click.option("--draft", metavar="FILE", help="The memory a note becomes; - reads standard input.")
@click.option("--anyway", is_flag=True, help="Though what it changes has changed since.")
@reason_option
@dry_run_option
def apply(number: int, *, draft: str | None, **choices: Any) -> None:
    """Do what a proposal says, or make a memory of a note.

    A note without --draft opens in $EDITOR as a draft to complete.
    """
    with opened() as memories:
        proposal = memories.proposal(number).proposal
        if proposal.note is None or draft or not proposal.waiting:
            given = read_json(draft) if draft else None
            emit(memories.apply_proposal(number, draft=given, **choices), RECEIPT)
            return
        receipts: list[Receipt] = []

        def store(edited: str) -> None:
            given = parse_json(edited, "the draft")
            receipts.append(memories.apply_proposal(number, draft=given, **choices))

        text = json.dumps(_begun(proposal.note), ensure_ascii=False, indent=2) + "\n"
        name, otherwise = f"note-{number}", "give the draft with --draft FILE"
        if edit_until_stored(text, name, store, otherwise=otherwise):
            emit(receipts[0], RECEIPT)
        else:
            say(f"note {number} waits on; nothing was changed")


@review.command_from
@command(
    "reject",
    output="receipt",
    examples=("project-memory review reject 3 --reason 'the code says otherwise'",),
)
@number_argument
@reason_option
def reject(number: int, **choices: Any) -> None:
    """End a proposal without applying it; its text is kept."""
    with opened() as memories:
        emit(memories.reject(number, **choices), RECEIPT)


@review.command_from
@command("skip", output="receipt", examples=("project-memory review skip 3",))
@number_argument
def skip(number: int) -> None:
    """Put a proposal off; it waits behind all others."""
    with opened() as memories:
        emit(memories.skip(number), RECEIPT)


def _begun(note: str) -> Mapping[str, Any]:
    return {"description": "", "labels": [], "remembered_facts": [note]}
