"""A plain list in Markdown: each of its outermost points is a lesson."""

from __future__ import annotations

import hashlib

from project_memory import documents
from project_memory.exchange.foreign import markdown, reading
from project_memory.exchange.foreign.agent_files import kind_of
from project_memory.exchange.foreign.item import Findings, Item

NAME = "markdown-list"


def read(text: str, found: Findings) -> None:
    """Add an item for every outermost point; other text is told and left out."""
    parsed = reading.note(text, found)
    if parsed is None:
        return
    seen: set[str] = set()
    for section in markdown.sections(parsed.body, start=parsed.start):
        for block in section.blocks:
            if not block.point:
                shown = " ".join(block.text.split())[:40]
                found.leave(block.line, f"'{shown}' is no point of a list; left out")
                continue
            origin = _origin(block.text)
            if origin in seen:
                found.leave(block.line, "the same point stands above; left out")
                continue
            seen.add(origin)
            first, *below = markdown.points(block)
            found.items.append(
                Item(
                    origin=origin,
                    file=found.file,
                    line=block.line,
                    title=first,
                    facts=(first, *below),
                    kind=kind_of(" ".join(section.titles).lower(), "lesson"),
                    names=section.titles[-1:],
                )
            )
    if not found.items:
        found.problem(
            "no-list", "the file holds no list", "write each lesson as a point: '- the lesson'"
        )


def _origin(text: str) -> str:
    """Return what a point is known by: how it begins, and what tells it from all others."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{documents.shortened(' '.join(text.split()))} {digest}"
