"""Values that fields take: words out of a list, periods of days, ages."""

from __future__ import annotations

import calendar
import difflib
import re
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "status": ("active", "stale", "superseded", "wrong"),
        "asserted": ("user", "agent", "import"),
        "reach": ("project", "everywhere"),
        "confidence": ("low", "medium", "high"),
        "is": ("standing", "pinned", "archived", "any", "orphan", "expired"),
    }
)
"""Field -> the only values it takes."""

DATES = ("created", "updated", "validated")
"""Fields that take a period of days."""

FREE = ("tag", "file", "id", "author", "linked", "text")
"""Fields that take any text."""

FIELDS = (*CHOICES, *DATES, *FREE)
"""Every field of the language."""

_DAY = r"\d{4}(?:-\d{2}(?:-\d{2})?)?"
_COMPARED = re.compile(rf"(?P<sign>>=|<=|>|<)(?P<day>{_DAY})")
_AGE = re.compile(r"(?P<sign>>=|<=|>|<)(?P<count>\d{1,5})(?P<unit>[dwy])")
_RANGE = re.compile(rf"(?P<low>{_DAY})?\.\.(?P<high>{_DAY})?")
_UNITS = {"d": 1, "w": 7, "y": 365}
_DATE_FORMS = "a date like 2026-01-31 or 2026-01, >=2026-01, 2026-01..2026-03 or an age like <30d"


def expected(field: str, value: str) -> str | None:
    """Return what a field expects instead of this value, or None where the value is good."""
    if not value.strip():
        return f"a value for {field}"
    if field in CHOICES and value not in CHOICES[field]:
        near = difflib.get_close_matches(value, CHOICES[field], n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return f"one of {', '.join(CHOICES[field])}{hint}"
    if field in DATES and period(value, date(2000, 1, 1)) is None:
        return _DATE_FORMS
    return None


def period(value: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day that a date value means, or None where it means none.

    Ages count back from `today`: ``<30d`` is everything younger than 30 days.
    """
    try:
        if age := _AGE.fullmatch(value):
            return _aged(age["sign"], int(age["count"]) * _UNITS[age["unit"]], today)
        if compared := _COMPARED.fullmatch(value):
            return _compared(compared["sign"], *_days(compared["day"]))
        if spanned := _RANGE.fullmatch(value):
            return _spanned(spanned["low"], spanned["high"])
        return _days(value) if re.fullmatch(_DAY, value) else None
    except (ValueError, OverflowError):
        return None


def _aged(sign: str, days: int, today: date) -> tuple[date, date]:
    then = today - timedelta(days)
    match sign:
        case "<":
            return then + timedelta(1), date.max
        case "<=":
            return then, date.max
        case ">":
            return date.min, then - timedelta(1)
    return date.min, then


def _compared(sign: str, first: date, last: date) -> tuple[date, date]:
    match sign:
        case "<":
            return date.min, first - timedelta(1)
        case "<=":
            return date.min, last
        case ">":
            return last + timedelta(1), date.max
    return first, date.max


def _spanned(low: str | None, high: str | None) -> tuple[date, date] | None:
    if low is None and high is None:
        return None
    first = _days(low)[0] if low else date.min
    last = _days(high)[1] if high else date.max
    return (first, last) if first <= last else None


def _days(text: str) -> tuple[date, date]:
    """Return the first and last day of a year, a month or a day.

    Raises:
        ValueError: there is no such day.
    """
    year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
    if day:
        return date(year, month, day), date(year, month, day)
    if month:
        return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    return date(year, 1, 1), date(year, 12, 31)
