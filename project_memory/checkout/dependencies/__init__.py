"""What a project depends on: the files that say so, and the languages they say it in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TypeAlias

from project_memory.checkout.dependencies import cargo, golang, npm, pip, pyproject, ranges
from project_memory.checkout.dependencies.declaration import Declaration, Malformed, Unreadable

__all__ = [
    "AT_THE_TOP",
    "FORMS",
    "Declaration",
    "Form",
    "Language",
    "Malformed",
    "Unreadable",
    "form_of",
]

Named: TypeAlias = Callable[[str], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Language:
    """How a language names dependencies and compares their versions.

    Attributes:
        named: Returns name and versions of a requirement, None for what is none.
        overlap: Returns whether two sets of versions have one in common.
    """

    named: Named
    overlap: Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of file that names dependencies.

    Attributes:
        language: What it is written in.
        declared: Yields what a text of this kind names, and what stands there and is none; raises
            `Unreadable`.
        included: Yields the files that a text of this kind includes.
    """

    language: Language
    declared: Callable[[str], Iterator[Declaration | Malformed]]
    included: Callable[[str], Iterator[str]] = lambda _: iter(())


_PYTHON = Language(pip.named, pip.overlap)
_NPM = Language(ranges.named, ranges.overlap)
_CARGO = Language(cargo.named, ranges.overlap)
_GO = Language(ranges.named, ranges.overlap)

FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "pyproject.toml": Form(_PYTHON, pyproject.manifest),
        "*.txt": Form(_PYTHON, pip.manifest, pip.included),
        "*.in": Form(_PYTHON, pip.manifest, pip.included),
        "package.json": Form(_NPM, npm.manifest),
        "package-lock.json": Form(_NPM, npm.lock),
        "Cargo.toml": Form(_CARGO, cargo.manifest),
        "go.mod": Form(_GO, golang.manifest),
    }
)
"""Name of a file, or a pattern of it -> what such a file is."""

AT_THE_TOP = (
    "pyproject.toml",
    "requirements*.txt",
    "package.json",
    "package-lock.json",
    "Cargo.toml",
    "go.mod",
)
"""Where dependencies are looked for unless a check says where."""


def form_of(path: str) -> Form | None:
    """Return what kind of file a path names, or None where that names no dependencies."""
    name = path.rpartition("/")[2]
    return next((form for pattern, form in FORMS.items() if fnmatchcase(name, pattern)), None)
