"""Hold the arguments of calls to the kinds that their signatures name.

A caller in Python may pass anything; what is of another kind is refused by the name of the
argument, before it can fail somewhere within.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from project_memory.errors import InvalidInput

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Checked = TypeVar("Checked", bound=type)
Read = Callable[[Any], Any]
"""Returns the value as the function gets it; raises TypeError if it is of another kind."""


def _of(*kinds: type) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError
        return value

    return read


def _every(read_one: Read) -> Read:
    def read(value: Any) -> Any:
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            raise TypeError
        return tuple(read_one(member) for member in value)

    return read


KINDS: Mapping[str, tuple[Read, str]] = MappingProxyType(
    {
        "str": (_of(str), "a string"),
        "int": (_of(int), "a whole number"),
        "bool": (_of(bool), "True or False"),
        "JSON": (_of(Mapping), "an object"),
        "str | Path": (_of(str, os.PathLike), "a path"),
        "Path": (_of(os.PathLike), "a Path"),
        "Iterable[str]": (_every(_of(str)), "a list of strings"),
        "Sequence[str]": (_every(_of(str)), "a list of strings"),
        "tuple[str, ...]": (_every(_of(str)), "a list of strings"),
    }
)
"""Annotation -> (how the value of an argument is read, what it is called)."""


def checked(cls: Checked) -> Checked:
    """Return a class whose public methods refuse arguments of another kind; a decorator.

    An annotation that is not in the table here says nothing.
    """
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name not in {"__init__", "_commit"}:
            continue
        if inspect.isfunction(member):
            setattr(cls, name, checked_call(member))
        elif isinstance(member, classmethod):
            setattr(cls, name, classmethod(checked_call(member.__func__)))
    return cls


def checked_call(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return a function that refuses arguments of another kind than its annotations name.

    Its annotations must be text, as ``from __future__ import annotations`` leaves them.
    """
    signature = inspect.signature(function)
    annotations = {name: str(p.annotation) for name, p in signature.parameters.items()}

    @functools.wraps(function)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        bound = signature.bind(*args, **kwargs)
        bound.arguments |= read(annotations, bound.arguments)
        return function(*bound.args, **bound.kwargs)

    return call


def read(annotations: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of those names whose annotation is in the table, as they are to be taken.

    Raises:
        InvalidInput: a value is of another kind than its annotation names.
    """
    taken = {}
    for name in given:
        annotation = annotations.get(name, "")
        known = KINDS.get(annotation.removesuffix(" | None"))
        if known and not (given[name] is None and annotation.endswith(" | None")):
            taken[name] = _read(name, given[name], *known)
    return taken


def _read(name: str, value: Any, taken_as: Read, called: str) -> Any:
    try:
        return taken_as(value)
    except TypeError as error:
        kind = "None" if value is None else f"of type {type(value).__name__}"
        raise InvalidInput(f"'{name}' is {kind}; give {called}") from error
