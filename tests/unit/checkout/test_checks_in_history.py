"""In a real history each check turns at exactly the commit that contradicts it."""

from __future__ import annotations

from typing import Any

import pytest
from repositories import Repository

from project_memory.checkout.evaluation import verdicts
from project_memory.checkout.git import checkout_at

SOURCE = "".join(f"line {number} of a file that git can know again\n" for number in range(20))


@pytest.fixture
def history(repository: Repository) -> tuple[Repository, list[str]]:
    """Return a repository with edits, a rename, a deletion and a merge, and its first line."""
    days = (f"2026-03-{day:02}" for day in range(1, 30))
    repository.commit(next(days), {
        "src/store.py": SOURCE + "BEGIN IMMEDIATE\n",
        "src/doomed.py": "x = 1\n",
        "src/moved.py": SOURCE,
        "pyproject.toml": '[project]\ndependencies = ["requests>=1.5,<3"]\n',
        "web/package.json": '{"dependencies": {"react": "^17"}}\n',
        "Cargo.toml": '[dependencies]\nserde = "1.0"\n',
        "go.mod": "module m\n\nrequire golang.org/x/net v0.17.0\n",
        "requirements.txt": "-r more.txt\n",
        "more.txt": "flask==2.3.1\n",
    })  # fmt: skip
    repository.commit(next(days), {"src/store.py": SOURCE + "BEGIN DEFERRED\n"})  # 1
    repository.git("mv", "src/moved.py", "src/renamed.py")
    repository.commit(next(days))  # 2
    repository.commit(next(days), {"src/doomed.py": None})  # 3
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit(next(days), {"src/legacy/old.py": "import pickle\n"})
    repository.git("checkout", "--quiet", "main")
    repository.commit(next(days), {"README.md": "text\n"})  # 4
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", day=next(days))  # 5
    repository.commit(next(days), {"pyproject.toml": '[project]\ndependencies=["requests<2"]\n'})
    repository.commit(next(days), {"web/package.json": '{"dependencies": {"react": "^18"}}\n'})
    repository.commit(next(days), {"Cargo.toml": '[dependencies]\nserde = "2"\n'})
    repository.commit(next(days), {"go.mod": "require golang.org/x/net v0.16.0\n"})
    repository.commit(next(days), {"more.txt": "flask==3.0\n"})  # 10
    repository.commit(next(days), {"more.txt": "# none\n"})  # 11
    line = repository.git("rev-list", "--first-parent", "--reverse", "HEAD").split()
    return repository, line


CHECKS: dict[str, tuple[dict[str, Any], int]] = {
    "an edit takes a text away": (
        {"type": "text_present", "path": "src/store.py", "text": "BEGIN IMMEDIATE"}, 1),
    "an edit brings a text": (
        {"type": "text_absent", "path": "src/*.py", "text": "BEGIN DEFERRED"}, 1),
    "a rename takes a path away": ({"type": "file_exists", "path": "src/moved.py"}, 2),
    "a rename brings a path": ({"type": "file_absent", "path": "src/ren*.py"}, 2),
    "a rename takes a text from a path": (
        {"type": "text_present", "path": "src/moved.py", "text": "line 3 of a file"}, 2),
    "a deletion": ({"type": "file_exists", "path": "src/d*.py"}, 3),
    "a merge brings a file": ({"type": "file_absent", "path": "src/legacy"}, 5),
    "a merge brings a text": (
        {"type": "text_absent", "path": "**/*.py", "text": "import pickle"}, 5),
    "pyproject.toml": ({"type": "dependency", "requirement": "requests>=2"}, 6),
    "package.json": (
        {"type": "dependency", "requirement": "react<18", "path": "web/package.json"}, 7),
    "Cargo.toml": ({"type": "dependency", "requirement": "serde@1"}, 8),
    "go.mod": ({"type": "dependency", "requirement": "golang.org/x/net>=0.17"}, 9),
    "an included file": ({"type": "dependency", "requirement": "flask<3"}, 10),
    "a dependency is dropped": ({"type": "dependency", "requirement": "flask"}, 11),
}  # fmt: skip


def test_each_check_turns_at_the_commit_that_contradicts_it(
    history: tuple[Repository, list[str]],
) -> None:
    repository, line = history
    checks = {name: [check] for name, (check, _) in CHECKS.items()}
    turned: dict[str, list[bool]] = {name: [] for name in checks}
    for commit in line:
        repository.git("checkout", "--quiet", "--detach", commit)
        found = verdicts(checkout_at(repository.root), checks)
        for name in checks:
            assert [each.standing for each in found.get(name, ())] in ([], ["contradicted"])
            turned[name].append(name in found)
    assert len(line) == 12
    assert turned == {
        name: [number >= at for number in range(12)] for name, (_, at) in CHECKS.items()
    }


def test_to_take_a_change_back_lets_its_check_hold_again(
    history: tuple[Repository, list[str]],
) -> None:
    repository, line = history
    check = CHECKS["an included file"][0]
    repository.git("revert", "--no-edit", line[11], line[10], day="2026-03-30")
    assert verdicts(checkout_at(repository.root), {"first": [check]}) == {}
