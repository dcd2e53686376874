"""An option for each limit of an audit's policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from project_memory.audit.policy import FIELDS
from project_memory.cli.parameters import TEXT, whole

Function = TypeVar("Function", bound=Callable[..., Any])


def limit_options(function: Function) -> Function:
    """Add an option for each field of the policy; one that is not given is passed on as None."""
    for name in reversed(tuple(FIELDS)):
        function = click.option(_flags(name), name, **_attributes(name))(function)
    return function


def _flags(name: str) -> str:
    hyphened = name.replace("_", "-")
    either = f"--{hyphened}/--no-{hyphened}"
    return either if "flag" in FIELDS[name].metadata else f"--{hyphened}"


def _attributes(name: str) -> dict[str, Any]:
    metadata, default = FIELDS[name].metadata, FIELDS[name].default
    text = metadata["help"]
    if "least" in metadata:
        shown = f"{text}  [default: {default}]" if default is not None else text
        number = whole(metadata["least"], metadata["most"])
        return {"type": number, "metavar": "N", "help": shown}
    if "flag" in metadata:
        return {"default": None, "help": text}
    if "several" in metadata:
        repeated = f"{text.removesuffix('.')}; repeat for several."
        return {"type": TEXT, "metavar": "T:Q:D" if "form" in metadata else "NAME",
                "multiple": True, "help": repeated,
                "callback": _none_if_empty}  # fmt: skip
    return {"type": TEXT, "metavar": "TEXT", "help": text}


def _none_if_empty(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> Any:
    return value or None
