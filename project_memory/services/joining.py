"""The links of documents that were read, each once, though both its sides tell of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from project_memory import documents, relations
from project_memory.documents import Link
from project_memory.errors import InvalidDocument
from project_memory.exchange import Incoming


def links_once(memories: Iterable[Incoming]) -> tuple[list[tuple[Incoming, Link]], list[str]]:
    """Return (every link as the side that declared it has it, one sentence for each repair).

    A side that is missing is added, and where the sides give different reasons both are kept.

    Raises:
        InvalidDocument: a document names one kind and target twice; every such link is listed.
    """
    told = _told(memories)
    chosen: list[tuple[Incoming, Link]] = []
    repairs: list[str] = []
    done: set[tuple[str, str, str]] = set()
    here = {name for name, _, _ in told} | {str(m.document["id"]) for m in memories}
    for (name, kind, target), (incoming, link) in told.items():
        back = (target, relations.KINDS[kind].inverse, name)
        if back in done:
            continue
        done.add((name, kind, target))
        other = told[back][1] if back in told else link
        chosen.append((incoming, _joined(name, link, other, repairs)))
        if back not in told and target in here:
            repairs.append(f"'{target}' lacked {back[1]} '{name}'; added")
    return chosen, repairs


def _told(
    memories: Iterable[Incoming],
) -> dict[tuple[str, str, str], tuple[Incoming, Link]]:
    """Return (id, kind, target) -> the link, those that their own side declared first."""
    told: dict[tuple[str, str, str], tuple[Incoming, Link]] = {}
    twice = []
    for incoming in memories:
        name = str(incoming.document["id"])
        for link in documents.links(incoming.document):
            if (name, link.kind, link.target) in told:
                problem = relations.duplicate_link(name, link)
                twice.append(replace(problem, file=incoming.file))
            told[name, link.kind, link.target] = (incoming, link)
    if twice:
        raise InvalidDocument(twice)
    return dict(sorted(told.items(), key=lambda item: not _is_declared(*item[1])))


def _joined(name: str, link: Link, other: Link, repairs: list[str]) -> Link:
    """Return the link with the reasons of both sides."""
    if other.reason is None or other.reason == link.reason:
        return link
    if link.reason is None:
        return replace(link, reason=other.reason)
    repairs.append(f"'{name}' {link.kind} '{link.target}' had a reason on each side; both kept")
    return replace(link, reason=f"{link.reason} / {other.reason}")


def _is_declared(incoming: Incoming, link: Link) -> bool:
    declared: Mapping[str, Any] = (incoming.meta or {}).get("declared", {})
    return link.target in declared.get(link.kind, {})
