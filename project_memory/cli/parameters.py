"""Parameter types: text that is text, counts from 1, links written ``ID:REASON``."""

from __future__ import annotations

import re
from typing import Any

import click

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _Text(click.ParamType[str]):
    """Text; Python carries bytes of argv that are not UTF-8 as lone surrogates."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if _LONE_SURROGATE.search(text):
            self.fail(f"'{text}' is not valid UTF-8", param, ctx)
        return text


class _Count(click.ParamType[int]):
    """A whole number with a lower bound."""

    name = "integer"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if number < self.least:
            self.fail(f"'{value}' is not a whole number from {self.least}", param, ctx)
        return number


class _Link(click.ParamType[dict[str, str]]):
    """A link of a draft, ``ID`` or ``ID:REASON``; an id never holds a colon."""

    name = "link"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, str]:
        target, _, reason = TEXT.convert(value, param, ctx).partition(":")
        link = {"id": target.strip(), "reason": reason.strip()}
        return {name: text for name, text in link.items() if text or name == "id"}


TEXT = _Text()
COUNT = _Count(1)
COUNT_FROM_ZERO = _Count(0)
LINK = _Link()
