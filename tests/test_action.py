"""The action for continuous integration: its steps run by bash, its annotations read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from factories import document
from repositories import Repository

from project_memory.model import Expectation

REPOSITORY = Path(__file__).parents[1]
ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
ANNOTATION = re.compile(r"::(error|warning) file=([^,:]+),line=(\d+),title=([^,:]+)::(.*)")


Done = subprocess.CompletedProcess[str]


class Runner:
    """Stands in for the service that runs actions."""

    def __init__(self, workspace: Path, temporary: Path) -> None:
        self.workspace, self.temporary = workspace, temporary
        self.summary = workspace.parent / f"{workspace.name}-summary.md"

    def install(self) -> Done:
        """Run the first step."""
        return self._step(ACTION["runs"]["steps"][0], _values())

    def run(self, **given: str) -> list[Done]:
        """Run the other steps with these inputs until one fails; return what each did."""
        values = _values(**given)
        done: list[Done] = []
        for step in ACTION["runs"]["steps"][1:]:
            if "if" not in step or _holds(step["if"], values):
                done.append(self._step(step, values))
                if done[-1].returncode:
                    break
        return done

    def _step(self, step: dict[str, Any], values: dict[str, str]) -> Done:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # what callers write is data, never a script
        script = self.temporary / "step.sh"
        script.write_text(step["run"])
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PROJECT_MEMORY_")}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env={
                **kept,
                **{name: _filled(text, values) for name, text in step["env"].items()},
                "GITHUB_ACTIONS": "true",
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.temporary),
                "GITHUB_STEP_SUMMARY": str(self.summary),
                # what the tests run with stands in for the network
                "PIP_NO_INDEX": "1",
                "PIP_NO_DEPS": "1",
                "PIP_NO_BUILD_ISOLATION": "false",  # pip takes it for the value of "isolation"
            },
            capture_output=True,
            text=True,
            check=False,
        )


def _values(**given: str) -> dict[str, str]:
    inputs = {name: entry["default"] for name, entry in ACTION["inputs"].items()}
    given = {**inputs, "python": sys.executable, **given}
    named = {f"inputs.{name}": value for name, value in given.items()}
    return {**named, "github.action_path": str(REPOSITORY)}


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: values[found[1]], text)


def _holds(condition: str, values: dict[str, str]) -> bool:
    name, operator, text = condition.split(" ")
    assert operator == "!="
    return values[name] != text.strip("'")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for temporary files of a runner, after the step that installs."""
    temporary = tmp_path_factory.mktemp("runner")
    done = Runner(temporary, temporary).install()
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return temporary


@pytest.fixture
def runner(installed: Path, tmp_path: Path) -> Runner:
    folder = tmp_path / ".project-memory/memories"
    folder.mkdir(parents=True)
    (folder / "sqlite-locked.json").write_text(json.dumps(document(), indent=2))
    return Runner(tmp_path, installed)


def test_a_sound_folder_passes_with_what_was_just_installed(runner: Runner) -> None:
    (last,) = runner.run()
    assert (last.returncode, last.stdout) == (0, "")
    assert last.stderr == "1 memory checked: 0 errors, 0 warnings\n"
    assert (runner.temporary / "project-memory/project_memory/_data/schema").is_dir()


def test_every_annotation_leads_to_the_line_that_is_wrong(runner: Runner) -> None:
    bad = document(status="new", labels=["kind:bug", "kind:bug"], tags=["", "", 7])
    file = runner.workspace / ".project-memory/memories/sqlite-locked.json"
    file.write_text(json.dumps(bad, indent=2))
    last = runner.run()[-1]
    found = [ANNOTATION.fullmatch(line) for line in last.stdout.splitlines()]
    assert last.returncode == 1
    told = {match[4]: match for match in found if match}
    lines = {
        code: (runner.workspace / match[2]).read_text().splitlines()[int(match[3]) - 1]
        for code, match in told.items()
    }
    assert len(found) == len(told)
    assert {code: line.strip(" ,") for code, line in lines.items()} == {
        "schema-enum": '"status": "new"', "schema-unique-items": '"labels": [', "schema-type": "7"
    }  # fmt: skip
    assert [told[code][1] for code in lines] == ["error", "warning", "error"]


def test_a_report_for_code_scanning_is_written_beside_the_annotations(runner: Runner) -> None:
    file = runner.workspace / ".project-memory/memories/sqlite-locked.json"
    file.write_text(json.dumps(document(status="new"), indent=2))
    steps = runner.run(sarif="memory.sarif")
    assert [step.returncode for step in steps] == [0, 1]
    log = json.loads((runner.workspace / "memory.sarif").read_text())
    schema = json.loads((REPOSITORY / "tests/sarif/sarif-2.1.0-rtm.5.json").read_text())
    assert list(jsonschema.Draft4Validator(schema).iter_errors(log)) == []
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("schema-enum", "error")
    assert result["locations"] == [
        {
            "logicalLocations": [{"fullyQualifiedName": "sqlite-locked $.status"}],
            "physicalLocation": {
                "artifactLocation": {"uri": ".project-memory/memories/sqlite-locked.json"},
                "region": {"startLine": 4},
            },
        }
    ]


def test_lessons_are_held_against_the_code_if_asked(runner: Runner) -> None:
    subprocess.run(["git", "init", "--quiet", str(runner.workspace)], check=True)
    check = {"type": "file_exists", "path": "src/a.py"}
    file = runner.workspace / ".project-memory/memories/sqlite-locked.json"
    file.write_text(json.dumps(document(checks=[check]), indent=2))
    assert [step.returncode for step in runner.run(sarif="memory.sarif")] == [0, 0]
    steps = runner.run(sarif="memory.sarif", facts="true")
    assert [step.returncode for step in steps] == [0, 1]
    assert steps[1].stdout == (
        "::error file=src/a.py,title=check-contradicted::sqlite-locked $.checks[0]: 'src/a.py' is "
        "not there; see which is wrong, and correct the lesson with its check, or the code\n"
    )
    (result,) = json.loads((runner.workspace / "memory.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "check-contradicted"


def test_what_is_expected_is_asked_if_asked(runner: Runner) -> None:
    asked = {"query": "no such words", "expects": ["nobody-here"], "within": 5}
    meta = json.dumps({"memories": {}, "expectations": [asked]}, indent=2)
    (runner.workspace / ".project-memory/meta.json").write_text(meta)
    assert [step.returncode for step in runner.run(sarif="memory.sarif")] == [0, 0]
    steps = runner.run(sarif="memory.sarif", recall="true")
    assert [step.returncode for step in steps] == [0, 1]
    name = Expectation("no such words", ()).id
    assert steps[1].stdout == (
        "::error file=.project-memory/meta.json,line=4,title=expectation-lost::nobody-here "
        "$.expectations[0]: 'no such words' does not find 'nobody-here' among its first 5 "
        f"answers; make it findable by that, or `project-memory expect remove {name}`\n"
    )
    (result,) = json.loads((runner.workspace / "memory.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "expectation-lost"


def test_the_lessons_that_a_change_touches_are_told_in_the_summary(runner: Runner) -> None:
    file = runner.workspace / ".project-memory/memories/sqlite-locked.json"
    scope = {"project": "demo", "files": ["src/a.py"], "applies_to": [], "reach": "project"}
    file.write_text(json.dumps(document(scope=scope, pitfalls=["a timeout hides it"]), indent=2))
    code = Repository(runner.workspace)
    code.git("init", "--quiet", "--initial-branch=main")
    code.commit("2026-03-01", {"src/a.py": "one\ntwo\n"})
    code.git("checkout", "--quiet", "-b", "$(touch${IFS}x)")
    code.commit("2026-03-05", {"src/a.py": "one\n2\n"})
    assert [step.returncode for step in runner.run()] == [0]
    assert not runner.summary.exists()
    last = runner.run(base="main")[-1]
    assert (last.returncode, last.stderr) == (0, "")
    assert last.stdout.startswith(
        "::warning file=src/a.py,line=2,title=revalidate::sqlite-locked: Writers on one SQLite "
    )
    page = runner.summary.read_text(encoding="utf-8")
    assert page.startswith("# Lessons that this change touches\n\n1 file since 'main': 1 lesson ")
    assert "\n## Pitfalls\n\n- **sqlite-locked** Writers on one" in page
    assert runner.run(base="$(touch${IFS}x)")[-1].returncode == 0
    assert not (runner.workspace / "x").exists()


def test_a_base_that_was_not_fetched_fails_with_what_to_do(runner: Runner) -> None:
    code = Repository(runner.workspace)
    code.git("init", "--quiet", "--initial-branch=main")
    code.commit("2026-03-01")
    last = runner.run(base="origin/main")[-1]
    assert (last.returncode, last.stderr) == (
        2, "error: no commit 'origin/main' here; name a branch, tag or commit, or run `git fetch` "
        "first\n",
    )  # fmt: skip
    assert not runner.summary.exists()


def test_a_mistyped_folder_fails_whatever_is_asked_for(runner: Runner) -> None:
    for given in ({}, {"sarif": "memory.sarif"}):
        last = runner.run(path="$(touch x) stroe", **given)[-1]
        assert last.returncode == 2
        assert last.stderr.startswith("error: nothing at '$(touch x) stroe'; name a folder")
    assert not (runner.workspace / "x").exists()


def test_the_page_about_it_names_its_inputs() -> None:
    page = (REPOSITORY / "docs/checks.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "uses" in b)
    assert yaml.safe_load(block)["steps"][1]["with"].keys() <= ACTION["inputs"].keys()
    rows = re.findall(r"^\| (\w+) \| (\S+) \|", page, re.MULTILINE)[1:]
    defaults = {name: entry["default"] or "none" for name, entry in ACTION["inputs"].items()}
    assert dict(rows) == defaults
