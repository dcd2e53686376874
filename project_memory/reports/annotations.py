"""Workflow commands of GitHub Actions, which it shows at the lines they name."""

from __future__ import annotations

from collections.abc import Iterable

from project_memory.reports.row import Row

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def text(rows: Iterable[Row]) -> str:
    """Return one workflow command for each row, one a line."""
    return "".join(f"{_line(row)}\n" for row in rows)


def _line(row: Row) -> str:
    pairs = {"file": row.file, "line": row.line, "title": row.code}
    where = ",".join(f"{k}={_property(str(v))}" for k, v in pairs.items() if v is not None)
    return f"::{_COMMANDS[row.severity]} {where}::{_data(row.sentence)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
