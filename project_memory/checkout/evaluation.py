"""Hold the checks of memories against a checkout; nothing of it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from project_memory import globs
from project_memory.checkout import depending, git
from project_memory.checkout.git import Checkout
from project_memory.checkout.members import EXPORTED
from project_memory.checkout.reading import Folder, Reader, Regular, Unread
from project_memory.checkout.searching import Files, Search, searched
from project_memory.checkout.wording import contradicted, shown, undecided
from project_memory.verdicts import Verdict

JSON: TypeAlias = Mapping[str, Any]

_TEXTS = frozenset({"text_present", "text_absent"})


def verdicts(
    checkout: Checkout, checks: Mapping[str, Sequence[JSON]]
) -> dict[str, tuple[Verdict, ...]]:
    """Return name -> what does not hold, in the order of the checks; what holds is left out.

    Args:
        checkout: Where they are to hold, as its files are now, committed or not.
        checks: By name of the memory; each as the schema has it.

    Raises:
        InvalidInput: a glob is to be matched, and git cannot list the files.
    """
    return judged(Files(Reader(checkout.root), lambda: listed(checkout)), checks)


def judged(files: Files, checks: Mapping[str, Sequence[JSON]]) -> dict[str, tuple[Verdict, ...]]:
    """Return name -> what does not hold beside these files. See `verdicts`."""
    every = [check for several in checks.values() for check in several]
    # first what keeps the files that it reads, so that none is read again for its text
    dependencies = _dependencies(files, every)
    run = _Run(files, searched(files, _wanted(every)), dependencies)
    found = {name: tuple(_of_one(run, several)) for name, several in checks.items()}
    return {name: several for name, several in found.items() if several}


def listed(
    checkout: Checkout, of: Sequence[str] = ("--cached", "--others", "--exclude-standard")
) -> list[str]:
    """Return the sorted paths that git tracks, or would add, without exported memories.

    Args:
        checkout: Where they are.
        of: Options of ``git ls-files`` that say which.

    Raises:
        InvalidInput: git cannot say.
    """
    arguments = (*of, "-z")
    found = set(git.records(checkout.root, "ls-files", *arguments))
    return sorted(path for path in found if not path.startswith(EXPORTED))


@dataclass(frozen=True, slots=True)
class _Run:
    """What the checks of one run are held against."""

    files: Files
    searches: Mapping[str, Search]
    dependencies: Mapping[tuple[str, str | None], Verdict | None]


def _dependencies(
    files: Files, checks: Sequence[JSON]
) -> dict[tuple[str, str | None], Verdict | None]:
    """Return requirement and path -> verdict, for each check of a dependency."""
    manifests = depending.Manifests(files)
    asked = {_question(check): check for check in checks if check["type"] == "dependency"}
    return {key: depending.judged(manifests, check) for key, check in asked.items()}


def _question(check: JSON) -> tuple[str, str | None]:
    return check["requirement"], check.get("path")


def _wanted(checks: Sequence[JSON]) -> Iterator[tuple[str, str]]:
    """Yield (path or glob, text) for each check of a text."""
    return (
        (git.plain(check["path"]), check["text"]) for check in checks if check["type"] in _TEXTS
    )


def _of_one(run: _Run, checks: Sequence[JSON]) -> Iterator[Verdict]:
    for position, check in enumerate(checks):
        verdict = _JUDGES[check["type"]](run, check)
        if verdict is not None:
            yield replace(verdict, position=position)


def _exists(run: _Run, check: JSON) -> Verdict | None:
    path = git.plain(check["path"])
    match _there(run.files, path):
        case Unread() as unread:
            return undecided(path, unread)
        case None:
            return contradicted(_nothing_at(path), None if globs.is_glob(path) else path)
    return None


def _absent(run: _Run, check: JSON) -> Verdict | None:
    path = git.plain(check["path"])
    match _there(run.files, path):
        case Unread() as unread:
            return undecided(path, unread)
        case str() as file:
            matched = f", and '{shown(path)}' means it" if globs.is_glob(path) else ""
            return contradicted(f"'{shown(file)}' is there{matched}", file)
    return None


def _there(files: Files, path: str) -> str | Unread | None:
    """Return the first path that is there, why that cannot be said, or None for nothing."""
    members = files.matches(path)
    if isinstance(members, Unread):
        return members
    unread = None
    for member in members:
        match files.reader.look(member):
            case Regular() | Folder():
                return member
            case Unread() as reason:
                unread = unread or reason
    return unread


def _present(run: _Run, check: JSON) -> Verdict | None:
    path, text = git.plain(check["path"]), check["text"]
    search = run.searches[path]
    if text in search.places:
        return None
    if search.unread is not None:
        return undecided(*search.unread)
    if not globs.is_glob(path):
        lacks = f"'{shown(path)}' does not hold '{shown(text)}'"
        return contradicted(lacks if search.read else _nothing_at(path), path)
    if not search.read:
        return contradicted(f"no file of text is there that '{shown(path)}' means")
    files = "the one file" if search.read == 1 else f"none of the {search.read:,} files"
    lacks = "does not hold" if search.read == 1 else "holds"
    return contradicted(f"{files} of '{shown(path)}' {lacks} '{shown(text)}'")


def _without(run: _Run, check: JSON) -> Verdict | None:
    path, text = git.plain(check["path"]), check["text"]
    search = run.searches[path]
    if text in search.places:
        file, line = search.places[text]
        return contradicted(f"line {line} of '{shown(file)}' holds '{shown(text)}'", file, line)
    return None if search.unread is None else undecided(*search.unread)


def _depends(run: _Run, check: JSON) -> Verdict | None:
    return run.dependencies[_question(check)]


def _nothing_at(path: str) -> str:
    if globs.is_glob(path):
        return f"nothing is there that '{shown(path)}' means"
    return f"'{shown(path)}' is not there"


_JUDGES: Mapping[str, Callable[[_Run, JSON], Verdict | None]] = MappingProxyType(
    {
        "file_exists": _exists,
        "file_absent": _absent,
        "text_present": _present,
        "text_absent": _without,
        "dependency": _depends,
    }
)
