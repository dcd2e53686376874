"""Write the reference pages from what the program says of itself: help, tools, schemas.

Run by ``make reference``. A test holds the pages to what this returns.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from project_memory.cli.arguments import explained
from project_memory.cli.group import NAME, cli
from project_memory.mcp_server.arguments import schema_name
from project_memory.mcp_server.tools import TOOLS, Tool
from project_memory.resources import schema

FOLDER = Path(__file__).parent
WRITTEN = "<!-- Written by `make reference`: change what the program says of itself instead. -->"
PARTS = "urn:project-memory:parts#/$defs/"
SECTIONS = (
    "scope", "qualified_fact", "check", "evidence", "relationships", "link", "related_link",
    "contradicting_link", "expectation",
)  # fmt: skip
FILES = ("labels", "meta", "settings")
Schema = dict[str, Any]


def pages() -> dict[str, str]:
    """Return the text of every page by the name of its file."""
    made = {"cli.md": _commands(), "tools.md": _tools(), "documents.md": _documents()}
    return {name: "\n\n".join([WRITTEN, *blocks]) + "\n" for name, blocks in made.items()}


def _commands() -> Iterator[str]:
    yield "# Commands"
    root = click.Context(cli, info_name=NAME, max_content_width=99)
    yield from _prose(cli.help)
    yield from _options(cli, root)
    members = list(_walk(cli, root))
    yield "\n".join(
        f"{'  ' * path.count(' ')}- [{path}](#{_anchor(path)}): {_first(command.help)}"
        for path, command, _ in members
    )
    for path, command, context in members:
        yield from _command(path, command, context)


def _walk(
    group: click.Group, context: click.Context
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield (path, command, context) of every member that is no second name, groups first."""
    entries = getattr(group, "entries", {})
    for name in group.list_commands(context):
        member = group.get_command(context, name)
        if member is None or (name in entries and entries[name].hidden):
            continue
        inner = click.Context(member, info_name=name, parent=context)
        yield inner.command_path.removeprefix(f"{NAME} "), member, inner
        if isinstance(member, click.Group):
            yield from _walk(member, inner)


def _command(path: str, command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {path}"
    yield _code("text", [" ".join([context.command_path, *command.collect_usage_pieces(context)])])
    yield from _prose(command.help)
    yield from _options(command, context)
    yield _code("sh", getattr(command, "examples", ()))
    if output := getattr(command, "output", None):
        place = f"schema/output/{output}.schema.json"
        yield f"`--json` prints [{place}](../../{place})."


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the table of what stands behind the command's name, if anything does."""
    options = (
        option.get_help_record(context)
        for option in command.params
        if isinstance(option, click.Option)
    )
    told = [*explained(command, context), *filter(None, options)]
    if told:
        rows = [(f"`{name}`", _plain(meaning)) for name, meaning in told]
        yield _table(("argument or option", "meaning"), rows)


def _tools() -> Iterator[str]:
    yield "# Tools"
    yield (
        "What agents are told of each tool over MCP, and what each takes. Each returns structured "
        "content by the schema that is named, after a notice that stored text is data."
    )
    for tool in TOOLS:
        yield from _tool(tool)


def _tool(tool: Tool) -> Iterator[str]:
    yield f"## {tool.name}"
    yield f"{tool.title}: {_effect(tool)}."
    yield _plain(tool.description)
    yield _table(
        ("argument", "form", "meaning"), _rows(schema(schema_name(tool.name)), "documents.md")
    )
    place = f"schema/{tool.output}.schema.json"
    yield f"Returns [{place}](../../{place})."


def _effect(tool: Tool) -> str:
    if tool.read_only:
        return "changes nothing"
    changes = "can take something away" if tool.destructive else "adds, and takes nothing away"
    return f"{changes}; the same call again changes nothing more" if tool.idempotent else changes


def _documents() -> Iterator[str]:
    yield "# Documents"
    yield (
        "Every field of what is stored, exported and submitted, as the schemas have it. What a "
        "field is for stands in [formats.md](../formats.md)."
    )
    yield from _document("memory", schema("memory"))
    yield from _document("draft", schema("draft"))
    for name in SECTIONS:
        yield from _document(name, schema("parts")["$defs"][name])
    for name in FILES:
        yield from _document(name, schema(name))


def _document(name: str, rules: Schema) -> Iterator[str]:
    yield f"## {name}"
    if "$id" in rules:
        place = f"schema/{name}.schema.json"
        yield f"{rules['title']}: [{place}](../../{place})."
    rows = _rows(rules, "")
    width = 3 if any(meaning for _, _, meaning in rows) else 2
    yield _table(("field", "form", "meaning")[:width], [row[:width] for row in rows])


def _rows(rules: Schema, page: str, prefix: str = "") -> list[tuple[str, str, str]]:
    """Return (name, form, meaning) of each field, those of inner objects behind their own."""
    rows = []
    fields = rules.get("properties", {}).items()
    more = rules.get("additionalProperties")
    for name, field in (*fields, *([("NAME", more)] if isinstance(more, dict) else [])):
        form = _form(field, page)
        needed = ", required" if name in rules.get("required", ()) else ""
        meaning = _plain(field.get("description", field.get("title", "")))
        rows.append((f"`{prefix}{name}`", f"{form}{needed}", meaning))
        rows += _rows(field, page, f"{prefix}{name}.")
    return rows


def _form(rules: Schema, page: str) -> str:
    """Return in words what values a schema allows."""
    if values := rules.get("enum", [rules["const"]] if "const" in rules else []):
        return " or ".join(f"`{value}`" for value in values)
    if "$ref" in rules:
        return _named(rules["$ref"], page)
    if "anyOf" in rules:
        return " or ".join(_form(choice, page) for choice in rules["anyOf"])
    if "allOf" in rules and "type" not in rules:
        return _bounded(_form(rules["allOf"][0], page), rules)
    form = {"string": "text", "array": "list"}.get(rules.get("type", ""), rules.get("type", "any"))
    items = f" of {_form(rules['items'], page)}" if "items" in rules else ""
    return _bounded(f"{form}{items}", rules)


def _named(reference: str, page: str) -> str:
    """Return a part by its name, where it has a section, or else by its form."""
    name = reference.removeprefix(PARTS)
    if name in SECTIONS:
        return f"[{name}]({page}#{_anchor(name)})"
    rules = schema("parts")["$defs"][name]
    if "title" in rules and "anyOf" not in rules:
        return str(rules["title"])
    return _form(rules, page)


def _bounded(form: str, rules: Schema) -> str:
    bounds = []
    for least, most, unit in (
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", ""),
        ("minimum", "maximum", ""),
    ):
        if least in rules and most in rules:
            bounds.append(f"{rules[least]:,} to {rules[most]:,}{unit}")
        elif most in rules:
            bounds.append(f"at most {rules[most]:,}{unit}")
        elif rules.get(least, 0) > 1 or (least == "minimum" and least in rules):
            bounds.append(f"at least {rules[least]:,}{unit}")
    if rules.get("uniqueItems"):
        bounds.append("each once")
    if "default" in rules:
        bounds.append(f"by default `{str(rules['default']).lower()}`")
    return f"{form} ({', '.join(bounds)})" if bounds else form


def _prose(text: str | None) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        yield _plain(paragraph)


def _first(text: str | None) -> str:
    return next(_prose(text)).rstrip(".")


def _plain(text: str) -> str:
    """Return text on one line that Markdown shows as it is; what is between backticks stays."""
    pieces = " ".join(text.split()).split("`")
    pieces[::2] = [re.sub(r"([*<|])", r"\\\1", piece) for piece in pieces[::2]]
    return "`".join(pieces)


def _anchor(title: str) -> str:
    return title.replace(" ", "-")


def _code(language: str, lines: Iterable[str]) -> str:
    return "\n".join([f"```{language}", *lines, "```"])


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
