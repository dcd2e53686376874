"""A document as a note: read back without loss, readable, and clear about what has no place."""

from __future__ import annotations

from typing import Any

import pytest
from factories import document
from hypothesis import given
from hypothesis import strategies as st

from project_memory import documents
from project_memory.exchange import notes
from project_memory.model import Severity

FACT = {
    "fact": "one writer at a time",
    "key": "writers",
    "status": "verified",
    "verified_at": "2026-01-31",
    "source": "the log",
}
FULL = document(
    remembered_facts=["plain\n\n  indented\n## no heading\n- no point", FACT],
    solution_pattern=["BEGIN IMMEDIATE"],
    pitfalls=["---", "# beware: of this"],
    triggers=["database is locked"],
    relationships={"related": [{"id": "other", "reason": "both are about\nlocks and keys"}]},
    checks=[{"type": "file_exists", "path": "src/*.py"}],
    standing=True,
)
NOTE = """\
---
schema_version: 1
id: "sqlite-locked"
status: "active"
labels: ["kind:bug"]
tags: []
scope: {"project": "demo", "files": [], "applies_to": [], "reach": "project"}
standing: true
checks: [{"type": "file_exists", "path": "src/*.py"}]
evidence: {"created_from_task": "unit test", "last_validated": "2026-01-31"}
relationships: {"related": [{"id": "other", "reason": "both are about\\nlocks and keys"}]}
facts: [{"at": 2, "of": "DIGEST", "key": "writers", "status": "verified", \
"verified_at": "2026-01-31", "source": "the log"}]
---
# Writers on one SQLite file see 'database is locked' under load

## Facts

- plain
  
    indented
  ## no heading
  - no point
- one writer at a time

## What to do

- BEGIN IMMEDIATE

## Pitfalls

- ---
- # beware: of this

## Triggers

- database is locked

## Links

- related [[other]]: both are about locks and keys
""".replace("DIGEST", documents.value_digest("one writer at a time"))  # noqa: W293


def read(text: str) -> Any:
    value, problems = notes.parse(text, "a.md")
    assert problems == []
    return documents.canonical(value)


def told(text: str) -> list[tuple[int | None, str, str | None]]:
    return [(each.line, each.message, each.fix) for each in notes.parse(text, "a.md")[1]]


def test_a_note_reads_well_and_comes_back_the_same() -> None:
    assert notes.to_text(documents.canonical(FULL)) == NOTE
    assert read(NOTE) == documents.canonical(FULL)


def test_endings_of_lines_and_blanks_that_editors_take_away_change_nothing() -> None:
    stripped = "\n".join(line.rstrip() for line in NOTE.split("\n"))
    assert read(stripped) == read(NOTE) == read(NOTE.replace("\n", "\r\n"))


TEXT = (
    st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t-# `'\":[]{}"))
    .map(documents.cleaned)
    .filter(bool)
)
FACTS = st.lists(TEXT | TEXT.map(lambda text: {**FACT, "fact": text}), min_size=1, max_size=4)


@given(
    description=TEXT,
    facts=FACTS,
    others=st.lists(TEXT, max_size=3),
    tags=st.lists(TEXT.map(lambda text: " ".join(text.split())).filter(bool), max_size=3),
)
def test_any_document_comes_back_the_same(
    description: str, facts: list[Any], others: list[str], tags: list[str]
) -> None:
    held = documents.canonical(
        document(description=description, remembered_facts=facts, pitfalls=others, tags=tags,
                 status_reason=description, solution_pattern=others[:1])
    )  # fmt: skip
    assert read(notes.to_text(held)) == held


def test_a_fact_that_is_edited_loses_what_was_said_of_it() -> None:
    edited = NOTE.replace("- one writer at a time", "- two writers at a time")
    value, problems = notes.parse(edited, "a.md")
    assert value["remembered_facts"][1] == "two writers at a time"
    assert [(each.severity, each.message) for each in problems] == [
        (Severity.WARNING, "a fact that had a state of its own was changed, and is plain now")
    ]
    moved = NOTE.replace("- plain\n", "- before\n- plain\n")
    assert read(moved)["remembered_facts"][2] == FACT


ONLY = "write it as a point below one of: Facts, What to do, Pitfalls, Triggers"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# A lesson\n", [(1, "the note has no frontmatter", "write it as `project-memory export "
                           "--format markdown` does")]),
        (NOTE.replace("## Facts", "## Notes"),
         [(16, "'Notes' is no heading of a memory",
           "use one of: Facts, What to do, Pitfalls, Triggers, Links")]),
        (NOTE.replace("- BEGIN", "BEGIN"),
         [(27, "'BEGIN IMMEDIATE' has no place in a memory", ONLY)]),
        ("---\nid: [\n---\n", [(3, "the frontmatter is not YAML: expected the node content, but "
                                "found '<stream end>'", "quote the value, or mend it")]),
    ],
    ids=["frontmatter", "heading", "prose", "yaml"],
)  # fmt: skip
def test_what_has_no_place_is_told(text: str, said: list[Any]) -> None:
    assert told(text) == said


@pytest.mark.parametrize(
    ("path", "line"),
    [("$.id", 3), ("$.scope.files[0]", 7), ("$.description", 14), ("$.remembered_facts", 18),
     ("$.remembered_facts[1].status", 23), ("$.pitfalls[1]", 32), ("$.nothing", 1), ("$", 1)],
)  # fmt: skip
def test_the_line_of_a_value_is_known(path: str, line: int) -> None:
    assert notes.line_of(NOTE, path) == line
