"""Ten and more broken files of every foreign format."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

FOREIGN = Path(__file__).parent / "foreign"
DEEP = "[" * 80 + "]" * 80
LONE = "\udc80".encode("utf-8", "surrogatepass")


def lines(*values: Any) -> bytes:
    """Return JSON values, one a line; text stands as it is."""
    plain = [v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
    return "\n".join(plain).encode()


def entity(**fields: Any) -> dict[str, Any]:
    return {"type": "entity", "name": "a", "entityType": "t", "observations": []} | fields


def without(value: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: each for name, each in value.items() if name != field}


def relation(**fields: Any) -> dict[str, Any]:
    return {"type": "relation", "from": "a", "to": "a", "relationType": "is"} | fields


def memory(**fields: Any) -> dict[str, Any]:
    return {"id": "1", "memory": "the queue is slow"} | fields


def whole(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def note(front: str, body: str = "a text") -> bytes:
    return f"---\n{front}\n---\n{body}\n".encode()


ANY_TEXT: dict[str, bytes] = {
    "empty": b"",
    "only blanks": b" \n\t\n",
    "not UTF-8": b"line\ncaf\xe9\n",
    "UTF-16": "text".encode("utf-16"),
    "a NUL": b"one\ntwo\x00\n",
    "lone surrogate": b"one " + LONE,
    "merge marker": b"one\n<<<<<<< HEAD\ntwo\n",
}
FRONT: dict[str, bytes] = {
    "frontmatter without end": b"---\ntitle: a\n\ntext\n",
    "frontmatter that is no YAML": note("title: [a"),
    "frontmatter that is a list": note("- a\n- b"),
    "an alias": note("a: &x [1]\nb: *x"),
    "a tab": note("title: a\n\tb: c"),
    "a tag of another program": note("a: !!python/object:os.system x"),
    "nested too deep": note(f"a: {'[' * 3000}"),
    "too large": note(f"a: {'x' * 300_000}"),
}
TEXTS: dict[str, dict[str, bytes]] = {
    "mcp-memory": {
        **ANY_TEXT,
        "no JSON": lines(entity(), "{type: entity}"),
        "cut off": lines(entity(), '{"type":"entity","name":"b'),
        "a list": lines([1, 2]),
        "unknown type": lines({"type": "node"}),
        "no type": lines({"name": "a"}),
        "no name": lines(without(entity(), "name")),
        "blank name": lines(entity(name=" ")),
        "name is a number": lines(entity(name=5)),
        "no entityType": lines(without(entity(), "entityType")),
        "observations are text": lines(entity(observations="a fact")),
        "an observation is an object": lines(entity(observations=[{"text": "a"}])),
        "relation without end": lines(entity(), without(relation(), "to")),
        "relation to a number": lines(entity(), relation(to=7)),
        "nested too deep": lines(f'{{"type":"entity","observations":{DEEP}}}'),
    },
    "agents-md": ANY_TEXT | FRONT,
    "markdown-list": {**ANY_TEXT, **FRONT, "no list": b"# Title\n\nonly prose\n"},
    "cursor": {
        **ANY_TEXT,
        "frontmatter without end": FRONT["frontmatter without end"],
        "no field": note("just words"),
        "alwaysApply is no truth": note("alwaysApply: often"),
        "says nothing": note("alwaysApply: true", ""),
        "a list without a name": note("- src/*.ts"),
    },
    "obsidian": ANY_TEXT | FRONT,
    "basic-memory": {
        **ANY_TEXT,
        "frontmatter without end": FRONT["frontmatter without end"],
        "frontmatter that is no YAML": FRONT["frontmatter that is no YAML"],
        "an alias": FRONT["an alias"],
        "no frontmatter": b"# A note\n",
        "no title": note("type: note\npermalink: a"),
        "title is a list": note("title: [a]\npermalink: a"),
        "no permalink": note("title: a\ntype: note"),
        "blank permalink": note("title: a\npermalink:"),
    },
    "mem0": {
        **ANY_TEXT,
        "no JSON": b'{"results": [',
        "no list": whole({"count": 0}),
        "a text": whole("memory"),
        "results are an object": whole({"results": {}}),
        "a memory is a text": whole([memory(), "the queue"]),
        "no id": whole([without(memory(), "id")]),
        "no memory": whole([without(memory(), "memory")]),
        "memory is a number": whole([memory(memory=5)]),
        "blank memory": whole([memory(memory=" ")]),
        "metadata is a list": whole([memory(metadata=["a"])]),
        "the same id twice": lines("[", whole(memory()).decode() + ",", memory(), "]"),
        "a key twice": b'[{"id":"1","id":"2","memory":"a"}]',
        "not a number": b'[{"id":"1","memory":"a","metadata":{"x":NaN}}]',
        "nested too deep": f'{{"results":[{{"id":"1","memory":"a","metadata":{DEEP}}}]}}'.encode(),
    },
}  # fmt: skip


def database(name: str, *changes: str) -> Callable[[Path], None]:
    """Return what makes a database of a format, with changes."""

    def make(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db:
            db.executescript((FOREIGN / f"{name}.sql").read_text(encoding="utf-8"))
            for change in changes:
                db.execute(change)
            db.commit()

    return make


def holding(content: bytes) -> Callable[[Path], None]:
    """Return what writes a file of this content."""
    return lambda path: path.write_bytes(content) and None


def damaged(name: str, start: int) -> Callable[[Path], None]:
    """Return what makes a database of a format with a page that holds nothing readable."""

    def make(path: Path) -> None:
        database(name)(path)
        data = bytearray(path.read_bytes())
        data[start : start + 3000] = b"\xff" * 3000
        path.write_bytes(data)

    return make


def misnamed(name: str, column: bytes) -> Callable[[Path], None]:
    """Return what makes a database of a format with a column whose name is no text."""

    def make(path: Path) -> None:
        database(name)(path)
        path.write_bytes(path.read_bytes().replace(column, column[:-1] + b"\xff", 1))

    return make


ANY_DATABASE = {
    "empty": holding(b""),
    "a text": holding(b"SELECT * FROM agent_memory;\n" * 50),
    "cut off": holding(b"SQLite format 3\x00" + b"\x00" * 84),
}


def _set(table: str, column: str, value: str) -> str:
    return f"UPDATE {table} SET {column} = {value} WHERE rowid = 1"


def _schist(*changes: str) -> Callable[[Path], None]:
    return database("schist", *changes)


def _peer(*changes: str) -> Callable[[Path], None]:
    return database("project-memory-mcp", *changes)


DATABASES: dict[str, dict[str, Callable[[Path], None]]] = {
    "schist": {
        **ANY_DATABASE,
        "damaged": damaged("schist", 4096),
        "a name that is no text": misnamed("schist", b"source_ref"),
        "no table": _schist("DROP TABLE agent_memory"),
        "a view": _schist(
            "ALTER TABLE agent_memory RENAME TO other",
            "CREATE VIEW agent_memory AS SELECT * FROM other",
        ),
        "blank content": _schist(_set("agent_memory", "content", "' '")),
        "content is a number": _schist(_set("agent_memory", "content", "x'00'")),
        "unknown type": _schist(_set("agent_memory", "entry_type", "'rumour'")),
        "no type": _schist("ALTER TABLE agent_memory DROP COLUMN entry_type"),
        "tags are no JSON": _schist(_set("agent_memory", "tags", "'a, b'")),
        "tags are an object": _schist(_set("agent_memory", "tags", "'{}'")),
        "a tag is a number": _schist(_set("agent_memory", "tags", "'[5]'")),
    },
    "project-memory-mcp": {
        **ANY_DATABASE,
        "damaged": damaged("project-memory-mcp", 4096),
        "no events": _peer("DROP TABLE dependencies", "DROP TABLE event_links"),
        "no episodes": _peer("ALTER TABLE episodes RENAME TO other"),
        "payload is no JSON": _peer(_set("events", "payload", "'{'")),
        "payload is a list": _peer(_set("events", "payload", "'[]'")),
        "payload is blank": _peer(_set("events", "payload", "''")),
        "no id": _peer(_set("events", "id", "''")),
        "a decision without its text": _peer(_set("events", "payload", "'{}'")),
        "a decision that is a number": _peer(_set("events", "payload", "'{\"decision\":5}'")),
        "payload too deep": _peer(_set("events", "payload", f"'{{\"decision\":{DEEP}}}'")),
    },
}  # fmt: skip


def cases() -> Iterable[tuple[str, str, Callable[[Path], None]]]:
    """Yield (format, variant, what writes it to a path)."""
    for name, variants in TEXTS.items():
        yield from ((name, variant, holding(content)) for variant, content in variants.items())
    for name, makers in DATABASES.items():
        yield from ((name, variant, make) for variant, make in makers.items())
