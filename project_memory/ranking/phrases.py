"""Hubs that prose names: multi-word capitalised phrases, and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, filterfalse

from project_memory.ranking import languages
from project_memory.ranking.names import MAX_WORDS, words
from project_memory.ranking.tokens import fold

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017e\u0410-\u042f"
_CAPITALISED = rf"(?:[{_UPPER}][\w'’.-]*\w|[{_UPPER}])"
_LINKING = "of|the|de|la|le|von|van|der|du|di|da|del|and|&|for|in"
_PHRASE = re.compile(rf"{_CAPITALISED}(?:\s+(?:(?:{_LINKING})\s+){{0,2}}{_CAPITALISED})*")
_IDENTIFIER = re.compile(
    r"`([^`\n]{2,60})`"
    r"|\b([A-Za-z_]\w*_\w+|[A-Z]{2,}[A-Z0-9_]*\d*|[a-z]+[A-Z]\w+|[A-Za-z]\w*\(\)"
    # a run is tried from its start alone and never given back, so that long ones cost no more
    r"|(?<![\w-])[\w-]++(?:(?:/[\w.-]++)+"
    r"|\.(?:py|rs|ts|js|go|c|h|cpp|java|json|ya?ml|toml|md)))(?:\b|(?<=\)))"
)
_LETTERS = re.compile(r"[^\W\d_][\w'’]*")
_DEFINITION = re.compile(r"\s*(?:async )?(?:def|class|function|func|fn) \w+ ?[(:{<]")
_CODE_ENDS = frozenset(":{};,([\\)}]")
_CODE_START = re.compile(
    r"\s*(?:[\w.\[\]]+\s*[-+*/|]?=\s*\S|#|//|\*|\"\"\"|'''"
    r"|(?:import|from|return|if|elif|else|for|while|try|with|const|let|var|public|private"
    r"|static|package|use|@)\b)"
)
_STOP = languages.STOP_WORDS[languages.ENGLISH]


def is_code(text: str) -> bool:
    """Return whether a text is a piece of code rather than prose about it.

    It begins with a definition, or more than half of its lines, two at least, look like code.
    Prose with brackets or a call in it stays prose.
    """
    if _DEFINITION.match(text):
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    code = sum(line.rstrip()[-1] in _CODE_ENDS or bool(_CODE_START.match(line)) for line in lines)
    return len(lines) > 1 and 2 * code > len(lines)


def by_case(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return (words with a small first letter, words with a capital one), folded."""
    pieces = set(text.split())
    found = {piece for piece in pieces if piece.isalpha()}
    found.update(_LETTERS.findall(" ".join(pieces - found)))
    lower = frozenset(fold(word) for word in found if word[0].islower())
    upper = frozenset(fold(word) for word in found if word[0].isupper())
    return lower, upper


def phrases(text: str) -> Iterator[str]:
    """Yield the capitalised phrases of a text, of one word or more, as names are compared."""
    for match in _PHRASE.finditer(text):
        found = words(match[0])
        telling = [place for place, word in enumerate(found) if word not in _STOP]
        if not telling or telling[-1] - telling[0] >= MAX_WORDS:
            continue
        name = " ".join(found[telling[0] : telling[-1] + 1])
        if len(name) > 2 and not name.isdigit():
            yield name


def identifiers(text: str) -> Iterator[str]:
    """Yield the identifiers, paths, file names and acronyms of a text, folded."""
    # but for what is quoted, none reaches over white space, and a plain word is none
    pieces = [text] if "`" in text else filterfalse(_is_plain, text.split())
    for match in chain.from_iterable(map(_IDENTIFIER.finditer, pieces)):
        found = " ".join(words(match[1] or match[2]))
        if len(found) > 2 and found not in _STOP:
            yield fold(found)


def _is_plain(piece: str) -> bool:
    """Return whether a piece is a word without a capital inside, or a number."""
    return piece.isalnum() and (piece.islower() or piece[1:].islower() or piece.isdigit())
