"""A hundred faults among three hundred documents: each is reported once, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from factories import document

from project_memory.app import validate_directory

Document = dict[str, Any]
Plant = Callable[[Document, Document], tuple[str, str]]
"""Damages a document, or its partner, and returns (code, JSON path) of what is to be found."""

TIMES = 3
LABELS = ("kind:bug", "area:lake", "area:sea", "team:red", "team:blue")
# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def put(path: str, code: str, value: Any) -> Plant:
    """Return a plant that puts a value at a path such as ``scope.files``."""

    def plant(damaged: Document, partner: Document) -> tuple[str, str]:
        *way, last = path.split(".")
        place = damaged
        for step in way:
            place = place[step]
        place[last] = value
        return code, f"$.{path}"

    return plant


def put_first(path: str, code: str, value: Any) -> Plant:
    """Return a plant that puts a value at the head of a list."""

    def plant(damaged: Document, partner: Document) -> tuple[str, str]:
        put(path, code, [value])(damaged, partner)
        return code, f"$.{path}[0]"

    return plant


def fact_without_source(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["remembered_facts"] = [{"fact": "it is so", "status": "verified"}]
    return "schema-required", "$.remembered_facts[0]"


def field_missing(damaged: Document, partner: Document) -> tuple[str, str]:
    del damaged["triggers"]
    return "schema-required", "$"


def oversize(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["triggers"] = ["x" * 2000] * 32
    damaged["pitfalls"] = ["y" * 2000] * 2
    return "oversize", "$"


def two_of_one_prefix(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["labels"] = ["team:blue", "team:red"]
    return "single-prefix", "$.labels"


def self_link(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["relationships"]["depends_on"] = [{"id": damaged["id"]}]
    return "self-link", "$.relationships.depends_on[0]"


def dangling_link(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["relationships"]["causes"] = [{"id": "no-such-document"}]
    return "dangling-link", "$.relationships.causes[0]"


def duplicate_link(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["relationships"]["related"] *= 2
    return "duplicate-link", "$.relationships.related[1]"


def missing_mirror(damaged: Document, partner: Document) -> tuple[str, str]:
    partner["relationships"]["related"] = []
    return "missing-mirror", "$.relationships.related[0]"


def superseded_by_nothing(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["status"] = "superseded"
    return "superseded-without-successor", "$.status"


def superseded_and_not_shown(damaged: Document, partner: Document) -> tuple[str, str]:
    damaged["relationships"]["superseded_by"] = [partner["id"]]
    partner["relationships"]["supersedes"] = [damaged["id"]]
    return "superseded-not-shown", "$.status"


def cycle(damaged: Document, partner: Document) -> tuple[str, str]:
    for one, other in ((damaged, partner), (partner, damaged)):
        one["relationships"]["generalizes"] = [{"id": other["id"]}]
        one["relationships"]["specializes"] = [{"id": other["id"]}]
    return "cycle", "$.relationships.generalizes"


PLANTS: list[Plant] = [
    put("descripton", "unknown-field", "a misspelt one"),
    put("scope.owner", "unknown-field", "nobody"),
    put_first("tags", "schema-type", 7),
    put_first("remembered_facts", "blank-string", "\u2003 "),
    put("description", "control-character", "a text that rings the \a bell, loudly"),
    put("description", "lone-surrogate", "a text with half a pair: \ud83d, and more"),
    put("status", "schema-enum", "fresh"),
    put("schema_version", "schema-const", 2),
    put("evidence.last_validated", "schema-format", "2026-02-30"),
    put("evidence.created", "schema-any-of", "last winter"),
    put("evidence.related_doc", "schema-pattern", "notes.txt"),
    put_first("scope.files", "schema-pattern", "../elsewhere/a.py"),
    put_first("labels", "schema-pattern", "Kind:Bug"),
    put_first("labels", "unknown-label", "area:ocean"),
    put_first("labels", "alias-label", "area:mere"),
    put("description", "schema-min-length", "too short"),
    put("tags", "schema-max-items", [f"tag{number}" for number in range(33)]),
    put("tags", "schema-unique-items", ["same", "same"]),
    put_first("pitfalls", "secret", f"log in with {TOKEN} there"),
    fact_without_source,
    field_missing,
    oversize,
    two_of_one_prefix,
    self_link,
    dangling_link,
    duplicate_link,
    missing_mirror,
    superseded_by_nothing,
    superseded_and_not_shown,
    cycle,
]
TEXTS: list[tuple[str, Callable[[bytes], bytes], int]] = [
    ("merge-marker", lambda text: text.replace(b"{\n", b"{\n<<<<<<< ours\n", 1), 2),
    ("bad-json", lambda text: text.replace(b"{\n", b"{\n,\n", 1), 2),
    ("duplicate-key", lambda text: text.replace(b"{\n", b'{\n  "status": "stale",\n', 1), 5),
    ("not-utf8", lambda text: text.replace(b"Writers", b"\xff\xfe", 1), 5),
    ("not-an-object", lambda text: b"[" + text + b"]", 1),
]
"""Code, what it makes of a file, the line that is to be named."""


def pairs(count: int) -> list[tuple[Document, Document]]:
    """Return documents in pairs that link to each other."""
    made = [document(id=f"doc-{n:03}", labels=[LABELS[n % 3]]) for n in range(2 * count)]
    for number, each in enumerate(made):
        other = {"id": f"doc-{number ^ 1:03}", "reason": "written by one generator"}
        each["relationships"]["related"] = [other]
    return list(zip(made[::2], made[1::2], strict=True))


def line_of(damaged: Document, path: str) -> int:
    """Return the line of a path by writing a mark there."""
    code = path.removeprefix("$").replace("[", ".[").split(".")[1:]
    whole = json.loads(json.dumps(damaged))
    if not code:
        return 1
    place: Any = whole
    for step in code[:-1]:
        place = place[int(step[1:-1])] if step[0] == "[" else place[step]
    place[int(code[-1][1:-1]) if code[-1][0] == "[" else code[-1]] = "the mark"
    text = json.dumps(whole, indent=2)
    return text[: text.index('"the mark"')].count("\n") + 1


def test_every_planted_fault_is_reported_once_and_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    registry = {name: {} for name in LABELS} | {"area:lake": {"aliases": ["area:mere"]}}
    single = {"team": {"single": True}}
    (tmp_path / "labels.json").write_text(
        json.dumps({"schema_version": 1, "labels": registry, "prefixes": single})
    )
    held = pairs(150)
    expected: list[tuple[str, str, str, int | None]] = []
    for number, plant in enumerate(PLANTS * TIMES):
        damaged, partner = held[number]
        code, path = plant(damaged, partner)
        file = f"memories/{damaged['id']}.json"
        expected.append((file, code, path, line_of(damaged, path)))
    for each in (one for pair in held for one in pair):
        text = json.dumps(each, indent=2) + "\n"
        (tmp_path / "memories" / f"{each['id']}.json").write_text(text)
    for number, (code, damage, line) in enumerate(TEXTS, start=len(PLANTS) * TIMES):
        path = tmp_path / "memories" / f"{held[number][0]['id']}.json"
        path.write_bytes(damage(path.read_bytes()))
        expected.append((f"memories/{path.name}", code, "$", line))
    expected += planted_around(tmp_path, held[-5:])

    report = validate_directory(tmp_path)

    found = [(p.file, p.code, p.path, p.line) for p in report.problems]
    assert len(expected) == 100
    assert len({code for _, code, _, _ in expected}) >= 30
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert not report.ok


def planted_around(
    folder: Path, spare: list[tuple[Document, Document]]
) -> list[tuple[str, str, str, int | None]]:
    """Plant what concerns more than the text of one file."""
    (first, _), (second, _), *_ = spare
    (folder / "memories" / f"{first['id']}.json").rename(folder / "memories" / "misnamed.json")
    (folder / "archive").mkdir()
    twin = (folder / "memories" / f"{second['id']}.json").read_text()
    (folder / "archive" / f"{second['id']}.json").write_text(twin)
    (folder / "memories" / "aux.json").write_text(json.dumps(document(id="aux"), indent=2))
    (folder / "memories" / "folder.json").mkdir()
    (folder / "meta.json").write_text('{"memories": {\n"gone": {"pinned": true}}}')
    return [
        ("memories/misnamed.json", "name-mismatch", "$.id", 3),
        (f"memories/{second['id']}.json", "duplicate-id", "$.id", 3),
        ("memories/aux.json", "unsafe-name", "$.id", 3),
        ("memories/folder.json", "not-a-file", "$", None),
        ("meta.json", "bad-meta", "$.memories.gone", 2),
    ]
