"""Memories of mem0 as its client returns or exports them: a JSON list, or an object with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory.documents import printable
from project_memory.exchange import lines
from project_memory.exchange.foreign import reading
from project_memory.exchange.foreign.item import Findings, Item

NAME = "mem0"
_LISTS = ("results", "memories")
_FIX = "name what get_all or an export of mem0 gave"
_OWNERS = ("user_id", "agent_id", "app_id", "run_id", "actor_id")


def is_export(value: Any) -> bool:
    """Return whether a JSON value is a list of such memories, or an object that holds one."""
    several = (value if isinstance(value, list) else _list(value)[1]) or []
    return bool(several) and all(isinstance(m, dict) and "memory" in m for m in several)


def read(text: str, found: Findings) -> None:
    """Add an item for every memory."""
    value = reading.value(text, found)
    if found.problems:
        return
    field, several = ("", value) if isinstance(value, list) else _list(value)
    if several is None:
        said = "the file holds no list of memories, neither 'results' nor 'memories'"
        found.problem("not-mem0", said, _FIX)
        return
    places = [place for _, place in lines.children(text, lines.find(text, f"$.{field}"))]
    seen: set[str] = set()
    for memory, place in zip(several, places, strict=True):
        line = text.count("\n", 0, place) + 1
        item = _item(memory, line, found)
        if item and item.origin in seen:
            said = f"'id' '{printable(item.origin)}' is given twice"
            found.problem("duplicate-id", said, "keep one of the two", line)
        elif item:
            seen.add(item.origin)
            found.items.append(item)
    relations = value.get("relations") if isinstance(value, dict) else None
    if relations:
        found.leave(1, "'relations' name no memories; left out")


def _list(value: Any) -> tuple[str, list[Any] | None]:
    """Return (name, list) of the first field that holds a list of memories; None without one."""
    held = value if isinstance(value, dict) else {}
    return next(((name, held[name]) for name in _LISTS if isinstance(held.get(name), list)),
                ("", None))  # fmt: skip


def _item(memory: Any, line: int, found: Findings) -> Item | None:
    if not isinstance(memory, dict):
        found.problem("bad-memory", reading.wrong("memory", memory, "an object"), _FIX, line)
        return None
    for field in ("id", "memory"):
        given = memory.get(field)
        if not isinstance(given, str) or not given.strip():
            found.problem("bad-memory", reading.wrong(field, given, "text"), _FIX, line)
            return None
    metadata = memory.get("metadata")
    if not isinstance(metadata, (dict, type(None))):
        said = reading.wrong("metadata", metadata, "an object")
        found.problem("bad-memory", said, _FIX, line)
        return None
    words = memory["memory"].strip()
    beside = _words(metadata or {})
    owners = [f"{name}: {memory[name]}" for name in _OWNERS if isinstance(memory.get(name), str)]
    return Item(
        origin=memory["id"],
        file=found.file,
        line=line,
        title=words,
        facts=(words, *(f"{name}: {said}" for name, said in beside), *owners),
        names=_names(memory),
        created=memory.get("created_at") if isinstance(memory.get("created_at"), str) else None,
    )


def _words(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what metadata says in words or numbers, without what becomes a label."""
    plain = (str, int, float)
    return [(name, str(value)) for name, value in metadata.items()
            if isinstance(value, plain) and name not in {"category", "type"}
            and str(value).strip()]  # fmt: skip


def _names(memory: Mapping[str, Any]) -> tuple[str, ...]:
    metadata = memory.get("metadata") or {}
    several = memory.get("categories") or []
    found = several if isinstance(several, list) else [several]
    named = [*found, metadata.get("category"), metadata.get("type")]
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str) and name.strip()))
