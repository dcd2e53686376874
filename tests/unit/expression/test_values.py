"""Values of fields: periods of days."""

from __future__ import annotations

from datetime import date

import pytest

from project_memory.expression.values import FIELDS, period
from project_memory.labels import RESERVED

TODAY = date(2026, 3, 1)


def test_every_field_is_reserved_and_cannot_be_the_prefix_of_a_label() -> None:
    assert set(FIELDS) == RESERVED


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2026-01-31", "2026-01-31", "2026-01-31"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("2026", "2026-01-01", "2026-12-31"),
        (">=2026-02", "2026-02-01", "9999-12-31"),
        (">2026-02", "2026-03-01", "9999-12-31"),
        ("<2026-02", "0001-01-01", "2026-01-31"),
        ("<=2026-02", "0001-01-01", "2026-02-28"),
        ("2026-01..2026-03", "2026-01-01", "2026-03-31"),
        ("..2026-03", "0001-01-01", "2026-03-31"),
        ("<30d", "2026-01-31", "9999-12-31"),
        (">2w", "0001-01-01", "2026-02-14"),
    ],
)
def test_a_date_value_means_a_period(value: str, first: str, last: str) -> None:
    assert period(value, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "value",
    [
        *("", "yesterday", "30d", ">= 2026-01-01"),
        *("2026-13", "2026-02-30", "0000-01-01", ">9999-12-31"),
        *("2026-03..2026-01", "..", "<999999d", "99999y"),
    ],
)
def test_what_is_no_period_is_told_apart(value: str) -> None:
    assert period(value, TODAY) is None
