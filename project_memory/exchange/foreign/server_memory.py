"""The knowledge graph of the reference MCP memory server: entities and relations, one a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from project_memory.exchange.foreign import reading
from project_memory.exchange.foreign.item import Findings, Item, Tie

NAME = "mcp-memory"
_FIX = "write it as the memory server does"


def read(text: str, found: Findings) -> None:
    """Add an item for every entity; relations become ties of the entity they come from."""
    entities: dict[str, tuple[int, str, list[str]]] = {}
    relations: list[tuple[int, str, str, str]] = []
    for line, value in reading.objects(text, found):
        match value.get("type"):
            case "entity":
                _entity(line, value, entities, found)
            case "relation":
                _relation(line, value, relations, found)
            case other:
                said = reading.wrong("type", other, "'entity' or 'relation'")
                found.problem("bad-type", said, _FIX, line)
    ties: dict[str, list[Tie]] = {}
    for line, source, target, kind in relations:
        absent = next((name for name in (source, target) if name not in entities), None)
        if absent is None:
            ties.setdefault(source, []).append(Tie(kind, target))
        else:
            found.leave(
                line, f"'{source}' {kind} '{target}': there is no entity '{absent}'; left out"
            )
    for name, (line, kind, observations) in entities.items():
        found.items.append(
            Item(
                origin=name,
                file=found.file,
                line=line,
                title=name,
                facts=tuple(dict.fromkeys(observations)),
                names=(kind,) if kind.strip() else (),
                ties=tuple(dict.fromkeys(ties.get(name, ()))),
            )
        )


def _entity(
    line: int,
    value: Mapping[str, Any],
    entities: dict[str, tuple[int, str, list[str]]],
    found: Findings,
) -> None:
    name, kind = value.get("name"), value.get("entityType")
    observations = value.get("observations")
    if not isinstance(name, str) or not name.strip():
        found.problem("bad-entity", reading.wrong("name", name, "text"), _FIX, line)
    elif not isinstance(kind, str):
        found.problem("bad-entity", reading.wrong("entityType", kind, "text"), _FIX, line)
    elif not isinstance(observations, list) or not all(isinstance(o, str) for o in observations):
        said = reading.wrong("observations", observations, "a list of texts")
        found.problem("bad-entity", said, _FIX, line)
    elif name in entities:
        first, _, known = entities[name]
        known += observations
        found.leave(line, f"entity '{name}' is on line {first} too; taken as one")
    else:
        entities[name] = (line, kind, list(observations))


def _relation(
    line: int,
    value: Mapping[str, Any],
    relations: list[tuple[int, str, str, str]],
    found: Findings,
) -> None:
    parts = {field: value.get(field) for field in ("from", "to", "relationType")}
    for field, given in parts.items():
        if not isinstance(given, str) or not given.strip():
            found.problem("bad-relation", reading.wrong(field, given, "text"), _FIX, line)
            return
    source, target, kind = (str(each) for each in parts.values())
    relations.append((line, source, target, kind))
