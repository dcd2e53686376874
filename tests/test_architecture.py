"""The architecture that tools can check: layers, and what a quick command may import."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from factories import document

REPOSITORY = Path(__file__).parents[1]
HEAVY = ("mcp", "scipy", "numpy", "pyparsing", "rich", "pyroaring")
REPORT = (
    "import sys; from project_memory.__main__ import main\n"
    "try: main()\n"
    "except SystemExit as end: code = end.code\n"
    f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
    "print(code, *heavy, file=sys.stderr)"
)


def heavy_imports(*arguments: str) -> tuple[str, str]:
    """Run a command; return its output, and its exit code with the heavy modules it imported."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout, done.stderr.splitlines()[-1]


def test_imports_keep_to_the_layers() -> None:
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("import-linter comes with the extra `dev`; `make check` runs it")
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_help_imports_nothing_heavy() -> None:
    output, imported = heavy_imports("--help")
    assert "recall" in output
    assert imported == "0"


@pytest.mark.parametrize("status", ["active", "nonsense"])
def test_validating_a_document_imports_nothing_heavy(tmp_path: Path, status: str) -> None:
    memories = tmp_path / "memories"
    memories.mkdir()
    written = document(id="sqlite-locked", status=status)
    (memories / "sqlite-locked.json").write_text(json.dumps(written), encoding="utf-8")
    output, imported = heavy_imports("validate", str(tmp_path), "--json")
    assert json.loads(output)["checked"] == 1
    assert imported == ("0" if status == "active" else "1")
