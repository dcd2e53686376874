"""What a change of the code is: since a branch began, what is staged, or files that are named."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from unicodedata import normalize

from project_memory.checkout import disk
from project_memory.checkout.git import Checkout, object_names, plain, records, run
from project_memory.checkout.members import EXPORTED, within
from project_memory.checkout.patches import ARGUMENTS, ChangedFile, Fate, parsed
from project_memory.errors import InvalidInput

_EMPTY_TREE: Mapping[str, str] = MappingProxyType(
    {
        "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
    }
)
"""By name of the hash function, the id of the tree without files, which git always knows."""

_MAY_BEGIN_EARLIER = (
    "the clone is shallow, so that more may count as changed than the branch changed; "
    "`git fetch --unshallow` brings the rest"
)
_QUOTED = ("-c", "core.quotePath=true")
_IN_CI = ", or check out with `fetch-depth: 0` in continuous integration"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the code, without the exported memories among it.

    Attributes:
        files: By path.
        made_on: Day (UTC) of its last commit, today for what is in none.
        told: How a sentence calls it, after a number of files.
        notes: What is not sure about it.
    """

    files: tuple[ChangedFile, ...]
    made_on: str
    told: str
    notes: tuple[str, ...] = ()


def since(checkout: Checkout, base: str) -> Change:
    """Return what the commit that is checked out changed since its history left that of `base`.

    Args:
        checkout: Where; files that are not committed do not count.
        base: A branch, tag or commit.

    Raises:
        InvalidInput: there is no such commit or no common one, or git lacks what it takes.
    """
    commit = None if "\n" in base else object_names(checkout.root, [f"{base}^{{commit}}"])[0]
    if checkout.head is None:
        raise InvalidInput("nothing is committed yet, so nothing can be compared; use --staged")
    if commit is None:
        raise InvalidInput(_without_base(checkout, base))
    fork = _fork(checkout, base, commit)
    asked = ("diff-tree", "-r", *ARGUMENTS, fork, checkout.head)
    output = _compared(checkout, asked, f"{shlex.quote(base)}...")
    stamp = run(checkout.root, "rev-list", "--max-count=1", "--timestamp", checkout.head)
    made = datetime.fromtimestamp(int(stamp.split()[0]), UTC).date()
    notes = (_MAY_BEGIN_EARLIER,) if checkout.shallow else ()
    return Change(_without_exported(parsed(output)), made.isoformat(), f"since '{base}'", notes)


def staged(checkout: Checkout, today: date) -> Change:
    """Return what the next commit changes.

    In a hook, that is by the index that the hook was told, where it is one of this repository.

    Raises:
        InvalidInput: git cannot read the index, or lacks what it takes.
    """
    before = checkout.head or _EMPTY_TREE[checkout.hash_name]
    asked = ("diff-index", "--cached", *ARGUMENTS, before)
    output = _compared(checkout, asked, "--cached", _index_of_hook(checkout))
    return Change(_without_exported(parsed(output)), today.isoformat(), "staged")


def named(paths: Iterable[str], today: date, checkout: Checkout | None = None) -> Change:
    """Return the change of all that is in these files, or below these folders.

    Args:
        paths: From the top of the checkout.
        today: The day.
        checkout: Where they are looked for: what is missing counts as deleted. None for nowhere.

    Raises:
        InvalidInput: git cannot list the files.
    """
    found = {_spelled(plain(path), checkout) for path in paths}
    if checkout is not None:
        tracked = sorted(records(checkout.root, "ls-files", "-z"))
        found.update(*(within(tracked, path) for path in found))
    files = tuple(ChangedFile(path, _fate(path, checkout)) for path in sorted(found))
    return Change(files, today.isoformat(), "named")


def _spelled(path: str, checkout: Checkout | None) -> str:
    """Return a path as the checkout writes its accents, or as memories do."""
    composed = normalize("NFC", path)
    if path.isascii() or checkout is None:
        return composed
    forms = (path, composed, normalize("NFD", path))
    there = (form for form in forms if disk.kind(checkout.root, form) is not None)
    return next(there, composed)


def _fate(path: str, checkout: Checkout | None) -> Fate:
    is_there = checkout is None or disk.kind(checkout.root, path) is not None
    return Fate.CHANGED if is_there else Fate.DELETED


def _without_exported(files: Iterable[ChangedFile]) -> tuple[ChangedFile, ...]:
    return tuple(file for file in files if not file.path.startswith(EXPORTED))


def _fork(checkout: Checkout, base: str, commit: str) -> str:
    """Return the best common commit of the checkout and another commit."""
    none_in_common = 1
    assert checkout.head is not None
    asked = ("merge-base", commit, checkout.head)
    found = run(checkout.root, *asked, fine=(0, none_in_common)).decode().strip()
    if found:
        return found
    if checkout.shallow:
        raise InvalidInput(
            f"the clone is shallow, and holds no commit that '{base}' and HEAD have in common; "
            f"run `git fetch --unshallow`{_IN_CI}"
        )
    raise InvalidInput(
        f"'{base}' and HEAD have no commit in common; name a branch of this history"
    )


def _without_base(checkout: Checkout, base: str) -> str:
    if checkout.shallow:
        return (
            f"no commit '{base}' here, and the clone is shallow; run `git fetch --unshallow` and "
            f"fetch the branch{_IN_CI}"
        )
    return f"no commit '{base}' here; name a branch, tag or commit, or run `git fetch` first"


def _compared(
    checkout: Checkout,
    asked: Sequence[str],
    again: str,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    try:
        return run(checkout.root, *_QUOTED, *asked, environment=environment)
    except InvalidInput as error:
        if not checkout.partial:
            raise
        raise InvalidInput(
            "the clone left out contents of the past, and nothing is fetched here; run "
            f"`git diff {again} --stat` once, which fetches them"
        ) from error


def _index_of_hook(checkout: Checkout) -> dict[str, str]:
    """Return the variable that names another index of this repository, if there is one."""
    name = os.environ.get("GIT_INDEX_FILE")
    if name is None:
        return {}
    folder = run(checkout.root, "rev-parse", "--absolute-git-dir").removesuffix(b"\n")
    index = checkout.root / name
    is_own = index.parent.resolve() == Path(os.fsdecode(folder)).resolve()
    return {"GIT_INDEX_FILE": str(index)} if is_own else {}
