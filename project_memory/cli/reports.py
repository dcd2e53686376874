"""Forms of a validation report: text, JSON, GitHub annotations, SARIF."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from project_memory.cli.output import Data, emit, say, write, write_json
from project_memory.cli.views.report import VIEW, place, verdict
from project_memory.model import as_json


def _text(report: object) -> None:
    emit(report, VIEW)


def _json(report: object) -> None:
    write_json(as_json(report))


def _github(report: object) -> None:
    """Write workflow commands, which GitHub shows at the line they name."""
    data = as_json(report)
    for problem in data["problems"]:
        pairs = {
            "file": _from_here(data["source"], problem),
            "line": problem.get("line"),
            "title": problem["code"],
        }
        where = ",".join(f"{k}={_property(str(v))}" for k, v in pairs.items() if v is not None)
        write(f"::{problem['severity']} {where}::{_escaped(_sentence(problem))}\n")
    say(verdict(data))


def _sarif(report: object) -> None:
    """Write SARIF 2.1.0, which code scanning services read."""
    data = as_json(report)
    rules = sorted({problem["code"] for problem in data["problems"]})
    driver = {"name": "project-memory", "rules": [{"id": rule} for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "results": [_result(data["source"], p) for p in data["problems"]],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    write_json({"$schema": schema, "version": "2.1.0", "runs": [run]})
    say(verdict(data))


def _from_here(source: str, problem: Data) -> str | None:
    """Return a problem's file relative to the working directory, where services look for it."""
    if not problem.get("file"):
        return None
    place = Path(source) / problem["file"] if Path(source).is_dir() else Path(source)
    return Path(os.path.relpath(place)).as_posix()


def _result(source: str, problem: Data) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": place(problem)}]}
    if problem.get("file"):
        uri = _from_here(source, problem)
        physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if problem.get("line"):
            physical["region"] = {"startLine": problem["line"]}
        location["physicalLocation"] = physical
    return {
        "ruleId": problem["code"],
        "level": problem["severity"],
        "message": {"text": _sentence(problem)},
        "locations": [location],
    }


def _sentence(problem: Data) -> str:
    fix = f"; {problem['fix']}" if problem.get("fix") else ""
    return f"{place(problem)}: {problem['message']}{fix}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


WRITERS: Mapping[str, Callable[[object], None]] = MappingProxyType(
    {"text": _text, "json": _json, "github": _github, "sarif": _sarif}
)
