"""``expect`` and ``validate --recall``, in every form."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from project_memory import resources
from project_memory.model import Expectation

ID = Expectation("database is locked", ()).id


@pytest.fixture
def asking(store):
    """Return `run` over a store that expects its first memory to be found."""
    code, out, err = store("expect", "add", "database is locked", "first", "--within", "1")
    assert (code, out, err) == (0, f"{ID}\texpectation\n", "")
    return store


def document(out: str, schema: str) -> dict:
    value = json.loads(out)
    jsonschema.validate(value, resources.schema(f"output/{schema}"))
    return value


def test_what_is_expected_is_listed(asking) -> None:
    line = f"{ID}\t1\tdatabase is locked\tfirst\t\n"
    assert asking("expect", "list") == (0, line, "")
    assert asking("expect") == (0, line, "")
    _, out, _ = asking("expect", "list", "--json")
    assert document(out, "expect-list")["expectations"] == [
        {"id": ID, "query": "database is locked", "expects": ["first"], "within": 1}
    ]


def test_nothing_expected_says_how(store) -> None:
    assert store("expect", "list") == (
        0, "", "nothing is expected yet; `project-memory expect add` or `expect seed`\n",
    )  # fmt: skip


def test_a_run_exits_with_one_where_something_is_lost(asking) -> None:
    assert asking("expect", "run") == (
        0, f"held\t{ID}\tdatabase is locked\tfirst=1\t\n",
        "1 expectation asked: 1 held, 0 lost\n",
    )  # fmt: skip
    asking("archive", "first")
    assert asking("expect", "run", "database is locked") == (
        1, f"lost\t{ID}\tdatabase is locked\t\tfirst\n",
        "1 expectation asked: 0 held, 1 lost\n",
    )  # fmt: skip
    code, out, _ = asking("expect", "run", ID, "--json")
    assert (code, document(out, "expect-run")["lost"]) == (1, 1)
    assert asking("expect", "run", "nothing") == (
        2, "", "error: no expectation 'nothing'; `project-memory expect list` shows them\n",
    )  # fmt: skip


def test_what_is_removed_is_asked_no_more(asking) -> None:
    assert asking("expect", "remove", ID, "--dry-run") == (
        0, f"{ID}\texpectation\n", "dry run: nothing was changed\n",
    )  # fmt: skip
    _, out, _ = asking("expect", "remove", "database is locked", "--json")
    assert document(out, "receipt")["expectations"] == [ID]
    assert asking("expect", "list")[1] == ""
    assert asking("undo")[0] == 0
    assert asking("expect", "list")[1] != ""


def test_a_receipt_names_what_is_lost(asking) -> None:
    assert asking("archive", "first", "--dry-run")[2] == (
        "dry run: nothing was changed\n"
        f"lost expectation {ID}: 'database is locked' no more would find 'first' within 1\n"
    )
    code, out, _ = asking("archive", "first", "--json")
    assert code == 0
    assert document(out, "receipt")["lost_expectations"] == [
        {"id": ID, "query": "database is locked", "within": 1, "missing": ["first"]}
    ]
    asking("undo")
    assert asking("archive", "first")[2] == (
        f"lost expectation {ID}: 'database is locked' no more finds 'first' within 1\n"
        "`project-memory undo` takes the change back\n"
    )


def test_seeds_are_shown_before_they_are_added(store) -> None:
    store("edit", "first", "--set", 'triggers=["database is locked","busy file"]')
    code, out, err = store("expect", "seed", "--within", "1")
    assert code == 0
    assert out == "expected\tdatabase is locked\tfirst\nunfound\tbusy file\tfirst\n"
    assert err == (
        "dry run: nothing was changed\n1 trigger would be expected to find what has it\n"
        "add them with --yes\n"
    )
    assert store("expect", "list")[1] == ""
    code, out, _ = store("expect", "seed", "first", "--within", "1", "--yes", "--json")
    assert document(out, "expect-seed")["receipt"]["expectations"] == [ID]
    assert store("expect", "list")[1] == f"{ID}\t1\tdatabase is locked\tfirst\t\n"


def test_validation_reports_what_is_lost_in_every_form(asking, tmp_path: Path) -> None:
    asking("archive", "first")
    asking("export", "out")
    said = "'database is locked' does not find 'first' as its first answer"
    fix = f"make it findable by that, or `project-memory expect remove {ID}`"
    assert asking("validate", "out")[0] == 0
    code, out, err = asking("validate", "out", "--recall")
    assert (code, err) == (1, "2 memories checked: 1 error, 0 warnings\n")
    assert out == f"error\tmeta.json:4 $.expectations[0]\texpectation-lost\t{said}; {fix}\n"
    code, out, _ = asking("validate", "--recall", "--json")
    (problem,) = document(out, "validate")["problems"]
    assert (code, problem["code"], problem["memory"]) == (1, "expectation-lost", "first")
    code, out, _ = asking("validate", "out", "--recall", "--format", "github")
    assert (code, out) == (
        1,
        "::error file=out/meta.json,line=4,title=expectation-lost::first $.expectations[0]: "
        f"{said}; {fix}\n",
    )
    code, out, _ = asking("validate", "out", "--recall", "--format", "sarif")
    (result,) = json.loads(out)["runs"][0]["results"]
    assert (code, result["ruleId"]) == (1, "expectation-lost")


def test_mending_and_asking_are_two_steps(store) -> None:
    store("export", "out")
    assert store("validate", "out", "--fix", "--recall") == (
        2, "", "error: --recall asks what --fix leaves; run it again without --fix\n",
    )  # fmt: skip
