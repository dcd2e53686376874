"""A document as a note that people read and edit, in Obsidian or elsewhere.

The frontmatter carries what has a form; description, facts, steps, pitfalls and triggers are the
text. What one side writes the other reads back without loss.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from project_memory import documents
from project_memory.documents import printable
from project_memory.exchange import frontmatter
from project_memory.exchange.form import Form
from project_memory.exchange.frontmatter import BrokenFrontmatter
from project_memory.model import Document, Problem, Severity

ENDING = ".md"
HEADINGS = MappingProxyType(
    {
        "remembered_facts": "Facts",
        "solution_pattern": "What to do",
        "pitfalls": "Pitfalls",
        "triggers": "Triggers",
    }
)
"""Field -> the heading that its points stand below."""
LINKS = "Links"
"""The heading of links to follow; what counts is what the frontmatter says of them."""

_FIELDS = {heading: field for field, heading in HEADINGS.items()}
_QUALIFIED = "facts"
_LINKED = "relationships"
_UNKNOWN = ""
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PATH = re.compile(r"\$\.(\w+)(?:\[(\d+)\])?")


def to_text(document: Document) -> str:
    """Return a canonical document as a note."""
    return "\n".join([*_front(document), *_body(document), ""])


def parse(text: str, file: str) -> tuple[Any, list[Problem]]:
    """Return (the document, problems); it is None where there is an error."""
    plain = text.replace("\r\n", "\n")
    try:
        note = frontmatter.parse(plain)
    except BrokenFrontmatter as error:
        return None, [_problem(error.message, error.fix, file, error.line)]
    if not note.fields:
        fix = "write it as `project-memory export --format markdown` does"
        return None, [_problem("the note has no frontmatter", fix, file, 1)]
    reader = _Body(file, note.start)
    for line in note.body.split("\n"):
        reader.take(line)
    if any(problem.severity is Severity.ERROR for problem in reader.problems):
        return None, reader.problems
    document = {name: each for name, each in note.fields.items() if name != _QUALIFIED}
    document |= {field: texts for field, texts in reader.texts().items() if texts}
    if reader.description is not None:
        document["description"] = reader.description
    facts = document.get("remembered_facts", [])
    document["remembered_facts"] = _qualified(facts, note.fields.get(_QUALIFIED), reader)
    return {**{field: [] for field in HEADINGS}, **document}, reader.problems


def line_of(text: str, path: str) -> int | None:
    """Return the line, from 1, on which the value at a JSON path of the document begins."""
    found = _PATH.match(path)
    field = found[1] if found else ""
    heading = f"## {HEADINGS[field]}" if field in HEADINGS else None
    wanted = int(found[2]) if found and found[2] else 0
    within, points = False, -1
    for number, line in enumerate(text.split("\n"), 1):
        if heading is None:
            if line.startswith(("# ",) if field == "description" else (f"{field}:",)):
                return number
        elif within:
            points += 1 if line.startswith("- ") else 0
            if points == wanted:
                return number
        within = within or line.rstrip() == heading
    return 1


FORM = Form("markdown", ENDING, to_text, parse, line_of)


def _front(document: Document) -> Iterator[str]:
    yield "---"
    for name, value in document.items():
        if name not in HEADINGS and not (name == "description" and _is_heading(value)):
            held = (
                {kind: items for kind, items in value.items() if items}
                if name == _LINKED
                else value
            )
            yield f"{name}: {_flow(held)}"
    qualified = [
        {"at": place, "of": documents.value_digest(fact["fact"]), **_beside(fact)}
        for place, fact in enumerate(document["remembered_facts"], 1)
        if not isinstance(fact, str)
    ]
    if qualified:
        yield f"{_QUALIFIED}: {_flow(qualified)}"
    yield "---"


def _body(document: Document) -> Iterator[str]:
    if _is_heading(document["description"]):
        yield f"# {document['description']}"
    for field, heading in HEADINGS.items():
        if document[field]:
            yield from ("", f"## {heading}", "", *map(_point, _texts(document[field])))
    links = list(documents.links(document))
    if links:
        yield from ("", f"## {LINKS}", "")
        for link in links:
            why = f": {' '.join(link.reason.split())}" if link.reason else ""
            yield f"- {link.kind.replace('_', ' ')} [[{link.target}]]{why}"


def _texts(values: Sequence[Any]) -> list[str]:
    return [each if isinstance(each, str) else each["fact"] for each in values]


def _point(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")


def _is_heading(text: str) -> bool:
    return "\n" not in text


def _beside(fact: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fact.items() if name != "fact"}


def _flow(value: Any) -> str:
    """Return JSON data as YAML on one line."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=dict)
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _qualified(facts: list[str], told: Any, reader: _Body) -> list[Any]:
    """Return facts with what the frontmatter says of them, each found by place and text."""
    found: list[Any] = list(facts)
    digests = [documents.value_digest(fact) for fact in facts]
    for each in told if isinstance(told, list) else ():
        if not isinstance(each, dict):
            continue
        beside = {name: value for name, value in each.items() if name not in {"at", "of"}}
        place = _place(digests, found, each.get("at"), each.get("of"))
        if place is None:
            reader.warn("a fact that had a state of its own was changed, and is plain now")
        else:
            found[place] = {"fact": facts[place], **beside}
    return found


def _place(digests: list[str], found: list[Any], at: Any, of: Any) -> int | None:
    places: list[int] = [at - 1] if isinstance(at, int) else []
    candidates = [*places, *range(len(digests))]
    return next((p for p in candidates if 0 <= p < len(digests) and digests[p] == of
                 and isinstance(found[p], str)), None)  # fmt: skip


class _Body:
    """Reads the text of a note line by line."""

    def __init__(self, file: str, start: int) -> None:
        self.description: str | None = None
        self.problems: list[Problem] = []
        self._file, self._line = file, start - 1
        self._section: str | None = None
        self._points: dict[str, list[list[str]]] = {field: [] for field in HEADINGS}
        self._blanks = 0

    def take(self, line: str) -> None:
        self._line += 1
        if self._section in {LINKS, _UNKNOWN} and not line.startswith("## "):
            return
        points = self._points.get(self._section or "")
        if not line.strip() and not (points and line.startswith("  ")):
            self._blanks += 1
        elif line.startswith("# ") and self.description is None and self._section is None:
            self.description = line[2:]
        elif line.startswith("## "):
            self._open(line[3:].strip())
        elif points is not None and line.startswith("- "):
            points.append([line[2:]])
            self._blanks = 0
        elif points and line.startswith("  "):
            points[-1] += [""] * self._blanks + [line[2:]]
            self._blanks = 0
        else:
            shown = printable(line.strip()[:60])
            fix = f"write it as a point below one of: {', '.join(HEADINGS.values())}"
            self.problems.append(
                _problem(f"'{shown}' has no place in a memory", fix, self._file, self._line)
            )

    def texts(self) -> dict[str, list[str]]:
        return {field: ["\n".join(point) for point in points]
                for field, points in self._points.items()}  # fmt: skip

    def warn(self, message: str) -> None:
        warning = _problem(message, "say it again in the frontmatter", self._file, 1)
        self.problems.append(
            Problem(warning.code, message, fix=warning.fix, severity=Severity.WARNING,
                    file=self._file, line=1)
        )  # fmt: skip

    def _open(self, heading: str) -> None:
        self._blanks = 0
        if heading == LINKS or heading in _FIELDS:
            self._section = _FIELDS.get(heading, LINKS)
            return
        fix = f"use one of: {', '.join((*HEADINGS.values(), LINKS))}"
        message = f"'{printable(heading[:60])}' is no heading of a memory"
        self._section = _UNKNOWN
        self.problems.append(_problem(message, fix, self._file, self._line))


def _problem(message: str, fix: str, file: str, line: int) -> Problem:
    return Problem("bad-note", message, fix=fix, file=file, line=line)
