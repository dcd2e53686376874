"""Files of other programs at the command line: the table of what becomes what, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from malformed import FOREIGN

from project_memory import resources
from project_memory.cli.exchange import FORMATS, FORMS
from project_memory.exchange.foreign import IMPORTERS, OWN

# in pieces, so that no scanner takes this file for a leak
TOKEN = "gh" + "p_" + "x7Kq2mZ9vB4nR8tL1wY6cD3fH5jP0sGaQeUi"


def test_the_formats_to_choose_from_are_those_of_the_importers() -> None:
    assert (OWN, *IMPORTERS) == FORMATS


def test_a_dry_run_shows_what_becomes_what(store, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = (FOREIGN / "lessons.md").read_text(encoding="utf-8")
    (tmp_path / "docs" / "lessons.md").write_text(text, encoding="utf-8")
    line = ("import", "docs/lessons.md", "--from", "markdown-list", "--dry-run")
    code, out, err = store(*line)
    assert code == 0
    assert [row.split("\t")[:1] + row.split("\t")[2:] for row in out.splitlines()] == [
        ["docs/lessons.md:5", "created", "the-queue-loses-jobs-above-64-kib"],
        ["docs/lessons.md:8", "created", "restart-the-worker-after-a-migration"],
        ["docs/lessons.md:9", "created", "the-staging-database-is-reset-on-sundays"],
        ["docs/lessons.md:13", "created", "a-retry-made-a-new-idempotency-key"],
    ]
    assert err == (
        "dry run: nothing was changed\n"
        "docs/lessons.md:3: 'What we learned.' is no point of a list; left out\n"
    )
    assert json.loads(store("stats", "--json")[1])["memories"] == 2


def test_what_is_refused_is_told_with_exit_code_1_and_the_rest_goes_in(
    store, tmp_path: Path
) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f"- the queue is slow at night\n- the token is {TOKEN}\n")
    code, out, err = store("import", str(path), "--from", "markdown-list", "--json")
    report = json.loads(out)
    jsonschema.validate(report, resources.schema("output/import"))
    assert (code, err) == (1, "")
    assert [each["outcome"] for each in report["items"]] == ["created", "refused"]
    assert TOKEN not in out
    code, out, err = store("import", "notes.md", "--from", "markdown-list")
    assert code == 1
    assert out.splitlines()[0].endswith("\tunchanged\tthe-queue-is-slow-at-night")
    assert err == (
        "warning: refused notes.md:2: $.description looks like a secret (rule 'github-token'); "
        "say where the secret lives, not its value\n"
    )
    assert TOKEN not in out


def test_what_is_broken_is_told_with_exit_code_2(store, tmp_path: Path) -> None:
    (tmp_path / "memory.jsonl").write_text('{"type":"entity"}\n')
    assert store("import", "memory.jsonl") == (
        2,
        "",
        "error: memory.jsonl:1: $: 'name' is missing; it is text; write it as the memory server "
        "does [bad-entity]\n",
    )


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("export folder", "directory"),
        ("export all.json", "json"),
        ("export all.jsonl --no-history", "jsonl"),
        ("export notes --format markdown", "markdown"),
        ("export graph.jsonl --format mcp-memory", "mcp-memory"),
        ("export AGENTS.md --budget 400", "agents-md"),
        ("export lessons.txt --format agents-md", "agents-md"),
    ],
)
def test_each_form_is_exported(store, tmp_path: Path, line: str, form: str) -> None:
    code, out, err = store(*line.split(), "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    jsonschema.validate(report, resources.schema("output/export"))
    assert (report["path"], report["memories"]) == (line.split()[1], 2)
    written = tmp_path / line.split()[1]
    sign = {"directory": "memories/first.json", "markdown": "memories/first.md"}
    assert (written / sign[form]).exists() if form in sign else written.is_file()
    assert form in FORMS


def test_what_is_exported_for_another_is_recognised_when_it_comes_back(
    store, tmp_path: Path
) -> None:
    for line in ("notes --format markdown", "all.jsonl", "graph.jsonl --format mcp-memory"):
        assert store("export", *line.split())[0] == 0
    formats = [json.loads(store("import", name, "--dry-run", "--json")[1])["format"]
               for name in ("notes", "all.jsonl", "graph.jsonl")]  # fmt: skip
    assert formats == ["project-memory", "project-memory", "mcp-memory"]
