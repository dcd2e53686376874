from __future__ import annotations

import json
from types import MappingProxyType

import pytest
from factories import document, memory, revision

from project_memory.errors import InvalidInput
from project_memory.model import Label, LabelChange, MemoryChange, PrefixChange
from project_memory.storage import codec


def test_json_is_compact_and_keeps_order_and_characters():
    assert codec.to_json({"b": [1, 2.0, None], "a": "é\u2028数"}) == (
        '{"b":[1,2.0,null],"a":"é\u2028数"}'
    )


def test_any_mapping_is_an_object():
    value = MappingProxyType({"related": MappingProxyType({"other-one": "ada"})})
    assert codec.to_json(value) == '{"related":{"other-one":"ada"}}'


def test_what_is_no_json_is_refused():
    with pytest.raises(TypeError, match=r"^set is not JSON data$"):
        codec.to_json({"tags": {1}})


@pytest.mark.parametrize("text", ["\ud800", "ab\udfff"])
def test_a_lone_surrogate_is_refused_by_its_code(text):
    with pytest.raises(InvalidInput) as error:
        codec.to_json({"description": text})
    assert str(error.value) == (
        f"text holds the lone surrogate '\\u{ord(text[-1]):x}', which cannot be stored; "
        "send valid Unicode"
    )


def test_a_memory_survives_the_way_there_and_back():
    stored = memory(3, id="whole-one", pinned=True, declared={"related": {"other-one": "bob"}})
    assert codec.memory_from_json(codec.memory_to_json(stored)) == stored


def test_a_document_keeps_its_bytes():
    odd = {"zz": 1, **document(tags=["e\u0301"])}
    found = codec.memory_from_json(codec.memory_to_json(memory(1, **odd))).document
    assert json.dumps(found) == json.dumps(memory(1, **odd).document)


def test_a_revision_survives_the_way_there_and_back():
    whole = revision(
        4,
        MemoryChange(None, memory(1)),
        MemoryChange(memory(1), None),
        LabelChange(Label("area:auth", aliases=("area:login",)), None),
        PrefixChange("kind", before=True, after=False),
        undoes=3,
    )
    assert codec.revision_from_json(codec.revision_to_json(whole)) == whole
