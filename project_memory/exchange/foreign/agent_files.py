"""CLAUDE.md, AGENTS.md, MEMORY.md and their like: a section is a lesson, its points are facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from project_memory.exchange import agents_section, frontmatter
from project_memory.exchange.foreign import markdown, reading
from project_memory.exchange.foreign.item import Findings, Item
from project_memory.exchange.foreign.markdown import Block, Section

NAME = "agents-md"
FILES = frozenset(
    {
        *("claude.md", "claude.local.md", "agents.md", "agents.override.md", "memory.md"),
        *("gemini.md", "warp.md", "copilot-instructions.md", ".cursorrules", ".windsurfrules"),
    }
)
"""Names, in lower case, of files that are certain to be of this kind."""

_IMPORT = re.compile(r"@(?:~?[\w./-]*/)?[\w.-]+\.\w+")
_KINDS = (
    ("decision", ("decision", "decided", "adr")),
    ("architecture", ("architecture", "structure", "layout", "overview", "design")),
    ("workflow", ("command", "workflow", "setup", "build", "release", "deploy", "how to")),
    ("bug", ("bug", "known issue", "troubleshooting")),
    ("lesson", ("lesson", "learned", "memory", "memories", "note", "insight")),
)
_ENTRY = re.compile(r"\[[^\]]*\]\([^)]+\.md\)")
_SCOPES = ("paths", "globs", "applyTo")
_PITFALLS = ("pitfall", "gotcha", "avoid", "never", "don't", "do not", "beware", "caveat")


def read(text: str, found: Findings) -> None:
    """Add an item for every section that says something; a file with a description is one item."""
    own = markdown.without_marked(text, agents_section.BEGIN, agents_section.END)
    parsed = reading.note(own, found)
    if parsed is None:
        return
    sections = markdown.sections(parsed.body, start=parsed.start)
    if _is_index(found.file, sections):
        found.leave(parsed.start, "an index of other files; import its folder")
        return
    fields = parsed.fields
    title = frontmatter.text(fields.get("description")) or frontmatter.text(fields.get("name"))
    if title:
        sections = [Section((title,), 1, [b for s in sections for b in s.blocks])]
    seen: Counter[str] = Counter()
    for section in sections:
        blocks = [block for block in section.blocks if not _is_import(block, found)]
        if blocks or title:
            item = _item(section, blocks, seen, found.file)
            found.items.append(replace(item, files=_paths(fields), names=_types(fields)))


def _item(section: Section, blocks: list[Block], seen: Counter[str], file: str) -> Item:
    titles = _titles(section, file)
    origin = " > ".join(section.titles) or "(top)"
    seen[origin] += 1
    if seen[origin] > 1:
        origin = f"{origin} #{seen[origin]}"
    heading = " ".join(titles).lower()
    warns = any(word in heading for word in _PITFALLS)
    facts = tuple(block.text for block in blocks)
    return Item(
        origin=origin,
        file=file,
        line=section.line if section.titles else blocks[0].line,
        title=", ".join(titles),
        facts=facts,
        kind=kind_of(heading),
        pitfalls=facts if warns else (),
    )


def _is_index(file: str, sections: Sequence[Section]) -> bool:
    """Return whether a MEMORY.md only leads to the files beside it."""
    blocks = [block for section in sections for block in section.blocks]
    named = file.rpartition("/")[2].lower() == "memory.md"
    return named and bool(blocks) and all(b.point and _ENTRY.match(b.text) for b in blocks)


def _paths(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the globs of the files that a rule is for, as several programs write them."""
    return tuple(path for name in _SCOPES for path in frontmatter.strings(fields.get(name)))


def _types(fields: Mapping[str, Any]) -> tuple[str, ...]:
    beside = fields.get("metadata")
    nested = beside.get("type") if isinstance(beside, Mapping) else None
    return tuple(filter(None, map(frontmatter.text, (fields.get("type"), nested))))


def _titles(section: Section, file: str) -> tuple[str, ...]:
    """Return the headings that tell a section from others: the topmost names only the file."""
    return section.titles[1:] or section.titles or (file.rpartition("/")[2],)


def kind_of(heading: str, otherwise: str = "convention") -> str:
    """Return the kind that a heading in lower case speaks of."""
    words: Iterable[tuple[str, tuple[str, ...]]] = _KINDS
    return next((kind for kind, signs in words if any(s in heading for s in signs)), otherwise)


def _is_import(block: Block, found: Findings) -> bool:
    """Return whether a block only names files to read as well, which are told."""
    names = block.text.split()
    if not names or not all(_IMPORT.fullmatch(name) for name in names):
        return False
    for name in names:
        found.leave(block.line, f"'{name}' names a file to read too; import it by itself")
    return True
