"""What the next commit holds of a folder: files of git's index, whatever the work tree holds."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from project_memory.checkout import calling
from project_memory.errors import InvalidInput, NotFound

_FILES = frozenset({b"100644", b"100755"})


@dataclass(frozen=True, slots=True)
class Staged:
    """A folder as the index has it; names are relative to it, with ``/``.

    Attributes:
        files: Name -> content.
        others: Names of what is no regular file, such as a symbolic link.
        unmerged: Names of files with a conflict that is not resolved.
    """

    files: Mapping[str, bytes]
    others: frozenset[str]
    unmerged: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    mode: bytes
    object_id: bytes
    stage: bytes


def staged(folder: Path, wanted: Callable[[str], bool]) -> Staged:
    """Return the files of a folder that the next commit will hold, of the names that are wanted.

    Git is asked from the working directory, and with the environment as it is: a hook runs at the
    top of its repository, with an index of its own where only some files are committed.

    Raises:
        InvalidInput: the folder is in no repository, or git cannot be run.
        NotFound: neither the index, nor the last commit, nor the work tree has such a folder.
    """
    place = Path(os.path.relpath(folder)).as_posix()
    entries = list(_entries(place, wanted))
    if not entries and not folder.exists() and not _git("ls-tree", "--name-only", "HEAD", place):
        raise NotFound(
            f"nothing at '{place}', neither here nor in the index of git; name the folder that "
            "`project-memory export` writes"
        )
    unmerged = {entry.name for entry in entries if entry.stage != b"0"}
    merged = [entry for entry in entries if entry.name not in unmerged]
    files = [entry for entry in merged if entry.mode in _FILES]
    contents = _contents([entry.object_id for entry in files])
    return Staged(
        {entry.name: data for entry, data in zip(files, contents, strict=True)},
        frozenset(entry.name for entry in merged if entry.mode not in _FILES),
        frozenset(unmerged),
    )


def _entries(place: str, wanted: Callable[[str], bool]) -> Iterator[_Entry]:
    # names are told from the top of the repository, wherever in it the command runs
    here = os.fsdecode(_git("rev-parse", "--show-prefix").rstrip(b"\n"))
    start = os.path.normpath(here + place)
    # an entry that is only announced (git add --intent-to-add) is no part of the commit
    announced = set(_records("diff-files", "--name-only", "--diff-filter=A", "-z", "--", place))
    for record in _records("ls-files", "--stage", "--full-name", "-z", "--", place):
        facts, _, path = record.partition(b"\t")
        mode, object_id, stage = facts.split(b" ")
        name = os.fsdecode(path).removeprefix("" if start == "." else f"{start}/")
        if path not in announced and wanted(name):
            yield _Entry(name, mode, object_id, stage)


def _records(*arguments: str) -> list[bytes]:
    return [record for record in _git(*arguments).split(b"\0") if record]


def _contents(object_ids: Sequence[bytes]) -> Iterator[bytes]:
    """Yield what these objects hold, in turn, from one process."""
    answer = _git("cat-file", "--batch", given=b"".join(i + b"\n" for i in object_ids))
    position = 0
    for _ in object_ids:
        end = answer.index(b"\n", position)
        size = int(answer[position:end].rsplit(b" ", 1)[1])
        yield answer[end + 1 : end + 1 + size]
        position = end + 1 + size + 1


def _git(*arguments: str, given: bytes = b"") -> bytes:
    command = ("git", *calling.SAFE, "--literal-pathspecs", *arguments)
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603
    except OSError as error:
        raise InvalidInput(
            f"git cannot be run ({(error.strerror or str(error)).lower()}); install it, or "
            "validate the folder without --staged"
        ) from error
    if done.returncode and arguments[0] != "ls-tree":
        raise InvalidInput(
            f"git cannot read the index ({calling.failure(done.stderr)}); run --staged inside "
            "the repository that holds the folder"
        )
    return done.stdout
