"""How one score came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    """Return an explanation as lines of text; the parts add up, rounding apart."""
    found = []
    if why.get("scored_as"):
        found.append(f"scored as {why['scored_as']}, which it supersedes")
    found.append(_sum(why))
    found.append(f"walk {why['walk']:.3f} (the most visited memory has 1): {_origin(why)}")
    if why["terms"]:
        found.append(
            f"text {why['lexical']:.3f} (the best text has 0.04), from a text score of "
            f"{why['text_score']:.2f} = {_terms(why['terms'])}"
        )
    if why["labels"]:
        found.append(f"preferred labels: {', '.join(why['labels'])}")
    if why["files"]:
        found.append(f"names the files: {', '.join(why['files'])}")
    return found


def _sum(why: Data) -> str:
    factor, preference = why["status_factor"], why["preference"]
    total = (why["walk"] + why["lexical"]) * factor + preference
    parts = f"walk {why['walk']:.3f} + text {why['lexical']:.3f}"
    if factor != 1:
        parts = f"({parts}) x {factor:g} for its status"
    return f"score {total:.3f} = {parts}" + (f" + preference {preference:g}" if preference else "")


def _origin(why: Data) -> str:
    told = []
    if why["seed"] >= _LEAST_SHARE:
        told.append(f"{why['seed']:.0%} of the walk starts here")
    if why["path"]:
        told.append("most of it came by " + " -> ".join(why["path"]))
    return "; ".join(told) or ("reached in small parts" if why["walk"] else "not reached")


def _terms(terms: Any) -> str:
    told = [f"{t['term']} in {t['field']} {t['contribution']:.2f}" for t in terms[:_MAX_TERMS]]
    rest = sum(t["contribution"] for t in terms[_MAX_TERMS:])
    others = [f"{len(terms) - _MAX_TERMS} others {rest:.2f}"] if rest else []
    return " + ".join([*told, *others])
