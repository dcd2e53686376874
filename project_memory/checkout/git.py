"""Ask git about one checkout, in few processes."""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from project_memory.checkout import calling
from project_memory.errors import InvalidInput

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Checkout:
    """A work tree of git.

    Attributes:
        root: The folder at its top.
        head: Id of the commit that is checked out, or None before the first one.
        shallow: Whether its history was cut off when it was cloned.
        hash_name: Name of the hash function that object ids are made with.
        partial: Whether contents of the past were left out when it was cloned.
    """

    root: Path
    head: str | None
    shallow: bool
    hash_name: str
    partial: bool = False


def checkout_at(folder: Path) -> Checkout:
    """Return the checkout that holds a folder; a linked worktree is one too.

    Raises:
        InvalidInput: the folder is in no repository, or in one without files, or git is missing.
    """
    asked = ("--show-object-format", "--is-shallow-repository", "--is-inside-work-tree")
    done = _done(folder, ["rev-parse", *asked])
    if done.returncode and b"not a git repository" in done.stderr:
        raise InvalidInput(f"'{folder}' is in no checkout of git; name the project's repository")
    if done.returncode and b"bareRepository" not in done.stderr:
        raise _unreadable(folder, done.stderr)
    hash_name, shallow, inside = done.stdout.decode().split() or ("", "", "false")
    if inside != "true":
        raise InvalidInput(
            f"'{folder}' is in a repository without a work tree; name a checkout of it"
        )
    root = run(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n")
    head = _done(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    return Checkout(
        root=Path(os.fsdecode(root)),
        head=head.stdout.decode().strip() or None,
        shallow=shallow == "true",
        hash_name=hash_name,
        partial=_done(folder, ["config", "--get-regexp", r"\.promisor$"]).returncode == 0,
    )


def plain(path: str) -> str:
    """Return a path, or a glob, from the top of a checkout in the one way that git writes it."""
    found = posixpath.normpath(path)
    return "**" if found == "." else found


def run(
    folder: Path,
    *arguments: str,
    given: bytes = b"",
    fine: Collection[int] = (0,),
    environment: Mapping[str, str] = _NOTHING,
) -> bytes:
    """Return what a git command prints.

    Args:
        folder: What is asked about.
        arguments: The command.
        given: What it reads.
        fine: Exit codes that are no failure.
        environment: Variables besides those that it always has.

    Raises:
        InvalidInput: it failed, or git is missing.
    """
    done = _done(folder, arguments, given, environment)
    if done.returncode not in fine:
        raise _unreadable(folder, done.stderr)
    return done.stdout


def records(
    folder: Path, *arguments: str, given: bytes = b"", fine: Collection[int] = (0,)
) -> list[str]:
    """Return what a git command prints with ``-z``, in pieces. See `run`."""
    pieces = run(folder, *arguments, given=given, fine=fine).split(b"\0")
    return [os.fsdecode(piece) for piece in pieces[:-1]]


def object_names(folder: Path, places: Iterable[str]) -> list[str | None]:
    """Return the object ids of places (``commit:path``), in turn; None where there is none.

    In a partial clone this fails where the object is one that was left out.

    Raises:
        InvalidInput: git cannot read the repository.
    """
    given = "".join(f"{place}\n" for place in places).encode("utf-8", "surrogateescape")
    if not given:
        return []
    answer = run(folder, "cat-file", "--batch-check=%(objectname)", given=given)
    # what is missing is told by its name and why
    return [None if b" " in line else line.decode() for line in answer.split(b"\n")[:-1]]


def lines(folder: Path, *arguments: str) -> Iterator[str]:
    """Yield the lines that a git command prints; it ends when no more are taken.

    Raises:
        InvalidInput: git is missing.
    """
    command = calling.command(folder, arguments)
    try:
        process = subprocess.Popen(  # noqa: S603  # fixed arguments, no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=calling.environment(),
        )
    except OSError as error:
        raise _missing(error) from error
    assert process.stdout is not None
    with process:
        try:
            for line in process.stdout:
                yield os.fsdecode(line.removesuffix(b"\n"))
        finally:
            process.kill()


def _done(
    folder: Path,
    arguments: Iterable[str],
    given: bytes = b"",
    environment: Mapping[str, str] = _NOTHING,
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603  # fixed arguments, no shell
            calling.command(folder, arguments),
            input=given,
            capture_output=True,
            check=False,
            env={**calling.environment(), **environment},
        )
    except OSError as error:
        raise _missing(error) from error


def _unreadable(folder: Path, stderr: bytes) -> InvalidInput:
    return InvalidInput(
        f"git cannot read '{folder}' ({calling.failure(stderr)}); see what `git status` says there"
    )


def _missing(error: OSError) -> InvalidInput:
    reason = (error.strerror or str(error)).lower()
    return InvalidInput(f"git cannot be run ({reason}); install it")
