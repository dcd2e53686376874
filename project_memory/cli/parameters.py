"""Parameter types: text that is text, counts from 1, links written ``ID:REASON``."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import click

_DURATION = re.compile("([1-9][0-9]{0,3})([mhd])")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class _Text(click.ParamType[str]):
    """Text; Python carries bytes of argv that are not UTF-8 as lone surrogates."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if _LONE_SURROGATE.search(text):
            self.fail(f"'{text}' is not valid UTF-8", param, ctx)
        return text


class _Whole(click.ParamType[int]):
    """A whole number with a lower bound, and perhaps an upper one; both are allowed."""

    name = "integer"

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if number < self.least or (self.most is not None and number > self.most):
            span = f"{self.least}" if self.most is None else f"{self.least} to {self.most}"
            self.fail(f"'{value}' is not a whole number from {span}", param, ctx)
        return number


class _Duration(click.ParamType[timedelta]):
    """A length of time from one minute on, ``30m``, ``6h`` or ``1d``."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        if isinstance(value, timedelta):
            return value
        found = _DURATION.fullmatch(str(value))
        if found is None:
            self.fail(
                f"'{value}' is no length of time; write minutes, hours or days, such as 30m, 6h "
                "or 1d",
                param,
                ctx,
            )
        return int(found[1]) * _UNITS[found[2]]


class _Link(click.ParamType[dict[str, str]]):
    """A link of a draft, ``ID`` or ``ID:REASON``; an id never holds a colon."""

    name = "link"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, str]:
        target, _, reason = TEXT.convert(value, param, ctx).partition(":")
        link = {"id": target.strip(), "reason": reason.strip()}
        return {name: text for name, text in link.items() if text or name == "id"}


def whole(least: int, most: int) -> click.ParamType[int]:
    """Return the type of whole numbers from `least` to `most`."""
    return _Whole(least, most)


TEXT = _Text()
COUNT = _Whole(1)
COUNT_FROM_ZERO = _Whole(0)
DURATION = _Duration()
LINK = _Link()
