"""How one score came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from project_memory.cli.output import Data

if TYPE_CHECKING:
    from rich.console import Console

_MAX_TERMS = 6
_LEAST_SHARE = 0.005


def render(why: Data, console: Console) -> None:
    """Write the parts of a score, largest terms first."""
    from project_memory.cli.views import words  # noqa: PLC0415

    for line in lines(why):
        words.indented(console, line, style="dim")


def lines(why: Data) -> list[str]:
    """Return an explanation as lines of text."""
    sum_of = f"(walk {why['walk']:.3f} + text {why['lexical']:.3f}) x {why['status_factor']:g}"
    found = [f"score = {sum_of} + preference {why['preference']:g}"]
    terms = [f"{t['term']} in {t['field']} {t['contribution']:.2f}" for t in why["terms"]]
    if terms:
        more = f" and {len(terms) - _MAX_TERMS} more" if len(terms) > _MAX_TERMS else ""
        told = ", ".join(terms[:_MAX_TERMS]) + more
        found.append(f"text score {why['text_score']:.2f}: {told}")
    if why["seed"] >= _LEAST_SHARE:
        found.append(f"the walk starts here with a share of {why['seed']:.2f}")
    if why["path"]:
        found.append("reached by " + " -> ".join(why["path"]))
    if why["labels"]:
        found.append(f"preferred labels: {', '.join(why['labels'])}")
    if why.get("scored_as"):
        found.append(f"scored as its predecessor {why['scored_as']}")
    return found
