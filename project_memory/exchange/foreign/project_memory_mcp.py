"""The database of project-memory-mcp: decisions, lessons, notes and what came of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from project_memory.exchange.foreign import reading
from project_memory.exchange.foreign.item import Findings, Item, Tie
from project_memory.exchange.foreign.rows import Row, Tables
from project_memory.model import Status

NAME = "project-memory-mcp"
TABLES = frozenset({"episodes", "sources", "events", "dependencies"})
OPTIONAL = frozenset({"event_links"})
_FIX = "mend the row in the database, or export it again"
_TITLES = {
    "decision": "decision",
    "lesson": "do",
    "note": "text",
    "outcome": "observed",
    "research": "question",
    "correction": "after",
    "review": "summary",
}
"""Kinds of events that say something to remember -> the field that says it."""
_KINDS = {"decision": "decision", "lesson": "lesson", "outcome": "completion"}


@dataclass(frozen=True, slots=True)
class _Around:
    """What the tables tell of events: titles of episodes, last reviews of lessons, relations."""

    episodes: Mapping[str, str]
    verdicts: Mapping[str, Mapping[str, Any]]
    ties: Mapping[str, list[Tie]]


def read(tables: Tables, found: Findings) -> None:
    """Add an item for every event that says something to remember."""
    payloads = dict(_payloads(tables["events"], found))
    around = _Around(
        dict(_episodes(tables["episodes"])),
        _verdicts(tables["events"], payloads),
        _ties(tables),
    )
    counted: dict[str, int] = {}
    for row in tables["events"]:
        kind = str(row.get("kind"))
        payload = payloads.get(str(row.get("id")))
        if payload is None:
            continue
        if kind in _TITLES:
            item = _item(row, payload, around, found)
            found.items += [item] if item else []
        else:
            counted[kind] = counted.get(kind, 0) + 1
    found.left_out += [
        f"{found.file}: {count} of kind '{kind}' tell of work, not of lessons; left out"
        for kind, count in sorted(counted.items())
    ]


def _episodes(rows: list[Row]) -> Iterator[tuple[str, str]]:
    return ((str(row["id"]), str(row.get("title") or "")) for row in rows if row.get("id"))


def _payloads(rows: list[Row], found: Findings) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in rows:
        line, name = int(row["rowid_"]), row.get("id")
        try:
            payload = json.loads(row.get("payload") or "null")
        except (TypeError, ValueError, RecursionError):
            payload = None
        if not isinstance(name, str) or not name:
            found.problem("bad-row", reading.wrong("id", name, "text"), _FIX, line)
        elif not isinstance(payload, dict) or reading.too_deep(payload):
            said = reading.wrong("payload", row.get("payload"), "a JSON object")
            found.problem("bad-row", said, _FIX, line)
        else:
            yield name, payload


def _item(row: Row, payload: Mapping[str, Any], around: _Around, found: Findings) -> Item | None:
    kind, name, line = str(row["kind"]), str(row["id"]), int(row["rowid_"])
    title = payload.get(_TITLES[kind])
    if not isinstance(title, str) or not title.strip():
        said = reading.wrong(f"payload.{_TITLES[kind]}", title, "text")
        found.problem("bad-row", said, _FIX, line)
        return None
    verdict = around.verdicts.get(name, {})
    refused = verdict.get("status") in ("rejected", "retired")  # not a set: it may be a list
    reason = f"{verdict.get('status')} there: {verdict.get('reason', '')}" if refused else None
    return Item(
        origin=name,
        file=found.file,
        line=line,
        title=title,
        facts=tuple(_facts(payload, around.episodes.get(str(row.get("episode_id")), ""))),
        kind=_KINDS.get(kind, "observation"),
        names=tuple(filter(None, [kind, str(row.get("subject") or "")])),
        pitfalls=_some(payload.get("exceptions")),
        triggers=_some(payload.get("when")),
        files=_texts(payload.get("paths")),
        created=str(row.get("created_at") or "") or None,
        status=Status.STALE if refused else Status.ACTIVE,
        status_reason=reason,
        ties=tuple(around.ties.get(name, ())),
    )


def _facts(payload: Mapping[str, Any], episode: str) -> Iterator[str]:
    for field, value in payload.items():
        said = "; ".join(_texts(value)) if isinstance(value, list) else value
        if isinstance(said, str) and said.strip():
            yield f"{field.replace('_', ' ')}: {said}"
    if episode:
        yield f"work: {episode}"


def _verdicts(
    rows: list[Row], payloads: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return lesson -> the last review of it."""
    reviews = (
        payloads.get(str(r.get("id")), {}) for r in rows if r.get("kind") == "lesson_review"
    )
    return {str(review.get("lesson_id")): review for review in reviews}


def _ties(tables: Tables) -> dict[str, list[Tie]]:
    ties: dict[str, list[Tie]] = {}
    for row in tables["events"]:
        for field, relation in (("supersedes", "supersedes"), ("decision_id", "follows from")):
            if row.get(field):
                ties.setdefault(str(row.get("id")), []).append(Tie(relation, str(row[field])))
    for row in tables.get("event_links", []):
        tie = Tie("builds on", str(row.get("prior_event_id")), str(row.get("reason") or ""))
        ties.setdefault(str(row.get("event_id")), []).append(tie)
    return ties


def _some(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value.strip() else ()


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(t for t in value if isinstance(t, str)) if isinstance(value, list) else ()
