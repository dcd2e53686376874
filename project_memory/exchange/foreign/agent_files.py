"""CLAUDE.md, AGENTS.md, MEMORY.md and their like: a section is a lesson, its points are facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from project_memory.exchange import agents_section
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
_PITFALLS = ("pitfall", "gotcha", "avoid", "never", "don't", "do not", "beware", "caveat")


def read(text: str, found: Findings) -> None:
    """Add an item for every section that says something."""
    own = markdown.without_marked(text, agents_section.BEGIN, agents_section.END)
    parsed = reading.note(own, found)
    if parsed is None:
        return
    seen: Counter[str] = Counter()
    for section in markdown.sections(parsed.body, start=parsed.start):
        blocks = [block for block in section.blocks if not _is_import(block, found)]
        if blocks:
            found.items.append(_item(section, blocks, seen, found.file))


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
