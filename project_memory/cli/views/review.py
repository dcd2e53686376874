"""What waits to be decided, and one proposal with what it would change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _list_rows(inbox: Data) -> Iterator[tuple[object, ...]]:
    for proposal in inbox["proposals"]:
        yield (
            proposal["number"],
            proposal["state"],
            proposal["time"],
            proposal["actor"]["name"],
            proposal["operation"],
            _about(proposal),
        )


def _render_list(inbox: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold")
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for proposal in inbox["proposals"]:
        about = Text(_about(proposal))
        if proposal["state"] != "waiting":
            about.append(f"  {proposal['state']}", style="yellow")
        number, who = str(proposal["number"]), proposal["actor"]["name"]
        table.add_row(number, proposal["time"], proposal["operation"], about, who)
    if table.row_count:
        console.print(table)
    words.origin(console, inbox.get("store"))


def _list_remarks(inbox: Data) -> Iterator[str]:
    if not inbox["waiting"]:
        yield "nothing waits to be decided"


def _show_rows(review: Data) -> Iterator[tuple[object, ...]]:
    yield from _facts(review)
    for effect in review["effects"]:
        for field, (current, proposed) in effect["fields"].items():
            yield effect["id"], field, _value(current), _value(proposed)
        if not effect["fields"]:
            yield effect["id"], effect["change"]
        for field, value in effect.get("vouched", {}).items():
            yield "vouched", effect["id"], field, _value(value)
    for memory_id, fields in review["conflicts"].items():
        for field, values in fields.items():
            yield ("conflict", memory_id, field, *map(_value, values))


def _facts(review: Data) -> Iterator[tuple[str, str]]:
    proposal = review["proposal"]
    actor = proposal["actor"]
    yield "proposal", f"{proposal['number']} {proposal['operation']} ({proposal['state']})"
    yield "by", f"{actor['name']} ({actor['authority']}) at {proposal['time']}"
    for name, value in (("why", proposal.get("reason")), ("note", proposal.get("note"))):
        if value:
            yield name, value
    for because in proposal["because"]:
        yield "because", because
    for operation in proposal["operations"]:
        yield "operation", json.dumps(operation, ensure_ascii=False)
    for label in review["labels"]:
        yield "label", label
    if review.get("obstacle"):
        yield "obstacle", review["obstacle"]
    decision = proposal.get("decision")
    if decision:
        reason = f": {decision['reason']}" if decision.get("reason") else ""
        yield "decided", f"by {decision['actor']['name']} at {decision['time']}{reason}"


def _render_show(review: Data, console: Console) -> None:
    from project_memory.cli.views import history, words  # noqa: PLC0415

    shown = [(name, text) for name, text in _facts(review) if name != "operation"]
    words.fields(console, shown)
    for effect in review["effects"]:
        console.print()
        change = f"  {effect['change']}"
        console.print(words.named(effect["id"]).append(change, style="yellow"))
        history.render_fields(effect["fields"], console)
        if vouched := effect.get("vouched"):
            console.print("  what would be your word with it", style="yellow")
            words.fields(console, ((f, _value(v)) for f, v in vouched.items()), indent=2)
    for memory_id, fields in review["conflicts"].items():
        console.print()
        console.print(words.named(memory_id).append("  changed since", style="red"))
        pairs = ((f, f"was {_value(b)}; is {_value(c)}; proposed {_value(p)}")
                 for f, (b, c, p) in fields.items())  # fmt: skip
        words.fields(console, pairs, indent=2)
    words.origin(console, review.get("store"))


def _show_remarks(review: Data) -> Iterator[str]:
    if review.get("obstacle"):
        yield f"warning: it cannot be applied as things are: {review['obstacle']}"
    for memory_id, fields in review["conflicts"].items():
        yield f"warning: '{memory_id}' has changed since: {', '.join(fields)}"


def _about(proposal: Data) -> str:
    """Return a proposal in one line: what the note says, or what is done to which memories."""
    if proposal.get("note"):
        return str(proposal["note"]).partition("\n")[0]
    subjects = (_subject(operation) for operation in proposal["operations"])
    about = " ".join(dict.fromkeys(subjects))
    return f"{about}: {proposal['reason']}" if proposal.get("reason") else about


def _subject(operation: Data) -> str:
    memory = operation.get("memory", {})
    named = operation.get("id") or operation.get("from_id") or operation.get("label")
    return str(named or memory.get("id") or memory.get("description", ""))


def _value(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


LIST = View(_list_rows, _render_list, _list_remarks)
SHOW = View(_show_rows, _render_show, _show_remarks)
