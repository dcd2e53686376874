"""Forms of an audit's report: text, JSON, Markdown, GitHub annotations, SARIF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from project_memory import reports
from project_memory.audit import CHECKS
from project_memory.cli import neutral
from project_memory.cli.output import Data, emit, say, write, write_json
from project_memory.cli.reports import version
from project_memory.cli.views.audit import VIEW, verdict
from project_memory.model import as_json
from project_memory.reports import Row


def _text(report: object) -> None:
    emit(report, VIEW)


def _json(report: object) -> None:
    write_json(as_json(report))


def _markdown(report: object) -> None:
    data = neutral.data(as_json(report))
    title = f"Audit of {data['store']['project']}"
    write(reports.markdown.text(title, verdict(data), _rows(data)))


def _github(report: object) -> None:
    data = neutral.data(as_json(report))
    write(reports.annotations.text(_rows(data)))
    say(verdict(data))


def _sarif(report: object) -> None:
    data = neutral.data(as_json(report))
    rules = {code: check.explanation for code, check in CHECKS.items()}
    write_json(reports.sarif.log(_rows(data), rules, version()))
    say(verdict(data))


def _rows(report: Data) -> Iterator[Row]:
    for finding in report["findings"]:
        evidence = finding["evidence"]
        yield Row(
            finding["code"],
            finding["severity"],
            " ".join(filter(None, (finding["subject"], evidence.get("path")))),
            finding["message"],
            evidence.get("file"),
            evidence.get("line"),
        )


WRITERS: Mapping[str, Callable[[object], None]] = MappingProxyType(
    {
        "text": _text,
        "json": _json,
        "markdown": _markdown,
        "github": _github,
        "sarif": _sarif,
    }
)
