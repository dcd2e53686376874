"""Rows with other labels are what their memories, read again, would give."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from factories import memory as made

from project_memory.index.building import build, labels_of
from project_memory.index.corpus import Corpus
from project_memory.index.relabelling import relabelled
from project_memory.index.segment import Lists, Postings
from project_memory.model import MemoryChange

TEXTS = [
    {
        "id": "retry-storm",
        "description": "Retry storms follow a lost lock of Acme Cloud",
        "remembered_facts": ["The lock is lost. Retry after `lock_file` is gone", "retry"],
        "scope": {"files": ["src/lock.py"]},
    },
    {
        "id": "sperre",
        "description": "Die Sperren werden nicht gelöst, wenn der Dienst endet",
        "remembered_facts": ["Die Dienste und die Sperren sind nicht frei"],
        "solution_pattern": "Die Sperren werden nach dem Dienst gelöst",
        "scope": {},
    },
    {
        "id": "paste",
        "description": "How text is pasted",
        "remembered_facts": ["def paste(text):\n    return run(text)"],
        "scope": {"files": ["a.py", "b.py"]},
        "archived_at": "2026-01-31T09:30:00Z",
    },
]
BEFORE = (["kind:bug", "area:sperren-retry"], ["area:dienste"], ["area:lock"])
AFTER = (["area:retry-lock", "kind:acme"], ["area:dienste", "kind:sperren"], ["kind:the-text"])


def memories(labels):
    return [
        made(key=key, **{**text, "labels": carried})
        for key, (text, carried) in enumerate(zip(TEXTS, labels, strict=True), 1)
    ]


def flat(segment):
    """Return name -> array of everything in a segment."""
    found = {}
    for field in fields(segment):
        value = getattr(segment, field.name)
        if isinstance(value, Lists | Postings):
            found |= {f"{field.name}.{f.name}": getattr(value, f.name) for f in fields(value)}
        else:
            found[field.name] = value
    return found


@pytest.mark.parametrize("rows", [[0, 1, 2], [1], [2, 0]])
def test_every_array_is_that_of_a_segment_built_of_the_relabelled_memories(rows):
    old = [memories(BEFORE)[row] for row in rows]
    now = [memories(AFTER)[row] for row in rows]
    found, expected = flat(relabelled(build(old), labels_of(now))), flat(build(now))
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].dtype == value.dtype, name
        assert np.array_equal(found[name], value), name


def test_the_text_of_a_relabelled_memory_is_not_read_again():
    corpus = Corpus().updated({m.key: m for m in memories(BEFORE)})
    other = made(key=1, **{**TEXTS[0], "remembered_facts": ["Quite another"]})
    kept = corpus.updated({1: other}, {1})
    read = corpus.updated({1: other})
    assert length(kept) == length(corpus)
    assert length(read) != length(corpus)


def length(corpus):
    """Return how many terms the text of the first memory has."""
    return corpus.lengths_at(corpus.rows_of(np.array([1])).reshape(1, 1)).tolist()


def test_a_change_is_of_labels_where_a_document_says_the_same_but_them():
    (old, *_), (new, *_) = memories(BEFORE), memories(AFTER)
    text = made(key=1, **{**TEXTS[0], "pitfalls": ["None"], "labels": AFTER[0]})
    assert MemoryChange(old, new).is_of_labels
    assert not MemoryChange(old, text).is_of_labels
    assert not MemoryChange(None, new).is_of_labels
    assert not MemoryChange(old, None).is_of_labels
