"""Markdown as sections of blocks, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?")
_COMMENT = re.compile(r"\s*(?:<!--.*?-->\s*)+", re.DOTALL)
_RUNS = ("paragraph_open", "fence", "code_block", "table_open", "blockquote_open", "html_block")
_PARSER = MarkdownIt("commonmark").enable("table").disable("inline")  # only blocks are asked for
_LINE_END = re.compile("\r\n?|\n")  # what the parser counts, not all that Python takes for one
_TICKS = re.compile("`+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a point of a list with all below it, or code; as it is written.

    Attributes:
        text: Without the marker of a point, and without the indentation it has in common.
        line: From 1.
        point: Whether it is a point of a list.
    """

    text: str
    line: int
    point: bool = False


@dataclass(slots=True)
class Section:
    """What stands below a heading, up to the next one.

    Attributes:
        titles: The heading after those that it stands below; nothing before the first heading.
        line: Line of the heading, from 1.
        blocks: In order.
    """

    titles: tuple[str, ...]
    line: int
    blocks: list[Block] = field(default_factory=list)


def sections(text: str, *, start: int = 1) -> list[Section]:
    """Return the sections of a text; a section without blocks is left out.

    Args:
        text: Markdown without frontmatter.
        start: The line on which it begins.
    """
    lines = _LINE_END.split(text)
    found = [Section((), start)]
    above: list[tuple[int, str]] = []
    tokens = [token for token in _PARSER.parse(text) if token.map]
    for token in tokens:
        assert token.map is not None
        first, last = token.map
        if token.type == "heading_open" and token.level == 0:
            depth = int(token.tag[1])
            above = [each for each in above if each[0] < depth]
            above.append((depth, _heading(lines[first:last])))
            found.append(Section(tuple(title for _, title in above), start + first))
        elif token.type == "list_item_open" and token.level == 1:
            found[-1].blocks.append(Block(_point(lines[first:last]), start + first, point=True))
        elif token.level == 0 and token.type in _RUNS:
            _run(token, lines[first:last], start + first, found[-1])
    kept = (Section(s.titles, s.line, [b for b in s.blocks if b.text]) for s in found)
    return [section for section in kept if section.blocks]


def points(block: Block) -> list[str]:
    """Return what a point of a list says, then each point below it."""
    inner = sections(block.text)
    found = [each for section in inner for each in section.blocks]
    return [each.text for each in found] or [block.text]


def _run(token: Token, lines: Sequence[str], line: int, section: Section) -> None:
    text = "\n".join(lines).strip("\n")
    if token.type == "html_block" and _COMMENT.fullmatch(text):
        return
    before = section.blocks[-1] if section.blocks else None
    if before and before.text.endswith(":") and token.type in ("fence", "code_block"):
        section.blocks[-1] = Block(f"{before.text}\n{text}", before.line, before.point)
    else:
        section.blocks.append(Block(text.rstrip(), line))


def _heading(lines: Sequence[str]) -> str:
    return " ".join(lines[0].strip().lstrip("#").rstrip("#").split())


def _point(lines: Sequence[str]) -> str:
    first, *rest = lines
    marker = _MARKER.match(first)
    width = marker.end() if marker else 0
    shared = min((_indent(line) for line in rest if line.strip()), default=0)
    return "\n".join([first[width:], *(line[shared:] for line in rest)]).strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def without_code(text: str) -> str:
    """Return a text with a blank in the place of code, be it within a line or fenced."""
    prose, fence = [], ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not fence and found:
            fence = found[1]
        elif not fence:
            prose.append(line)
        elif line.strip() == fence[0] * len(line.strip()) and len(line.strip()) >= len(fence):
            fence = ""
    return _without_spans("\n".join(prose))


def _without_spans(text: str) -> str:
    """Leave out what stands between two runs of equally many backticks."""
    runs = list(_TICKS.finditer(text))
    later: dict[int, list[int]] = {}
    for place in range(len(runs) - 1, -1, -1):
        later.setdefault(len(runs[place][0]), []).append(place)
    kept, end, place = [], 0, 0
    while place < len(runs):
        waiting = later[len(runs[place][0])]
        while waiting and waiting[-1] <= place:
            waiting.pop()
        if waiting:
            kept.append(text[end : runs[place].start()])
            place = waiting.pop()
            end = runs[place].end()
        place += 1
    return " ".join([*kept, text[end:]])


def without_marked(text: str, begin: str, end: str) -> str:
    """Return a text in which the lines from one marker to another are empty."""
    return "\n".join(_outside(text.split("\n"), begin, end))


def _outside(lines: Sequence[str], begin: str, end: str) -> Iterator[str]:
    within = False
    for line in lines:
        within = within or line.strip() == begin
        yield "" if within else line
        within = within and line.strip() != end
