"""A memory's document, for `show` and for recall's whole answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from project_memory.cli.output import Data

if TYPE_CHECKING:
    from rich.console import Console

_LISTS = (
    ("remembered_facts", "facts"),
    ("solution_pattern", "solution"),
    ("pitfalls", "pitfalls"),
    ("triggers", "triggers"),
    ("tags", "tags"),
)


def render(
    document: Data, console: Console, *, indent: int = 0, more: Iterable[tuple[str, str]] = ()
) -> None:
    """Write all but id, status, labels, description and empty fields, then `more` pairs."""
    from project_memory.cli.views.words import fields  # noqa: PLC0415

    fields(console, (*_pairs(document), *more), indent=indent)


def rows(document: Data) -> Iterator[tuple[object, ...]]:
    """Yield ``field, value`` for every value that is not empty; lists repeat their field."""
    for name, value in document.items():
        yield from _flat(name, value)


def _flat(name: str, value: Any) -> Iterator[tuple[object, ...]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{name}.{key}", item)
    elif isinstance(value, list):
        for item in value:
            yield from _flat(name, _item(item))
    elif value is not None:
        yield name, value if not isinstance(value, bool) else str(value).lower()


def _item(item: Any) -> Any:
    """Return a link or a fact on one line; other items as they are."""
    if isinstance(item, Mapping) and "fact" in item:
        return _fact(item)
    if isinstance(item, Mapping) and "id" in item:
        return ": ".join(part for part in (item["id"], item.get("reason")) if part)
    return item


def _fact(fact: Data) -> str:
    beside = [str(fact[name]) for name in ("status", "verified_at", "source") if fact.get(name)]
    if fact.get("expires"):
        beside.append(f"expires {fact['expires']}")
    return f"{fact['fact']} ({', '.join(beside)})" if beside else str(fact["fact"])


_UNSAID = {(".reach", "project"), (".created_from_task", "unspecified")}
"""What the store fills in by itself and nobody needs to read."""


def _pairs(document: Data) -> Iterator[tuple[str, str]]:
    for name, title in _LISTS:
        for item in document.get(name) or ():
            yield title, str(_item(item))
    for group in ("scope", "relationships", "evidence"):
        for place, value in _flat("", document.get(group) or {}):
            if (place, value) not in _UNSAID:
                yield str(place)[1:].replace("_", " "), str(value)
