"""What files of requirements say, by pip's "Requirements File Format"; and Python's own terms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from project_memory.checkout.dependencies.declaration import Declaration, Locate, at

_INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)(?:\s+|=|(?<=-[rc]))(?P<file>\S.*)")
_ADDRESS = re.compile(
    r"(?:(?:-e|--editable)[\s=]\s*)?(?P<address>[^\s#]+)"
    r"#(?:\S*&)?egg=(?P<name>[\w.-]+)[^\s#]*(?:\s.*)?"
)
_OPTION = re.compile(r"\s--?[a-z].*")
_COMMENT = re.compile(r"(?:^|\s)#.*")

MAX_LENGTH = 2000
"""Length of the longest requirement that is read."""


def named(requirement: str) -> tuple[str, str] | None:
    """Return the name and the versions of a requirement of PEP 508; None for what is none.

    One with an address, or for some environments only, asks what no file can answer.
    """
    found = parsed(requirement)
    if found is None or found.url is not None or found.marker is not None:
        return None
    return canonicalize_name(found.name), str(found.specifier)


def declaration(requirement: str, locate: Locate) -> Declaration | None:
    """Return a requirement of PEP 508 as a declaration, whatever environment it is for."""
    found = parsed(requirement)
    if found is None:
        return None
    versions = None if found.url is not None else str(found.specifier)
    return Declaration(canonicalize_name(found.name), versions, locate)


def parsed(requirement: str) -> Requirement | None:
    """Return a requirement, or None for what is none, or too long to be one."""
    if len(requirement) > MAX_LENGTH:
        return None
    try:
        return Requirement(requirement)
    except (InvalidRequirement, RecursionError):
        return None


def overlap(first: str, second: str) -> bool:
    """Return whether some version is in both sets; ``||`` parts alternatives, as Poetry has it.

    What is no set of versions may be any.
    """
    pairs = ((one, other) for one in first.split("||") for other in second.split("||"))
    return any(_meet(one, other) for one, other in pairs)


def _meet(first: str, second: str) -> bool:
    try:
        return not (SpecifierSet(first) & SpecifierSet(second)).is_unsatisfiable()
    except InvalidSpecifier:
        return True


def manifest(text: str) -> Iterator[Declaration]:
    """Yield the requirements of a file.

    Options, addresses without a name and what pip would refuse are none.
    """
    for line, content in _logical_lines(text):
        found = declaration(_OPTION.sub("", _by_name(content)), at(line))
        if found is not None:
            yield found


def _by_name(content: str) -> str:
    """Return an address that says its name (``#egg=name``) as PEP 508 has it; else what it was."""
    found = _ADDRESS.fullmatch(content) if len(content) <= MAX_LENGTH else None
    return content if found is None else f"{found['name']} @ {found['address']}"


def included(text: str) -> Iterator[str]:
    """Yield the files that a file includes, as it names them."""
    for _, content in _logical_lines(text):
        found = _INCLUDE.fullmatch(content)
        if found is not None:
            yield found["file"].strip().strip("'\"")


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first line's number and the content of lines, with those that go on joined."""
    began, parts = 1, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        began = began if parts else number
        parts.append(_COMMENT.sub("", line.removesuffix("\\")))
        if line.endswith("\\") and not line.lstrip().startswith("#"):
            continue
        yield began, "".join(parts).strip()
        parts = []
    yield began, "".join(parts).strip()
