"""How git is called: about the folder that is asked about, and so that asking does nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

SAFE = ("-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit")
"""Options by which git starts no monitor that a repository names, and takes no folder of files
that looks like a repository, and could have come with a clone, for one."""

# A reader neither writes the index, nor asks a person, nor the network; it speaks one language.
_QUIET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for a git that does not know the one above
    "LC_ALL": "C",
}

# What git tells the commands it starts, a hook among them, of the repository that it is in.
_ELSEWHERE = frozenset({
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
})  # fmt: skip


def command(folder: Path, arguments: Iterable[str]) -> list[str]:
    """Return the command line that asks git about a folder."""
    return ["git", *SAFE, "-C", str(folder), *arguments]


def environment() -> dict[str, str]:
    """Return the environment in which the folder alone says which repository is meant."""
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    return {**kept, **_QUIET}


def failure(stderr: bytes) -> str:
    """Return why git failed, of all that it wrote."""
    said = os.fsdecode(stderr).strip().splitlines() or ["no reason given"]
    fatal = (line for line in said if line.startswith(("fatal: ", "error: ")))
    return next(fatal, said[0]).removeprefix("fatal: ")
