"""Which project a folder belongs to.

A repository is known by its normalised ``origin``, ``<host>/<path>``, so that every clone and
every worktree has one identity. A folder without an origin is known by its real path.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from project_memory.checkout import calling

_SCP_FORM = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]{2,}):(?!//)(?P<path>.+)")
_DEFAULT_PORTS = {"ssh": 22, "https": 443, "http": 80, "git": 9418}


@dataclass(frozen=True, slots=True)
class Identity:
    """A repository: its id, a readable name, and the folder at its top."""

    id: str
    name: str
    root: Path


def project_identity(folder: Path) -> Identity:
    """Return the identity of the repository, or bare folder, that holds `folder`."""
    here = folder.resolve()
    top = _git(here, "rev-parse", "--show-toplevel")
    root = Path(top) if top else here
    origin = normalised_origin(_git(here, "config", "--get", "remote.origin.url") or "")
    if origin:
        return Identity(origin, origin.rpartition("/")[2], root)
    home = _main_worktree(here) or root
    digest = hashlib.sha256(str(home.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return Identity(f"local:{home.name}:{digest[:12]}", home.name or "root", root)


def normalised_origin(url: str) -> str | None:
    """Return ``<lowercase-host>/<path>`` of a remote, or None for a local path.

    Scheme, user, query, default port and a ``.git`` ending are dropped, so that the ssh and the
    https form of one remote are equal.
    """
    host, path = _host_and_path(url.strip())
    if not host:
        return None
    cleaned = re.sub("/{2,}", "/", path).strip("/").removesuffix(".git").strip("/")
    return f"{host.lower()}/{cleaned}" if cleaned else None


def _host_and_path(url: str) -> tuple[str, str]:
    if "://" in url:
        parts = urlsplit(url)
        if parts.scheme == "file" or not parts.hostname:
            return "", ""
        port = parts.port
        usual = port is None or port == _DEFAULT_PORTS.get(parts.scheme)
        return parts.hostname + ("" if usual else f":{port}"), parts.path
    match = _SCP_FORM.fullmatch(url)
    return (match["host"], match["path"]) if match else ("", "")


def _main_worktree(folder: Path) -> Path | None:
    common = _git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if not common:
        return None
    path = Path(common)
    return path.parent if path.name == ".git" else path


def _git(folder: Path, *arguments: str) -> str | None:
    """Return what a git command prints, or None where git or a repository is missing."""
    try:
        done = subprocess.run(  # noqa: S603  # fixed arguments, no shell
            calling.command(folder, arguments),
            capture_output=True,
            check=False,
            text=True,
            env=calling.environment(),
        )
    except OSError:
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
