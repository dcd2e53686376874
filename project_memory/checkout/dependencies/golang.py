"""What ``go.mod`` says, by the grammar of the Go Modules Reference, "go.mod files".

EBNF of what is read here; the other directives say nothing of dependencies::

    require = "require" ( spec | "(" newline { spec } ")" ) newline
    spec    = module version newline
    replace = "replace" ( pair | "(" newline { pair } ")" ) newline
    pair    = module [ version ] "=>" ( file path | module version ) newline
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as altered

from project_memory.checkout.dependencies.declaration import Declaration, at


def manifest(text: str) -> Iterator[Declaration]:
    """Yield the modules that it requires, indirectly too, in the version that is built.

    That is the one it names: Go takes the lowest that all agree on, and writes it down.
    """
    directives = list(_directives(text))
    replaced = dict(_replaced(words) for verb, words, _ in directives if verb == "replace")
    for verb, words, line in directives:
        if verb == "require" and len(words) == 2:
            name, version = words
            found = Declaration(name, version, at(line))
            yield altered(found, versions=replaced[name]) if name in replaced else found


def _replaced(words: list[str]) -> tuple[str, str | None]:
    """Return what is replaced, and by what version of the same module; None for another one."""
    name, new = words[0], words[words.index("=>") + 1 :] if "=>" in words else []
    return name, new[1] if len(new) == 2 and new[0] == name else None


def _directives(text: str) -> Iterator[tuple[str, list[str], int]]:
    """Yield the verb, the words and the line of each directive, in a block or alone."""
    block = None
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word.strip('"`') for word in line.partition("//")[0].split()]
        if words == [")"]:
            block = None
        elif words[1:] == ["("]:
            block = words[0]
        elif words and block is not None:
            yield block, words, number
        elif len(words) > 1:
            yield words[0], words[1:], number
