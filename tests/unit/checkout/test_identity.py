from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from project_memory.checkout.identity import normalised_origin, project_identity


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://GitHub.com/Acme/Shop.git", "github.com/Acme/Shop"),
        ("git@github.com:Acme/Shop.git", "github.com/Acme/Shop"),
        ("ssh://git@github.com:22/Acme/Shop", "github.com/Acme/Shop"),
        ("ssh://git@example.org:2222/Acme/Shop.git/", "example.org:2222/Acme/Shop"),
        ("https://user:word@example.org/a/b.git?x=1", "example.org/a/b"),
        ("https://example.org:443//a//b", "example.org/a/b"),
        ("/srv/git/shop.git", None),
        ("file:///srv/git/shop.git", None),
        ("C:/code/shop", None),
        ("", None),
    ],
)
def test_a_remote_has_one_form_whatever_its_scheme(url: str, expected: str | None) -> None:
    assert normalised_origin(url) == expected


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    command = ["git", *identity, "-C", str(folder), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "begin")
    return folder


def test_a_clone_is_known_by_its_origin(tmp_path: Path) -> None:
    folder = repository(tmp_path / "checkout")
    git(folder, "remote", "add", "origin", "git@example.org:acme/shop.git")
    (folder / "src").mkdir()
    found = project_identity(folder / "src")
    assert (found.id, found.name) == ("example.org/acme/shop", "shop")
    assert found.root == folder.resolve()


def test_worktrees_share_an_identity(tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop")
    git(folder, "worktree", "add", "--quiet", str(tmp_path / "shop-fix"))
    assert project_identity(tmp_path / "shop-fix").id == project_identity(folder).id


def test_two_repositories_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    one, other = repository(tmp_path / "a" / "shop"), repository(tmp_path / "b" / "shop")
    assert project_identity(one).name == project_identity(other).name == "shop"
    assert project_identity(one).id != project_identity(other).id


def test_a_folder_without_git_is_known_by_its_path(tmp_path: Path) -> None:
    found = project_identity(tmp_path)
    assert found.id.startswith(f"local:{tmp_path.name}:")
    assert found.root == tmp_path.resolve()
