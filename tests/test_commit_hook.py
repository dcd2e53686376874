"""The hook for commits, run by git itself as `.pre-commit-hooks.yaml` says."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from factories import document

from project_memory.cli.group import cli

REPOSITORY = Path(__file__).parents[1]
(HOOK,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
FOLDER = ".project-memory/memories"
SOUND = "1 memory checked: 0 errors, 0 warnings\n"
FIRST, SECOND = f"{FOLDER}/sqlite-locked.json", f"{FOLDER}/second-one.json"


def write(path: Path, **fields: object) -> None:
    """Write a memory as its file holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document(**fields), indent=2) + "\n", encoding="utf-8")


class Repository:
    """A git repository with the hook in place and one sound memory committed."""

    def __init__(self, top: Path) -> None:
        self.top = top
        top.mkdir()
        self.git("init", "--quiet")
        hook = top / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        line = shlex.join([*shlex.split(HOOK["entry"]), *HOOK["args"]])
        hook.write_text(f"#!/bin/sh\nexec {line}\n")
        hook.chmod(0o755)
        write(top / FIRST)
        assert self.commit(FIRST) == (0, SOUND)

    def git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run git, its hooks with our command on their path."""
        identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.top,
            env={**os.environ, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull},
            capture_output=True,
            text=True,
            check=False,
        )

    def commit(self, *paths: str) -> tuple[int, str]:
        """Stage these paths and commit what is staged; return (exit code, what the hook said)."""
        if paths:
            assert self.git("add", "--all", *paths).returncode == 0
        done = self.git("commit", "--quiet", "--message", "a change")
        return done.returncode, done.stderr

    def count(self) -> int:
        """Return how many commits there are."""
        return len(self.git("rev-list", "HEAD").stdout.split())


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "top")


def test_a_good_memory_passes(repository: Repository) -> None:
    write(repository.top / SECOND, id="second-one", description="another lesson of some length")
    assert repository.commit(SECOND) == (0, "2 memories checked: 0 errors, 0 warnings\n")
    assert repository.count() == 2


def test_a_bad_memory_is_refused_with_its_line(repository: Repository) -> None:
    write(repository.top / SECOND, id="second-one", status="new")
    code, said = repository.commit(SECOND)
    assert code == 1
    assert said == (
        "error\tmemories/second-one.json:4 $.status\tschema-enum\t"
        "'new' is not one of 'active', 'stale', 'superseded', 'wrong'\n"
        "2 memories checked: 1 error, 0 warnings\n"
    )
    assert repository.count() == 1


def test_what_is_staged_counts_and_not_what_lies_in_the_folder(repository: Repository) -> None:
    write(repository.top / FIRST, status="new")
    assert repository.git("add", FIRST).returncode == 0
    write(repository.top / FIRST)
    assert repository.commit()[0] == 1
    write(repository.top / FIRST, pitfalls=["a better text"])
    assert repository.git("add", FIRST).returncode == 0
    write(repository.top / FIRST, status="new")
    assert repository.commit() == (0, SOUND)


def test_taking_away_what_another_memory_links_to_is_refused(repository: Repository) -> None:
    write(repository.top / FIRST, relationships={"depends_on": [{"id": "second-one"}]})
    write(
        repository.top / SECOND,
        id="second-one",
        relationships={"required_by": [{"id": "sqlite-locked"}]},
    )
    assert repository.commit(FIRST, SECOND)[0] == 0
    (repository.top / SECOND).unlink()
    code, said = repository.commit(SECOND)
    assert code == 1
    assert "there is no memory 'second-one'" in said


def test_a_commit_of_one_path_is_judged_by_what_it_takes(repository: Repository) -> None:
    write(repository.top / SECOND, id="second-one", status="new")
    assert repository.git("add", SECOND).returncode == 0
    write(repository.top / FIRST, pitfalls=["a better text"])
    done = repository.git("commit", "--quiet", "--message", "one path", FIRST)
    assert (done.returncode, done.stderr) == (0, SOUND)
    assert repository.commit()[0] == 1


def test_annotations_of_what_is_staged_name_files_that_are_not_on_the_disk(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(repository.top / FIRST, status="new")
    assert repository.git("add", FIRST).returncode == 0
    shutil.rmtree(repository.top / ".project-memory")
    monkeypatch.chdir(repository.top)
    with pytest.raises(SystemExit) as ended:
        cli.main(["validate", ".project-memory", "--staged", "--format", "github"])
    assert ended.value.code == 1
    assert capsys.readouterr().out.startswith(
        f"::error file={FIRST},line=4,title=schema-enum::sqlite-locked $.status: 'new' is not one"
    )


def test_the_hook_is_one_that_runs_whatever_a_commit_holds() -> None:
    # a commit that only removes files gives the hook none to look at
    assert (HOOK["always_run"], HOOK["pass_filenames"]) == (True, False)
    assert (HOOK["id"], HOOK["language"]) == ("project-memory-validate", "python")


def test_the_page_about_it_names_the_hook_and_its_folder() -> None:
    page = (REPOSITORY / "docs/checks.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "hooks" in b)
    (shown,) = yaml.safe_load(block)["repos"][0]["hooks"]
    assert shown == {"id": HOOK["id"], "args": HOOK["args"]}
