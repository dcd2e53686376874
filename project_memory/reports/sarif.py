"""SARIF 2.1.0 (OASIS, 2020), which code scanning services read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from project_memory.reports.row import Row

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(rows: Iterable[Row], rules: Mapping[str, str], version: str) -> dict[str, Any]:
    """Return a log of one run as JSON data.

    Args:
        rows: One result each, in this order.
        rules: Code -> explanation; codes without one are listed by their name alone.
        version: Version of this program.
    """
    listed = tuple(rows)
    codes = sorted({row.code for row in listed})
    driver = {
        "name": "project-memory",
        "version": version,
        "rules": [_rule(code, rules.get(code)) for code in codes],
    }
    results = [_result(row, codes.index(row.code)) for row in listed]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
        ],
    }


def _rule(code: str, explanation: str | None) -> dict[str, Any]:
    if explanation is None:
        return {"id": code}
    return {"id": code, "shortDescription": {"text": explanation}}


def _result(row: Row, index: int) -> dict[str, Any]:
    return {
        "ruleId": row.code,
        "ruleIndex": index,
        "level": row.severity,
        "message": {"text": row.sentence},
        "locations": [_location(row)],
        "partialFingerprints": {"place/v1": _fingerprint(row)},
    }


def _location(row: Row) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": row.place}]}
    if row.file is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(row.file)}}
        if row.line is not None:
            physical["region"] = {"startLine": row.line}
        location["physicalLocation"] = physical
    return location


def _fingerprint(row: Row) -> str:
    """Return what lets a service know a result again: the words of a message may change."""
    return hashlib.sha256(f"{row.code}\n{row.place}".encode()).hexdigest()[:32]
