"""``audit`` at the command line."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import jsonschema
import pytest
from jsonschema import Draft4Validator

from project_memory import resources
from project_memory.cli import session
from project_memory.model import Actor, Authority

ROOT = Path(__file__).parents[2]


@pytest.fixture
def superseded(store):
    """Return `store` in which 'second' supersedes 'first'."""
    store("link", "second", "supersedes", "first")
    return store


def test_a_superseded_memory_is_found_with_what_would_put_it_right(superseded) -> None:
    code, out, err = superseded("audit", "--check", "superseded-removable")
    assert (code, err) == (
        0,
        "2 memories audited: 0 errors, 0 warnings, 1 note\n"
        "1 found for the first time, 0 resolved since the last audit\n",
    )
    assert out == (
        "note\tsuperseded-removable\tfirst\tsuperseded by 'second'; archive it\tarchive\n"
    )


def test_what_was_resolved_is_told_once(superseded) -> None:
    superseded("audit")
    superseded("archive", "first")
    errs = [superseded("audit")[2] for _ in range(2)]
    assert errs == [
        "2 memories audited: 0 errors, 0 warnings, 0 notes\n"
        "0 found for the first time, 1 resolved since the last audit\n",
        "2 memories audited: 0 errors, 0 warnings, 0 notes\n",
    ]


def test_the_report_names_the_checks_that_were_made(store) -> None:
    report = json.loads(store("audit", "--check", "label-unused", "--json")[1])
    assert report["checks"] == ["label-unused"]
    assert report["store"]["project"] == "demo"


def test_an_unknown_check_is_answered_with_the_known_ones(store) -> None:
    code, out, err = store("audit", "--check", "no-such")
    assert (code, out) == (2, "")
    assert err.startswith("error: no check 'no-such'; choose from secret, duplicate, ")


def test_more_than_notes_is_exit_status_one(store) -> None:
    store("link", "second", "contradicts", "first", "--reason", "not both can be")
    code, out, _ = store("audit", "--check", "contradiction")
    assert code == 1
    assert out.startswith("warning\tcontradiction\tfirst\t")


def test_the_checkout_is_asked_for_limits_and_options_have_the_last_word(
    store, tmp_path: Path
) -> None:
    (tmp_path / "code").mkdir()
    table = "[tool.project-memory]\nrequire-prefix = ['area']\nlabel-percent = 7\n"
    (tmp_path / "code/pyproject.toml").write_text(table)
    report = json.loads(store("audit", "--json", "--checkout", "code", "--label-percent", "9")[1])
    assert report["policy"]["label_percent"] == 9
    found = {(f["code"], f["subject"]) for f in report["findings"]}
    assert found == {("label-missing", "first"), ("label-missing", "second")}


def test_the_repository_at_hand_is_the_checkout_where_it_is_the_project(
    store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROJECT_MEMORY_PROJECT")
    (tmp_path / "pyproject.toml").write_text("[tool.project-memory]\nlabel-percent = 7\n")
    store("init")
    assert json.loads(store("audit", "--json")[1])["policy"]["label_percent"] == 7
    report = json.loads(store("--project", "demo", "audit", "--json")[1])
    assert report["policy"]["label_percent"] == 40


def test_a_check_that_the_policy_ignores_is_made_when_it_is_named(superseded) -> None:
    code = "superseded-removable"
    assert superseded("audit", "--ignore", code)[1] == ""
    assert superseded("audit", "--ignore", code, "--check", code)[1].startswith("note\t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--label-percent", "0"),
            "error: invalid value for '--label-percent': '0' is not a whole number from 1 to "
            "100; see `project-memory audit --help`\n",
        ),
        (("--checkout", "bad"),
         "error: [tool.project-memory] in pyproject.toml: 'label-percent' is 'x'; "
         "write a whole number from 1 to 100\n"),
    ],
)  # fmt: skip
def test_a_bad_limit_is_named(store, tmp_path: Path, arguments, message: str) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/pyproject.toml").write_text("[tool.project-memory]\nlabel-percent = 'x'\n")
    assert store("audit", *arguments) == (2, "", message)


def test_sarif_satisfies_the_published_schema_and_explains_its_rules(superseded) -> None:
    _, out, err = superseded("audit", "--format", "sarif")
    schema = (ROOT / "sarif/sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
    log = json.loads(out)
    assert list(Draft4Validator(json.loads(schema)).iter_errors(log)) == []
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule == {
        "id": "superseded-removable",
        "shortDescription": {
            "text": "A live successor says it better; archived, the old text is still kept."
        },
    }
    assert err == "2 memories audited: 0 errors, 0 warnings, 1 note\n"


def test_annotations_are_notices_for_notes(superseded) -> None:
    assert superseded("audit", "--format", "github")[1] == (
        "::notice title=superseded-removable::first: superseded by 'second'; archive it\n"
    )


def test_markdown_has_a_heading_and_a_table(superseded) -> None:
    assert superseded("audit", "--format", "markdown")[1] == (
        "# Audit of demo\n\n2 memories audited: 0 errors, 0 warnings, 1 note\n\n"
        "## Notes\n\n| check | place | finding |\n|---|---|---|\n"
        "| superseded-removable | first | superseded by 'second'; archive it |\n"
    )


def test_apply_alone_is_a_dry_run(superseded) -> None:
    code, out, err = superseded("audit", "--apply")
    assert code == 0
    assert out == (
        "note\tsuperseded-removable\tfirst\tsuperseded by 'second'; archive it\tarchive\t"
        "would be applied\n"
    )
    assert err.splitlines()[-1] == ("dry run: nothing was changed; --apply --yes applies 1 action")
    assert json.loads(superseded("show", "first", "--json")[1])["meta"].get("archived_at") is None


def test_apply_and_yes_act_and_say_how_to_take_it_back(superseded) -> None:
    before = superseded("show", "first", "--json")[1]
    out, err = superseded("audit", "--apply", "--yes")[1:]
    assert out.endswith("\tarchive\tapplied\n")
    assert err.splitlines()[-2:] == [
        "1 action applied",
        "to take it back: project-memory undo --revision 6",
    ]
    assert json.loads(superseded("show", "first", "--json")[1])["meta"]["archived_at"]
    assert superseded("undo", "--revision", "6")[0] == 0
    after = superseded("show", "first", "--json")[1]
    assert json.loads(after)["memory"] == json.loads(before)["memory"]


def test_what_was_applied_keeps_to_the_schema(superseded) -> None:
    report = json.loads(superseded("audit", "--apply", "--yes", "--json")[1])
    jsonschema.validate(report, resources.schema("output/audit"))
    assert report["applied"]["undo"] == "project-memory undo --revision 6"
    assert report["applied"]["receipt"]["revision"] == 6


def test_what_is_over_the_limit_is_left(superseded) -> None:
    superseded("labels", "add", "area:lake")
    err = superseded("audit", "--apply")[2]
    assert err.splitlines()[-1] == "1 left for another audit; at most 1 at once (--max-actions)"


def test_yes_without_apply_is_refused(store) -> None:
    message = "error: '--yes' says nothing by itself; add --apply\n"
    assert store("audit", "--yes") == (2, "", message)


def test_the_undo_names_the_store_and_project_of_the_command_line(store, tmp_path: Path) -> None:
    other = str(tmp_path / "an other.db")
    there = ("--store", other, "--project", "apart")
    store(*there, "init")
    store(*there, "labels", "add", "area:lake")
    err = store(*there, "audit", "--apply", "--yes")[2]
    line = f"project-memory --store '{other}' --project apart undo --revision 3"
    assert err.splitlines()[-1] == f"to take it back: {line}"
    assert store(*shlex.split(line)[1:])[0] == 0


def test_what_a_person_must_decide_is_proposed_once(superseded, monkeypatch) -> None:
    with monkeypatch.context() as person:
        person.setattr(session, "actor", lambda: Actor("ada", Authority.USER))
        assert superseded("project", "set", "writes=review")[0] == 0
    code, out, err = superseded("audit", "--apply", "--yes")
    assert (code, out.endswith("\tarchive\tproposed\n")) == (0, True)
    assert "1 action proposed" in err.splitlines()
    code, out, err = superseded("audit", "--apply", "--yes")
    assert out.endswith("\tarchive\t\n")
    assert "0 actions applied" in err.splitlines()
    waiting = json.loads(superseded("review", "list", "--json")[1])
    assert len(waiting["proposals"]) == 1


def test_a_place_within_a_memory_is_told_to_other_programs(store) -> None:
    fact = '{"remembered_facts": [{"fact": "the mirror is down", "expires": "2020-01-01"}]}'
    Path("patch.json").write_text(fact)
    assert store("edit", "first", "--patch", "patch.json")[0] == 0
    out = store("audit", "--format", "github")[1]
    assert "::first $.remembered_facts[0]: fact 1 expired on 2020-01-01; " in out


def test_a_person_is_shown_the_first_of_many(store, monkeypatch: pytest.MonkeyPatch) -> None:
    operations = [{"op": "add_label", "label": f"area:lake-{n}"} for n in range(20)]
    Path("labels.json").write_text(json.dumps(operations))
    assert store("apply", "labels.json")[0] == 0
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    shown = store("audit", "--check", "label-unused")[1]
    assert "area:lake-19" in shown  # the twelfth by name
    assert "area:lake-2 " not in shown
    assert "and 8 more; --json and pipes give all" in shown
