"""SARIF logs against the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator, FormatChecker

from project_memory.reports import Row, sarif

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "sarif/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
ROWS = (
    Row("oversize", "error", "lake $", "the document has 70,000 bytes", "a folder/lake.json", 3),
    Row("label-unused", "note", "area:lake", "no memory carries it"),
    Row("oversize", "warning", "pond $", "nearly too large", "pond.json"),
)


def problems(log: Any) -> list[str]:
    validator = Draft4Validator(SCHEMA, format_checker=FormatChecker())
    return [error.message for error in validator.iter_errors(log)]


@pytest.mark.parametrize("rows", [(), ROWS])
def test_a_log_satisfies_the_published_schema(rows: tuple[Row, ...]) -> None:
    assert problems(sarif.log(rows, {"oversize": "Too large to read."}, "1.2.3")) == []


def test_the_schema_refuses_what_is_no_log() -> None:
    log = sarif.log(ROWS, {}, "1.2.3")
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert problems(log) == ["'fatal' is not one of ['none', 'note', 'warning', 'error']"]


def test_a_result_says_where_and_under_which_rule() -> None:
    run = sarif.log(ROWS, {"oversize": "Too large to read."}, "1.2.3")["runs"][0]
    assert run["tool"]["driver"]["rules"] == [
        {"id": "label-unused"},
        {"id": "oversize", "shortDescription": {"text": "Too large to read."}},
    ]
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("oversize", 1, "error")
    assert first["message"] == {"text": "lake $: the document has 70,000 bytes"}
    assert first["locations"] == [
        {
            "logicalLocations": [{"fullyQualifiedName": "lake $"}],
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20folder/lake.json"},
                "region": {"startLine": 3},
            },
        }
    ]


def test_a_result_is_known_again_when_its_words_change() -> None:
    def fingerprint(message: str) -> Any:
        log = sarif.log([Row("oversize", "error", "lake $", message)], {}, "1.2.3")
        return log["runs"][0]["results"][0]["partialFingerprints"]

    assert fingerprint("70,000 bytes") == fingerprint("80,000 bytes")
