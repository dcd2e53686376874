"""Whatever stands in a file or a requirement, it is read or refused, and nothing else."""

from __future__ import annotations

import json

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from project_memory.checkout.dependencies import FORMS, Form, Unreadable

WORDS = st.sampled_from(
    ["x", "@", "@a/b", "^", "~", ">=", "<", "==", "||", " ", ",", "*", "-", "1", "1.2", "1.2.3",
     "v1", "-rc.1", "+b", "!", ";", "[", "]", "(", ")", "=>", "//", "#", "\\", "\n", "-r ", '"',
     "require", "replace", "[dependencies]", "=", "{", "}", ".", "\u0660", "\u00b2",
     "python_version", "9" * 99]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map("".join))
KEYS = st.sampled_from(
    ["project", "dependencies", "optional-dependencies", "dependency-groups", "build-system",
     "requires", "tool", "poetry", "group", "dev", "target", "workspace", "package", "version"]
)  # fmt: skip
TABLES = st.dictionaries(
    KEYS,
    st.recursive(
        st.integers(0, 9) | TEXTS.map(lambda text: text.encode("ascii", "ignore").decode()),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=15,
    ),
    max_size=4,
)
FORM = st.sampled_from(list(FORMS.values()))
JSON = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["dependencies", "packages", "node_modules/x", "name", "version", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def read(form: Form, text: str) -> None:
    """Read a text as far as it can be, and compare all that it names."""
    list(form.included(text))
    try:
        found = list(form.declared(text))
    except Unreadable:
        return
    for each in found:
        assert {each.name: each.locate(text)}
        form.language.overlap(each.versions or "", ">=1")


@given(FORM, TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_file_or_none(form: Form, text: str) -> None:
    read(form, text)


@given(st.sampled_from(["package.json", "package-lock.json"]), JSON)
@settings(max_examples=200, deadline=None)
def test_any_json_is_a_file_or_none(name: str, value: object) -> None:
    read(FORMS[name], json.dumps(value))


@given(st.sampled_from(["pyproject.toml", "Cargo.toml"]), TABLES)
@settings(max_examples=300, deadline=None)
def test_any_toml_is_a_file_or_none(name: str, value: dict[str, object]) -> None:
    read(FORMS[name], tomlkit.dumps(value))


@given(FORM, TEXTS, TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_requirement_or_none(form: Form, text: str, versions: str) -> None:
    found = form.language.named(text)
    if found is not None:
        assert found[0]
        form.language.overlap(found[1], versions)


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@given(versions=TEXTS)
@settings(max_examples=60, deadline=None)
def test_any_versions_are_compared(form: Form, versions: str) -> None:
    assert form.language.overlap(versions, "") in (True, False)
