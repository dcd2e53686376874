"""Every command line that the documentation shows is one that the program takes."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from importlib.metadata import version
from pathlib import Path

import pytest
from command_lines import parse_line
from factories import document

from project_memory import hooks, web
from project_memory.audit import CHECKS
from project_memory.audit.policy import FIELDS
from project_memory.checkout.dependencies import AT_THE_TOP
from project_memory.checkout.depending import MAX_INCLUDED
from project_memory.checkout.glance import MOST_MATCHES
from project_memory.checkout.reading import MAX_FILE_BYTES, MAX_RUN_BYTES
from project_memory.checkout.searching import MAX_MATCHES
from project_memory.cli.group import cli
from project_memory.clients import CLIENTS
from project_memory.clients import hooks as client_hooks
from project_memory.hooks import running
from project_memory.resources import schema
from project_memory.services.affected import Kind
from project_memory.services.affected.identifiers import LONGEST_LINE, MOST_MENTIONS
from project_memory.services.affected.links import MOST_DEPENDENTS
from project_memory.validation import check_document

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(project-memory [a-z][^`]*)`")
ANCHOR = re.compile(r"\]\(([a-z]+\.md)?#([^)]+)\)")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def shown(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    blocks = [line for block in SHELL.findall(text) for line in block.splitlines()]
    return [line for line in blocks if line.startswith("project-memory ")]


LINES = [(page.name, line) for page in PAGES for line in shown(page)]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_shown_command_line_parses(page: str, line: str) -> None:
    parse_line(cli, "project-memory", shlex.split(line, comments=True)[1:])


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    told = set(LINK.findall(index.read_text(encoding="utf-8")))
    pages = {path.relative_to(index.parent).as_posix() for path in index.parent.rglob("*.md")}
    assert told == pages - {index.name}


def test_the_main_job_is_shown_as_the_demo_does_it(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("```text\n")[2].partition("```")[0]
    with pytest.raises(SystemExit) as ended:
        cli.main(["demo"])
    assert ended.value.code in {0, None}
    assert shown in capsys.readouterr().out


def test_the_reference_says_what_the_program_says() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md")}
    current = runpy.run_path(str(REFERENCE / "generate.py"))["pages"]()
    assert written == current, "docs/reference is not current: run `make reference`"


def test_the_reference_explains_whatever_a_command_takes() -> None:
    rows = [line for line in (REFERENCE / "cli.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")]  # fmt: skip
    assert len(rows) > 100
    assert [row for row in rows if row.endswith("|  |")] == []


def test_links_within_the_reference_lead_to_its_sections() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md")}
    found = [
        (name or page, anchor)
        for page, text in texts.items()
        for name, anchor in ANCHOR.findall(text)
    ]
    assert len(found) > 100
    for page, anchor in found:
        headings = re.findall(r"^## (.+)$", texts[page], re.MULTILINE)
        assert anchor in {heading.replace(" ", "-") for heading in headings}


def rows_of(page: str, heading: str) -> dict[str, list[str]]:
    """Return the rows of the table below a heading, by their first cell."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in cells}


def test_the_comparison_is_of_this_version_and_of_those_that_importers_are_tested_with() -> None:
    told = {name: rest[0] for name, rest in rows_of("comparison.md", "What each is").items()}
    assert told["project-memory"] == version("project-memory")
    tested = (ROOT / "tests" / "foreign" / "README.md").read_text(encoding="utf-8")
    for peer in ("reference MCP memory server", "mem0", "project-memory-mcp"):
        assert f" {told[peer]} " in tested


def test_every_check_is_told_with_its_severity_and_why() -> None:
    told = {code: rest[:2] for code, rest in rows_of("audit.md", "Checks").items()}
    assert told == {code: [c.severity.value, c.explanation] for code, c in CHECKS.items()}


def test_every_limit_is_told() -> None:
    told = {name: rest[-1] for name, rest in rows_of("audit.md", "Limits").items()}
    helps = {name.replace("_", "-"): field.metadata["help"] for name, field in FIELDS.items()}
    assert told == helps


def test_every_number_among_the_limits_is_told() -> None:
    told = {name: rest[0] for name, rest in rows_of("audit.md", "Limits").items()}
    numbers = {n.replace("_", "-"): f.default for n, f in FIELDS.items() if type(f.default) is int}
    assert {name: int(told[name]) for name in numbers} == numbers


def test_the_pages_show_command_lines() -> None:
    assert len(LINES) > 10


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted(REFERENCE.glob("*.md"))], ids=lambda page: page.name
)
def test_links_lead_to_files(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_checks_that_are_shown_are_checks_of_every_type() -> None:
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    shown = json.loads("{" + text.partition("```json\n")[2].partition("```")[0] + "}")
    assert check_document(document(**shown)) == []
    types = schema("parts")["$defs"]["check"]["properties"]["type"]["enum"]
    assert sorted(check["type"] for check in shown["checks"]) == sorted(types)
    section = text.partition("| check | holds while |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", section, re.MULTILINE) == types


def test_the_files_of_dependencies_are_told() -> None:
    assert list(rows_of("facts.md", "Dependencies")) == list(AT_THE_TOP)


def test_the_bounds_of_checks_are_told() -> None:
    told = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8").partition("## What is never")
    assert f"more than {MOST_MATCHES} files" in told[0]
    bounds = (MAX_FILE_BYTES, MAX_RUN_BYTES, MAX_MATCHES, MAX_INCLUDED)
    assert re.findall(r"\d+(?:,\d{3})*", told[2]) == [f"{bound:,}" for bound in bounds]


def test_every_way_in_which_a_change_touches_a_lesson_is_told() -> None:
    text = (ROOT / "docs" / "affected.md").read_text(encoding="utf-8")
    section = text.partition("| kind | ")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", section, re.MULTILINE) == list(Kind)
    told = text.partition("## What to validate again")[0]
    for bound in (f"at most {MOST_MENTIONS} lessons", f"over {LONGEST_LINE:,} characters",
                  f"at most {MOST_DEPENDENTS} are told"):  # fmt: skip
        assert bound in told


def elsewhere(line: str) -> bool:
    """Return whether a command line needs what is on no machine of a test."""
    return "example.org/" in line or " join " in line


def test_the_commands_that_begin_a_server_do_what_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROJECT_MEMORY_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PROJECT_MEMORY_TOKEN", raising=False)
    served: list[bool] = []
    monkeypatch.setattr(web, "serve_http", lambda host, *_, **__: served.append(host.has_tokens()))
    lines = [line for line in shown(ROOT / "docs" / "operations.md") if not elsewhere(line)]
    for line in lines:
        with pytest.raises(SystemExit) as ended:
            cli.main(shlex.split(line)[1:])
        assert ended.value.code in {0, None}, (line, capsys.readouterr().err)
    assert served == [True, True, True, True, True]


def test_every_client_is_told_with_its_files() -> None:
    rows = rows_of("clients.md", "Clients")
    assert list(rows) == list(CLIENTS)
    for client in CLIENTS.values():
        title, in_project, of_user, _ = rows[client.name]
        assert title == client.title
        assert in_project == (f"`{client.config[0]}`" if client.config else "none")
        if client.name != "vscode":  # its folder depends on the system
            assert of_user == f"`{client.user_config[0]}`"
    documented = rows_of("clients.md", "Where this is documented")
    assert set(documented) == {client.title for client in CLIENTS.values()}


def test_every_hook_is_told_with_the_event_of_clients() -> None:
    rows = rows_of("clients.md", "Hooks")
    assert {event: rest[0] for event, rest in rows.items()} == {
        name: event for event, name, _ in client_hooks.EVENTS
    }
    assert list(rows) == list(hooks.EVENTS)
    assert running.PATIENCE < client_hooks.SECONDS
    told = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    assert f"gives up after {running.PATIENCE:g} seconds" in told
