"""The agent-state database of schist: what agents noted, by type; their state stays there."""

from __future__ import annotations

import json
from typing import Any

from project_memory.exchange.foreign import reading
from project_memory.exchange.foreign.item import Findings, Item
from project_memory.exchange.foreign.rows import Row, Tables

NAME = "schist"
TABLES = frozenset({"agent_memory"})
OPTIONAL = frozenset({"agent_state"})
_KINDS = ("decision", "lesson", "blocker", "completion", "observation")
_FIX = "mend the row in the database, or delete it"


def read(tables: Tables, found: Findings) -> None:
    """Add an item for every row of agent_memory."""
    for row in tables["agent_memory"]:
        item = _item(row, found)
        if item is not None:
            found.items.append(item)
    state = tables.get("agent_state", [])
    if state:
        found.left_out.append(
            f"{found.file}: agent_state holds values, not lessons; {len(state)} left out"
        )


def _item(row: Row, found: Findings) -> Item | None:
    line, words, kind = int(row["rowid_"]), row.get("content"), row.get("entry_type")
    if not isinstance(words, str) or not words.strip():
        found.problem("bad-row", reading.wrong("content", words, "text"), _FIX, line)
        return None
    if kind not in _KINDS:
        said = reading.wrong("entry_type", kind, f"one of {', '.join(_KINDS)}")
        found.problem("bad-row", said, _FIX, line)
        return None
    tags = _tags(row.get("tags"))
    if tags is None:
        said = reading.wrong("tags", row.get("tags"), "a JSON list of texts")
        found.problem("bad-row", said, _FIX, line)
        return None
    confidence = row.get("confidence")
    source = row.get("source_ref")
    document = row.get("related_doc")
    return Item(
        origin=f"agent_memory {row.get('id', line)}",
        file=found.file,
        line=line,
        title=words.strip(),
        facts=(
            words.strip(),
            *([f"source: {source}"] if isinstance(source, str) and source else []),
        ),
        kind=str(kind),
        names=(*tags, *([str(row["owner"])] if row.get("owner") else [])),
        created=str(row.get("date") or row.get("created_at") or "") or None,
        confidence=confidence if confidence in {"low", "medium", "high"} else None,
        related_doc=document if isinstance(document, str) and document.endswith(".md") else None,
    )


def _tags(value: Any) -> list[str] | None:
    if value in (None, ""):
        return []
    try:
        tags = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return tags if isinstance(tags, list) and all(isinstance(t, str) for t in tags) else None
