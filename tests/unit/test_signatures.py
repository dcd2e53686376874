"""Arguments of another kind than a signature names, and the calls of the application."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from factories import draft

from project_memory import signatures
from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import InvalidInput, ProjectMemoryError
from project_memory.model import Actor, Authority
from project_memory.services.asking import Query

JSON = Mapping[str, Any]
ADA = Actor("ada", Authority.USER)
WRONG = (5, 1.5, True, [], [5], {}, {"a": 1}, object(), b"x", ("a",), {1}, "x", [["x"]], None)
GOOD = {
    "draft": draft(id="third"),
    "patch": {"tags": ["x"]},
    "operations": [{"op": "pin", "id": "first"}],
    "from_id": "first",
    "to_id": "second",
    "memory_id": "first",
    "memory_ids": ["first"],
    "kind": "causes",
    "status": "stale",
    "version": 1,
    "old": 1,
    "number": 1,
}


@signatures.checked
class Example:
    def __init__(self, name: str) -> None:
        self.name = name

    @classmethod
    def made(cls, name: str) -> Example:
        return cls(name)

    def call(
        self,
        text: str | None = None,
        count: int = 1,
        *,
        flag: bool = False,
        names: Iterable[str] = (),
        more: Sequence[str] = (),
        value: JSON | None = None,
        path: str | Path = "",
        anything: Any = None,
        **options: Any,
    ) -> tuple[object, ...]:
        """Return all of it."""
        return text, count, flag, names, more, value, path, anything, options


def test_arguments_of_their_kinds_pass() -> None:
    names = (name for name in ("a", "b"))
    assert Example.made("x").call(
        "t", 2, flag=True, names=names, more=["c"], value={}, path=Path(), anything=3, other=4
    ) == ("t", 2, True, ("a", "b"), ("c",), {}, Path(), 3, {"other": 4})
    assert Example("x").call()[0] is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"text": 5}, "'text' is of type int; give a string"),
        ({"count": "5"}, "'count' is of type str; give a whole number"),
        ({"count": True}, "'count' is of type bool; give a whole number"),
        ({"count": None}, "'count' is None; give a whole number"),
        ({"flag": 1}, "'flag' is of type int; give True or False"),
        ({"names": "abc"}, "'names' is of type str; give a list of strings"),
        ({"names": [1]}, "'names' is of type list; give a list of strings"),
        ({"more": {"a": 1}}, "'more' is of type dict; give a list of strings"),
        ({"value": []}, "'value' is of type list; give an object"),
        ({"path": 5}, "'path' is of type int; give a path"),
    ],
)
def test_another_kind_is_refused_by_name(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Example("x").call(**given)
    assert str(caught.value) == message


def test_makers_are_checked_and_names_that_no_signature_has_stay_errors_of_python() -> None:
    for make in (Example, Example.made):
        with pytest.raises(InvalidInput):
            make(5)
    with pytest.raises(TypeError):
        Example("x", other=1)
    assert Example.call.__doc__ == "Return all of it."


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        for name in ("first", "second"):
            opened.create(draft(id=name, description=f"the lesson that is called {name} here"))
        yield opened


def arguments() -> Iterator[tuple[str, str]]:
    """Yield (method, argument) for every argument whose kind a signature names."""
    for name, method in inspect.getmembers(ProjectMemory, inspect.isfunction):
        for parameter in inspect.signature(method).parameters.values():
            plain = str(parameter.annotation).removesuffix(" | None")
            if not name.startswith("_") and plain in signatures.KINDS:
                yield name, parameter.name


@pytest.mark.parametrize(("name", "argument"), list(arguments()))
def test_no_call_fails_within_whatever_it_is_given(
    memory: ProjectMemory, tmp_path: Path, name: str, argument: str
) -> None:
    method = getattr(memory, name)
    for wrong in WRONG:
        given = {}
        for parameter in inspect.signature(method).parameters.values():
            if parameter.name == argument:
                given[argument] = wrong
            elif parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD:
                fallback = tmp_path / "x" if "path" in parameter.name else "x"
                given[parameter.name] = GOOD.get(parameter.name, fallback)
        if argument == "path" and isinstance(wrong, str):
            continue
        # what is no plain value, such as a report, is another's to hand on
        handed_on = {"report", "plan"} & given.keys()
        expected = (ProjectMemoryError, AttributeError) if handed_on else ProjectMemoryError
        with suppress(expected):
            method(**given)


@pytest.mark.parametrize("argument", sorted(Query.__dataclass_fields__))
def test_a_recall_names_what_it_cannot_take(memory: ProjectMemory, argument: str) -> None:
    for wrong in WRONG:
        with suppress(ProjectMemoryError):
            memory.recall(**{"query": "lesson", argument: wrong})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"limit": "5"}, "'limit' is of type str; give a whole number"),
        ({"prefer": [5]}, "'prefer' is of type list; give a list of strings"),
        ({"before": 5}, "'before' is of type int; give a string"),
        ({"status_filter": 5}, "status_filter is of type int; give a list of them"),
    ],
)
def test_a_recall_tells_the_argument(
    memory: ProjectMemory, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        memory.recall(query="lesson", **given)
    assert str(caught.value) == message


def test_an_operation_of_a_batch_tells_its_member(memory: ProjectMemory) -> None:
    for member, value, named in (
        ("keep", [5], "a list of strings"),
        ("keep", "kind:bug", "a list of strings"),
        ("prefix", 5, "a string"),
    ):
        operation = {"op": "set_single", "prefix": "kind", member: value}
        with pytest.raises(InvalidInput) as caught:
            memory.apply([operation])
        assert str(caught.value) == f"operation 0 (set_single): '{member}' is not {named}"
    with pytest.raises(InvalidInput) as caught:
        memory.apply([{"op": "delete", "id": "first", "if_version": True}])
    assert str(caught.value) == "operation 0 (delete): 'if_version' is not an integer"


def test_functions_beside_the_class_are_checked() -> None:
    with pytest.raises(InvalidInput) as caught:
        validate_directory(5)
    assert str(caught.value) == "'path' is of type int; give a path"
