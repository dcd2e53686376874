"""The repository as a whole: portable files, valid schemas, a README that keeps its word."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

REPOSITORY = Path(__file__).parents[1]
SCHEMAS = sorted((REPOSITORY / "schema").rglob("*.json"))
# In pieces, so that this file passes its own test.
FOREIGN = re.compile(
    "|".join(
        (
            r"(?<![\w.])/wo" + "rk/",
            r"/ro" + "ot/",
            "pypi" + r"\.org",
            "python" + r"hosted\.org",
            "npm" + r"js\.(?:org|com)",
            "deb" + r"\.debian\.org",
        )
    )
)


def committed() -> list[Path]:
    """Return every file that git tracks, or that an unpacked source distribution holds."""
    if not (REPOSITORY / ".git").exists():
        return [path for path in REPOSITORY.rglob("*") if path.is_file()]
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    )
    paths = (REPOSITORY / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def texts() -> list[tuple[str, str]]:
    """Return (path, text) of every committed text file."""
    read = []
    for path in committed():
        content = path.read_bytes()
        if b"\0" not in content:
            read.append((path.relative_to(REPOSITORY).as_posix(), content.decode("utf-8")))
    return read


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in texts()
        for match in FOREIGN.finditer(text)
    ]
    assert found == []


def test_every_text_ends_with_a_newline_and_has_no_carriage_return() -> None:
    wrong = [name for name, text in texts() if text and (not text.endswith("\n") or "\r" in text)]
    assert wrong == []


def test_no_merge_marker_was_left() -> None:
    marker = re.compile(r"^(?:<{7} |>{7} |={7}$)", re.MULTILINE)
    assert [name for name, text in texts() if marker.search(text)] == []


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_a_valid_schema_in_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    schema = json.loads(text)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/project-memory demo",
        "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest",
    ],
)
def test_the_readme_tells_how_to_run_and_how_to_test(line: str) -> None:
    assert line in (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_the_continuous_integration_is_executable() -> None:
    script = REPOSITORY / ".ci" / "run"
    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert script.stat().st_mode & 0o111
