"""What recall found: answers whole or light, standing rules, warnings, what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console


def _rows(recall: Data) -> Iterator[tuple[object, ...]]:
    for hit in (*recall.get("standing", ()), *recall["answers"]):
        score = hit.get("score")
        yield (
            _full_name(hit),
            "" if score is None else f"{score:.4f}",
            hit.get("status", ""),
            " ".join(hit.get("labels", ())),
            hit["description"],
        )


def _full_name(hit: Data) -> str:
    """Return the id, with the project's name before it where it is another one."""
    return "/".join(filter(None, (hit.get("project"), hit["id"])))


def _render(recall: Data, console: Console) -> None:
    from project_memory.cli.views import words  # noqa: PLC0415

    for title in ("standing", "answers"):
        for hit in recall.get(title, ()):
            _render_hit(hit, console, standing=title == "standing")
    words.origin(console, recall.get("store"))


def _render_hit(hit: Data, console: Console, *, standing: bool) -> None:
    from project_memory.cli.views import document, explanation, words  # noqa: PLC0415

    more = ["standing rule"] if standing else []
    console.print(words.heading({**hit, "id": _full_name(hit)}, *more))
    words.indented(console, hit["description"], style="bold")
    if hit.get("answers_for"):
        words.indented(console, f"in place of {', '.join(hit['answers_for'])}", style="dim")
    if hit.get("memory"):
        document.render(hit["memory"], console, indent=2)
    if hit.get("why"):
        explanation.render(hit["why"], console)
    console.print()


def _remarks(recall: Data) -> Iterator[str]:
    for hit in (*recall.get("standing", ()), *recall["answers"]):
        yield from _about(hit)
    for hit in recall.get("warnings", ()):
        successors = ", ".join(hit.get("superseded_by") or ())
        state = f"superseded by {successors}" if successors else hit.get("status", "not current")
        yield f"warning: '{hit['id']}' is {state}: {hit['description']}"
    if recall.get("omitted_warnings"):
        yield f"{recall['omitted_warnings']} more warnings left out"
    if recall.get("nothing_relevant"):
        yield "nothing relevant"
    yield from recall["notes"]
    if recall.get("omitted"):
        yield _left_out(recall)


def _about(hit: Data) -> Iterator[str]:
    """Yield what to beware of in an answer."""
    if hit.get("banner"):
        yield f"warning: '{hit['id']}' is {hit['banner']}"
    for flag in hit.get("flags") or ():
        yield f"warning: '{hit['id']}': {flag}"
    for fact in hit.get("facts") or ():
        yield (
            f"warning: fact {fact['position'] + 1} of '{hit['id']}' expired on "
            f"{fact['expired']} and counts as an {fact['status']}"
        )


def _left_out(recall: Data) -> str:
    why = {"max_tokens": " to keep to --max-tokens"}.get(recall.get("truncated_by", ""), "")
    after = recall.get("next_offset")
    more = f"; go on with --offset {after}" if after is not None else ""
    return f"{recall['omitted']} more left out{why}{more}"


VIEW = View(_rows, _render, _remarks)
