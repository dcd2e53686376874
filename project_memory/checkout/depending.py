"""Whether a project depends on what a lesson says, in a version that it says."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from project_memory import globs
from project_memory.checkout import git
from project_memory.checkout.dependencies import (
    AT_THE_TOP,
    FORMS,
    Declaration,
    Language,
    Malformed,
    Unreadable,
    form_of,
)
from project_memory.checkout.reading import OUTSIDE, Unread, leads_out
from project_memory.checkout.searching import Files
from project_memory.checkout.wording import contradicted, shown, undecided
from project_memory.documents import quotable
from project_memory.verdicts import Verdict

MAX_INCLUDED = 50
"""Files that files of requirements may include, and these again, for one check."""

_SHOWN = 5
_NO_REQUIREMENT = Unread(
    "is no requirement", "write a name and versions, such as 'requests>=2,<3' or 'react@^18'"
)
_NO_FORM = Unread("is none of the files that name dependencies", f"name one of {', '.join(FORMS)}")
_MISSING = Unread("is included and not there", "correct the file that includes it")
_TOO_MANY = Unread(f"includes more than {MAX_INCLUDED} files", "name the file that matters")


@dataclass(frozen=True, slots=True)
class _Manifest:
    """A file that was read.

    Attributes:
        language: What it is written in.
        named: What it names, by name.
        malformed: The first that should name something and does not, or None.
        included: The files that it includes.
    """

    language: Language
    named: Mapping[str, Sequence[Declaration]]
    malformed: Malformed | None
    included: tuple[str, ...]


class Manifests:
    """Files that name dependencies, each read once."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._read: dict[str, _Manifest | Unread | None] = {}

    def __call__(self, file: str) -> _Manifest | Unread | None:
        """Return what a file says, why that is not known, or None where there is no such file."""
        if file not in self._read:
            self._read[file] = self._parsed(file)
        return self._read[file]

    def text(self, file: str) -> str:
        """Return what a file holds that was read."""
        held = self.files.reader.keep(file)
        assert isinstance(held, bytes)
        return held.decode("utf-8-sig", "replace")

    def _parsed(self, file: str) -> _Manifest | Unread | None:
        if leads_out(file):
            return OUTSIDE
        form = form_of(file)
        if form is None:
            return _NO_FORM
        held = self.files.reader.keep(file)
        if not isinstance(held, bytes):
            return held
        text = self.text(file)
        named: dict[str, list[Declaration]] = {}
        malformed = None
        try:
            for found in form.declared(text):
                if isinstance(found, Declaration):
                    named.setdefault(found.name, []).append(found)
                else:
                    malformed = malformed or found
        except Unreadable as error:
            return Unread(quotable(str(error)), "correct it")
        included = (posixpath.join(posixpath.dirname(file), name) for name in form.included(text))
        return _Manifest(form.language, named, malformed, tuple(map(git.plain, included)))


def unmeant(requirement: str) -> Verdict | None:
    """Return what speaks against a requirement in itself: that no language takes it for one."""
    return None if _wanted(requirement) else undecided(requirement, _NO_REQUIREMENT)


def judged(manifests: Manifests, check: Mapping[str, Any]) -> Verdict | None:
    """Return what speaks against a check of a dependency, or None where it holds.

    It holds if at least one file names the dependency, and each file that does allows a version of
    those that are required. Where none does, but one holds what is no requirement, it is open.
    """
    requirement = check["requirement"]
    wanted = _wanted(requirement)
    if not wanted:
        return unmeant(requirement)
    looked_at = list(_looked_at(manifests, check, wanted))
    is_named = False
    for file, manifest in looked_at:
        if isinstance(manifest, _Manifest):
            name, versions = wanted[manifest.language]
            declared = manifest.named.get(name, ())
            is_named = is_named or bool(declared)
            if declared and not _is_met(versions, declared, manifest.language):
                return _excluded(manifests, file, declared[0], requirement)
    unread = next(((file, found) for file, found in looked_at if isinstance(found, Unread)), None)
    if unread is not None:
        return undecided(*unread)
    return None if is_named else _unnamed(manifests, requirement, looked_at)


def _wanted(requirement: str) -> dict[Language, tuple[str, str]]:
    """Return language -> name and versions, for those in which it is a requirement."""
    languages = dict.fromkeys(form.language for form in FORMS.values())
    named = {language: language.named(requirement) for language in languages}
    return {language: found for language, found in named.items() if found is not None}


def _looked_at(
    manifests: Manifests, check: Mapping[str, Any], languages: Container[Language]
) -> Iterator[tuple[str, _Manifest | Unread]]:
    """Yield the files that may name a dependency, in order, each with those that it includes.

    Those of other languages are not read.
    """

    def may_name(file: str) -> bool:
        form = form_of(file)
        return form is not None and form.language in languages

    for path in [git.plain(check["path"])] if "path" in check else AT_THE_TOP:
        found = manifests.files.matches(path)
        if isinstance(found, Unread):
            yield path, found
        elif globs.is_glob(path):
            yield from _with_included(manifests, filter(may_name, found))
        elif may_name(path) or form_of(path) is None:
            yield from _with_included(manifests, found)


def _with_included(
    manifests: Manifests, files: Iterable[str]
) -> Iterator[tuple[str, _Manifest | Unread]]:
    named = tuple(files)
    waiting, seen = deque(named), set(named)
    while waiting:
        file = waiting.popleft()
        manifest = manifests(file)
        if manifest is not None:
            yield file, manifest
        elif file not in named:
            yield file, _MISSING
        if isinstance(manifest, _Manifest):
            fresh = [name for name in manifest.included if name not in seen]
            waiting += fresh
            seen.update(fresh)
            if len(seen) > len(named) + MAX_INCLUDED:
                yield file, _TOO_MANY
                return


def _is_met(wanted: str, declared: Iterable[Declaration], language: Language) -> bool:
    """Return whether one of the declarations of a file allows a version that is wanted.

    Which one counts may depend on the environment.
    """
    return any(
        each.versions is None or language.overlap(wanted, each.versions) for each in declared
    )


def _excluded(manifests: Manifests, file: str, declared: Declaration, requirement: str) -> Verdict:
    line = declared.locate(manifests.text(file))
    where = "" if line is None else f"line {line} of "
    return contradicted(
        f"{where}'{shown(file)}' allows '{shown(declared.name)}' only as "
        f"'{shown(declared.versions or '')}', not as '{shown(requirement)}'",
        file,
        line,
    )


def _unnamed(
    manifests: Manifests, requirement: str, looked_at: Sequence[tuple[str, _Manifest | Unread]]
) -> Verdict:
    for file, found in looked_at:
        if isinstance(found, _Manifest) and found.malformed is not None:
            return _hidden(manifests, file, found.malformed)
    return _nowhere(requirement, [file for file, _ in looked_at])


def _hidden(manifests: Manifests, file: str, malformed: Malformed) -> Verdict:
    """Return that a dependency which is found nowhere may be meant by what is none."""
    line = malformed.locate(manifests.text(file))
    where = "holds" if line is None else f"has on line {line}"
    why = f"{where} '{shown(malformed.text)}', which is no requirement"
    return undecided(file, Unread(why, "correct it"))


def _nowhere(requirement: str, looked_at: Sequence[str]) -> Verdict:
    files = ", ".join(map(shown, looked_at[:_SHOWN]))
    more = f" and {len(looked_at) - _SHOWN} more" if len(looked_at) > _SHOWN else ""
    where = f" in {files}{more}" if looked_at else ": no file is there that could name it"
    return contradicted(f"no dependency '{shown(requirement)}'{where}")
