"""What is expected to be found, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View
from project_memory.cli.views import receipt

if TYPE_CHECKING:
    from rich.console import Console


def _list_rows(found: Data) -> Iterator[tuple[object, ...]]:
    for each in found["expectations"]:
        expects = " ".join(each["expects"])
        yield each["id"], each["within"], each["query"], expects, each.get("labels", "")


def _render_list(found: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for each in found["expectations"]:
        console.print(Text(each["id"], style="dim").append(f"  {each['query']}", style="bold"))
        narrowed = f" of {each['labels']}" if each.get("labels") else ""
        words.indented(console, f"{words.few(each['expects'])} within {each['within']}{narrowed}")
    words.origin(console, found.get("store"))


def _list_remarks(found: Data) -> Iterator[str]:
    if not found["expectations"]:
        yield "nothing is expected yet; `project-memory expect add` or `expect seed`"


def _run_rows(found: Data) -> Iterator[tuple[object, ...]]:
    for each in found["expectations"]:
        yield _state(each), each["id"], each["query"], _places(each), " ".join(each["missing"])


def _render_run(found: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for each in found["expectations"]:
        line = Text(_state(each), style="green" if each["held"] else "bold red")
        line.append(f"  {each['query']}", style="bold").append(f"  {each['id']}", style="dim")
        console.print(line)
        if each["places"]:
            words.indented(console, f"finds {_places(each)}")
        if each["missing"]:
            first = f"among the first {each['within']}"
            words.indented(console, f"misses {words.few(each['missing'])} {first}", style="red")
        if each.get("obstacle"):
            words.indented(console, each["obstacle"])
    words.origin(console, found.get("store"))


def _run_remarks(found: Data) -> Iterator[str]:
    count = found["held"] + found["lost"]
    noun = "expectation" if count == 1 else "expectations"
    yield f"{count} {noun} asked: {found['held']} held, {found['lost']} lost"


def _state(each: Data) -> str:
    return "held" if each["held"] else "lost"


def _places(each: Data) -> str:
    return " ".join(f"{name}={place}" for name, place in each["places"].items())


def _seed_rows(found: Data) -> Iterator[tuple[object, ...]]:
    for each in found["expected"]:
        yield "expected", each["query"], " ".join(each["expects"])
    for each in found["unfound"]:
        yield "unfound", each["query"], " ".join(each["missing"])


def _render_seeds(found: Data, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    from project_memory.cli.views import words  # noqa: PLC0415

    for each in found["expected"]:
        console.print(Text("expected", style="green").append(f"  {each['query']}", style="bold"))
        words.indented(console, words.few(each["expects"]))
    for each in found["unfound"]:
        console.print(Text("unfound", style="yellow").append(f"  {each['query']}", style="bold"))
        words.indented(console, f"does not find {words.few(each['missing'])}")


def _seed_remarks(found: Data) -> Iterator[str]:
    yield from receipt.VIEW.remarks(found["receipt"])
    count = len(found["expected"])
    would = "would be" if found["receipt"]["dry_run"] else "is" if count == 1 else "are"
    noun = "trigger" if count == 1 else "triggers"
    yield f"{count} {noun} {would} expected to find what has {'it' if count == 1 else 'them'}"
    if found["left"]:
        yield f"{found['left']} more triggers were not tried; raise --limit"


LIST = View(_list_rows, _render_list, _list_remarks)
RUN = View(_run_rows, _render_run, _run_remarks)
SEEDS = View(_seed_rows, _render_seeds, _seed_remarks)
