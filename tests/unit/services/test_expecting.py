"""What a project expects to be found: said, asked, taken back, carried elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from factories import draft

from project_memory.app import ProjectMemory, validate_directory
from project_memory.errors import (
    Conflict,
    ExpectationLost,
    ExpressionSyntaxError,
    InvalidDocument,
    InvalidInput,
    NotFound,
    SecretFound,
    UnknownLabel,
)
from project_memory.model import Actor, Authority, Expectation, LostExpectation
from project_memory.services import batch, expecting, relabelling, transaction, watching

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECRET = "x7Kq9mWz2Lp4Rt6Vb8Nc1Df3Gh5Js0Qa2We4"
TEXTS = {
    "login-clock": ("Sign-in fails because the clock of the device is wrong", "area:auth"),
    "login-cookie": ("Sign-in fails because the browser drops the cookie", "area:auth"),
    "queue-lost": ("Events vanish from the queue after a crash of the worker", "area:sync"),
    "tiles-blank": ("Map tiles stay blank when the projection is unknown", "area:map"),
}
CLOCK = Expectation("device clock wrong", ("login-clock",))
QUEUE = Expectation("events vanish after a crash", ("queue-lost",), 1)


@pytest.fixture(params=["inmemory://", "sqlite"])
def memory(request, tmp_path) -> Iterator[ProjectMemory]:
    url = request.param if "://" in request.param else str(tmp_path / "store.db")
    with opened(url) as found:
        for name in ("area:auth", "area:sync", "area:map"):
            found.add_label(name)
        for name, (text, label) in TEXTS.items():
            fact = f"what is known of {name.split('-')[1]}"
            found.create(draft(id=name, description=text, labels=[label], remembered_facts=[fact]))
        yield found


def opened(url: str, project: str = "demo") -> ProjectMemory:
    return ProjectMemory.open(url, project=project, actor=ADA, create=True, clock=lambda: NOW)


def of(memory: ProjectMemory, actor: Actor) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", actor, lambda: NOW)


def said(memory: ProjectMemory, *expectations: Expectation) -> None:
    for each in expectations:
        memory.expect(each.query, each.expects, within=each.within, labels=each.labels)


def expected(memory: ProjectMemory) -> list[tuple[object, ...]]:
    found = memory.expectations().expectations
    return [(each.query, each.expects, each.within, each.labels) for each in found]


def test_what_is_expected_is_listed_with_its_id(memory) -> None:
    receipt = memory.expect("  device clock wrong ", ["login-clock"], labels="area:auth")
    assert receipt.operation == "expect"
    assert receipt.expectations == (Expectation("device clock wrong", (), 5, "area:auth").id,)
    assert receipt.notes == ()
    (found,) = memory.expectations().expectations
    assert found == expecting.Listed(
        receipt.expectations[0], "device clock wrong", ("login-clock",), 5, "area:auth"
    )


def test_a_question_may_come_to_expect_more(memory) -> None:
    memory.expect("sign-in fails", ["login-clock"], within=7)
    memory.expect("sign-in fails", ["login-cookie", "login-clock"])
    memory.expect("sign-in fails", ["login-clock"], labels="area:auth")
    assert expected(memory) == [
        ("sign-in fails", ("login-clock", "login-cookie"), 7, None),
        ("sign-in fails", ("login-clock",), 5, "area:auth"),
    ]
    assert memory.expect("sign-in fails", ["login-clock"], within=7).notes == ("nothing changed",)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (
            {"query": " ", "expects": ["login-clock"]},
            InvalidInput,
            "$.query: the text is blank; write it or leave it out",
        ),
        (
            {"query": "any", "expects": ["login-clock"], "within": 51},
            InvalidInput,
            "$.within: 51 is more than 50",
        ),
        (
            {"query": "any", "expects": ["nobody"]},
            NotFound,
            "no memory 'nobody'; list ids with `project-memory list`",
        ),
        (
            {"query": "any", "expects": ["login-clock"], "labels": "area:moon"},
            UnknownLabel,
            "label 'area:moon' is not registered; did you mean 'area:map' or 'area:sync'? "
            "add it with `project-memory labels add area:moon`",
        ),
        (
            {"query": "any", "expects": ["login-clock"], "labels": "area:auth AND"},
            ExpressionSyntaxError,
            None,
        ),
        (
            {"query": f"token ghp_{SECRET}", "expects": ["login-clock"]},
            SecretFound,
            None,
        ),
    ],
)
def test_what_cannot_be_expected_is_refused(memory, arguments, kind, message) -> None:
    with pytest.raises(kind) as error:
        memory.expect(**arguments)
    if message is not None:
        assert str(error.value) == message
    assert expected(memory) == []


def test_what_is_named_wrongly_is_not_taken_away(memory) -> None:
    said(memory, CLOCK)
    memory.expect(CLOCK.query, CLOCK.expects, labels="area:auth")
    with pytest.raises(NotFound) as error:
        memory.unexpect("clock")
    assert str(error.value) == ("no expectation 'clock'; `project-memory expect list` shows them")
    with pytest.raises(InvalidInput) as several:
        memory.unexpect("device clock wrong")
    ids = [each.id for each in memory.expectations().expectations]
    assert str(several.value) == (
        "several expectations ask 'device clock wrong'; name one by its id: "
        f"'{ids[0]}', '{ids[1]}'"
    )
    assert memory.unexpect(ids[1]).expectations == (ids[1],)
    assert memory.unexpect("device clock wrong").expectations == (ids[0],)


def test_too_many_expectations_are_refused(memory, monkeypatch) -> None:
    monkeypatch.setattr(expecting, "MOST", 1)
    said(memory, CLOCK)
    with pytest.raises(InvalidInput) as error:
        said(memory, QUEUE)
    assert str(error.value) == (
        "a project has at most 1 expectations, and these would be 2; remove some with "
        "`project-memory expect remove`"
    )


def test_a_run_says_where_each_memory_stands(memory) -> None:
    said(memory, CLOCK, QUEUE, Expectation("blank tiles", ("queue-lost", "tiles-blank"), 2))
    found = memory.run_expectations()
    assert (found.held, found.lost) == (2, 1)
    assert [(each.query, each.held, dict(each.places), each.missing)
            for each in found.expectations] == [
        ("blank tiles", False, {"tiles-blank": 1}, ("queue-lost",)),
        ("device clock wrong", True, {"login-clock": 1}, ()),
        ("events vanish after a crash", True, {"queue-lost": 1}, ()),
    ]  # fmt: skip
    only = memory.run_expectations(["device clock wrong"])
    assert [each.query for each in only.expectations] == ["device clock wrong"]
    assert memory.usage().questions == 0


def test_labels_narrow_what_is_asked(memory) -> None:
    said(memory, Expectation("sign-in fails", ("login-clock",), 5, "area:sync"))
    (found,) = memory.run_expectations().expectations
    assert (found.held, found.missing, found.obstacle) == (False, ("login-clock",), None)


def test_what_is_expected_follows_a_renamed_memory(memory, tmp_path) -> None:
    said(memory, CLOCK)
    receipt = memory.rename("login-clock", "clock-skew")
    assert (receipt.lost_expectations, receipt.expectations) == ((), ())
    assert expected(memory) == [("device clock wrong", ("clock-skew",), 5, None)]
    (found,) = memory.run_expectations().expectations
    assert dict(found.places) == {"clock-skew": 1}
    memory.export_directory(tmp_path / "out")
    memory.rename("clock-skew", "clock-drift")
    memory.export_directory(tmp_path / "out")
    meta = json.loads((tmp_path / "out/meta.json").read_text())
    assert meta["expectations"] == [
        {"query": "device clock wrong", "expects": ["clock-drift"], "within": 5}
    ]


def test_what_supersedes_an_expected_memory_is_found_in_its_place(memory) -> None:
    said(memory, CLOCK)
    memory.link("login-cookie", "supersedes", "login-clock")
    (found,) = memory.run_expectations().expectations
    assert dict(found.places) == {"login-clock": 1}


def test_a_merge_keeps_what_the_survivor_is_found_by(memory) -> None:
    said(memory, CLOCK)
    assert memory.merge("login-clock", "login-cookie").lost_expectations == ()
    assert memory.run_expectations().lost == 0


def test_a_change_is_undone_and_a_later_one_stands_in_the_way(memory) -> None:
    said(memory, CLOCK)
    memory.undo()
    assert expected(memory) == []
    first = memory.expect("sign-in fails", ["login-clock"])
    memory.expect("sign-in fails", ["login-cookie"])
    with pytest.raises(Conflict) as error:
        memory.undo(revision=first.revision)
    assert str(error.value) == (
        f"revision {first.revision} cannot be undone: expectation '{first.expectations[0]}' has "
        "changed since; undo the later change first"
    )
    memory.unexpect("sign-in fails")
    memory.undo()
    assert expected(memory) == [("sign-in fails", ("login-clock", "login-cookie"), 5, None)]
    assert memory.history(limit=1).revisions[0].expectations == ("sign-in fails",)


def test_a_dry_run_expects_nothing(memory) -> None:
    receipt = memory.expect(CLOCK.query, CLOCK.expects, dry_run=True)
    assert (receipt.dry_run, receipt.expectations) == (True, (CLOCK.id,))
    assert expected(memory) == []


def lost(expectation: Expectation, *missing: str) -> LostExpectation:
    return LostExpectation(
        expectation.id, expectation.query, expectation.within, expectation.labels,
        missing or expectation.expects,
    )  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        lambda m, **o: m.archive("login-clock", **o),
        lambda m, **o: m.delete("login-clock", **o),
        lambda m, **o: m.set_status("login-clock", "wrong", reason="it never was so", **o),
        lambda m, **o: m.apply([{"op": "archive", "id": "login-clock"}], **o),
    ],
)
def test_a_change_that_loses_an_expectation_says_so_and_is_undone(memory, change) -> None:
    said(memory, CLOCK, QUEUE)
    assert change(memory, dry_run=True).lost_expectations == (lost(CLOCK),)
    assert memory.run_expectations().lost == 0
    assert change(memory).lost_expectations == (lost(CLOCK),)
    assert memory.run_expectations().lost == 1
    assert memory.archive("tiles-blank").lost_expectations == ()  # it was lost before
    memory.undo()
    assert memory.undo().lost_expectations == ()
    assert memory.run_expectations().lost == 0


def test_an_edit_that_takes_the_words_away_loses_it(memory) -> None:
    said(memory, CLOCK, QUEUE)
    patch = {"description": "Nothing of it stands here any more", "remembered_facts": ["none"]}
    assert memory.update("queue-lost", patch).lost_expectations == (lost(QUEUE),)


def test_a_memory_that_takes_the_place_of_an_expected_one_loses_it(memory) -> None:
    said(memory, QUEUE)
    text = "Events vanish after a crash: events vanish, a crash, after a crash"
    made = memory.create(draft(id="events-crash", description=text, labels=["area:sync"],
                               triggers=["events vanish after a crash"]))  # fmt: skip
    assert made.lost_expectations == (lost(QUEUE),)


def test_a_renamed_label_that_an_expression_knows_loses_nothing(memory) -> None:
    narrowed = Expectation("device clock", ("login-clock",), 1, "area:auth")
    said(memory, narrowed)
    assert memory.rename_label("area:auth", "area:access").lost_expectations == ()
    assert memory.run_expectations().lost == 0


def test_a_label_that_goes_loses_what_is_asked_of_it(memory) -> None:
    memory.add_label("topic:clock")
    memory.update("login-clock", {"labels": ["area:auth", "topic:clock"]})
    narrowed = Expectation("device clock", ("login-clock",), 1, "topic:clock")
    said(memory, narrowed)
    memory.update("login-clock", {"labels": ["area:auth"]})
    memory.undo()
    gone = memory.apply(
        [
            {"op": "update", "id": "login-clock", "patch": {"labels": ["area:auth"]}},
            {"op": "remove_label", "label": "topic:clock"},
        ]
    )
    assert gone.lost_expectations == (lost(narrowed),)
    (found,) = memory.run_expectations().expectations
    assert found.obstacle == (
        "label 'topic:clock' is not registered; add it with "
        "`project-memory labels add topic:clock`"
    )


def test_a_strict_project_refuses_what_loses_an_expectation(memory) -> None:
    said(memory, CLOCK, QUEUE)
    memory.configure({"expectations": "strict"})
    for dry_run in (True, False):
        with pytest.raises(ExpectationLost) as error:
            memory.archive("login-clock", dry_run=dry_run)
        assert error.value.lost == (lost(CLOCK),)
        assert str(error.value) == (
            "this would lose an expectation, which project 'demo' refuses: 'device clock wrong' "
            "would not find 'login-clock' within 5; keep what is expected findable, or take it "
            f"away first with `project-memory expect remove {CLOCK.id}`"
        )
    assert memory.run_expectations().lost == 0
    with pytest.raises(ExpectationLost) as several:
        memory.apply([{"op": "archive", "id": name} for name in ("login-clock", "queue-lost")])
    assert str(several.value).startswith("this would lose 2 expectations, which project 'demo'")
    memory.apply(
        [
            {"op": "unexpect", "expectation": CLOCK.id},
            {"op": "archive", "id": "login-clock"},
        ]
    )
    assert expected(memory) == [(QUEUE.query, QUEUE.expects, 1, None)]


def test_an_agent_takes_nothing_away_that_a_strict_project_expects(memory) -> None:
    said(memory, CLOCK)
    memory.configure({"expectations": "strict"})
    receipt = of(memory, BOT).unexpect(CLOCK.id)
    assert receipt.proposals == (1,)
    assert receipt.notes[0] == (
        "kept as proposal 1 for a person to decide, because expectation "
        f"'{CLOCK.id}' of a strict project can be lowered only by a person"
    )
    assert of(memory, BOT).expect(QUEUE.query, QUEUE.expects).proposals == ()
    assert len(expected(memory)) == 2
    memory.apply_proposal(1)
    assert [query for query, *_ in expected(memory)] == [QUEUE.query]


def test_a_person_may_import_what_lowers_a_strict_project(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    memory.expect(CLOCK.query, ["login-cookie"])
    memory.configure({"expectations": "strict"})
    memory.import_path(tmp_path / "out")
    assert expected(memory) == [(CLOCK.query, CLOCK.expects, 5, None)]


def test_a_small_change_is_held_to_its_own_and_to_the_most_alike(memory, monkeypatch) -> None:
    monkeypatch.setattr(watching, "NEAR", 1)
    cookie = Expectation("the browser drops", ("login-cookie",))
    blank = Expectation("blank tiles", ("tiles-blank",))
    said(memory, QUEUE, cookie, blank, Expectation("zebra", ("queue-lost",)))
    with memory._storage.read() as reader:

        def held_to(*operations) -> list[str]:
            order = transaction.Order("apply", ADA, NOW)
            work = transaction.rehearse(reader, "demo", order, lambda w: batch.run(w, operations))
            return [each.query for each in watching.watched(work)]

        def create(text: str) -> dict[str, object]:
            return {"op": "create", "memory": draft(id="made-one", description=text)}

        assert held_to(create("Events vanish after the browser is closed")) == [QUEUE.query]
        assert held_to({"op": "archive", "id": "tiles-blank"}) == ["blank tiles"]
        assert held_to({"op": "archive", "id": "queue-lost"}) == [QUEUE.query, "zebra"]
        add = {"op": "add_label", "label": "area:lake"}
        assert (
            held_to(add, {"op": "describe_label", "label": "area:map", "description": "x"}) == []
        )
        rename = {"op": "rename_label", "label": "area:map", "new": "area:chart"}
        assert held_to(rename) == ["blank tiles", QUEUE.query, "the browser drops", "zebra"]
        remove = {"op": "unexpect", "expectation": "zebra"}
        assert held_to(rename, remove) == ["blank tiles", QUEUE.query, "the browser drops"]


def test_what_an_expected_memory_was_replaced_by_is_watched(memory) -> None:
    said(memory, CLOCK)
    memory.link("login-cookie", "supersedes", "login-clock")
    memory.create(draft(id="login-token", description="Sign-in fails because a token is too old"))
    memory.link("login-token", "supersedes", "login-cookie")
    memory.rename("login-clock", "clock-skew")
    receipt = memory.archive("login-token")
    assert receipt.lost_expectations == ()  # the one before it stands in again
    memory.archive("login-cookie")
    gone = memory.archive("clock-skew")
    assert gone.lost_expectations == (lost(CLOCK, "clock-skew"),)


@pytest.mark.parametrize("form", ["folder", "file"])
def test_what_is_expected_goes_with_an_export(memory, tmp_path, form) -> None:
    said(memory, CLOCK, Expectation("sign-in", ("login-clock", "login-cookie"), 3, "area:auth"))
    path = tmp_path / ("out" if form == "folder" else "out.json")
    (memory.export_directory if form == "folder" else memory.export_file)(path)
    with opened(str(tmp_path / "other.db"), "other") as other:
        other.import_path(path)
        assert expected(other) == expected(memory)
        again = other.import_path(path)
        assert (again.receipt.expectations, again.repairs) == ((), ())
        other.undo()
        assert expected(other) == []


def test_what_comes_replaces_what_was_expected(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    file = tmp_path / "out/meta.json"
    value = json.loads(file.read_text())
    value["expectations"][0] |= {"within": 2, "expects": ["login-clock", "nobody-here"]}
    file.write_text(json.dumps(value))
    with pytest.raises(Conflict) as error:
        memory.export_directory(tmp_path / "out")
    assert str(error.value) == (
        f"'meta.json' in '{tmp_path / 'out'}' holds what this project never held; take it in "
        f"first with `project-memory import {tmp_path / 'out'}`, or write over it (--overwrite)"
    )
    report = memory.import_path(tmp_path / "out")
    assert report.repairs == (
        "meta.json:1: $.expectations[0]: no memory 'nobody-here' is here that could be found",
        f"expectation '{CLOCK.id}' is as it came: 'login-clock', 'nobody-here' within 2, not "
        "'login-clock' within 5",
    )
    assert expected(memory) == [(CLOCK.query, ("login-clock", "nobody-here"), 2, None)]
    (found,) = memory.run_expectations().expectations
    assert found.missing == ("nobody-here",)


def test_what_a_folder_expects_twice_or_of_nobody_is_told_with_its_line(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    file = tmp_path / "out/meta.json"
    meta = json.loads(file.read_text())
    (asked,) = meta["expectations"]
    meta["expectations"] = [asked, asked, {**asked, "query": "any", "expects": ["nobody-here"]}]
    file.write_text(json.dumps({"expectations": meta.pop("expectations"), **meta}, indent=2))
    memory.export_file(tmp_path / "one.json")
    whole = json.loads((tmp_path / "one.json").read_text())
    whole["expectations"] = json.loads(file.read_text())["expectations"]
    (tmp_path / "one.json").write_text(json.dumps(whole))
    double = "the same is asked of these labels at $.expectations[0] already"
    unknown = "no memory 'nobody-here' is here that could be found"
    found = validate_directory(tmp_path / "out")
    assert found.ok
    assert problems(found) == [
        ("double-expectation", None, "$.expectations[1]", "meta.json", 10, double,
         "keep one of them, with all that it expects"),
        ("unknown-expected", None, "$.expectations[2]", "meta.json", 17, unknown,
         "correct the id, or take the expectation out"),
    ]  # fmt: skip
    told = [(p.code, p.path) for p in validate_directory(tmp_path / "one.json").problems]
    assert told == [
        ("double-expectation", "$.expectations[1]"), ("unknown-expected", "$.expectations[2]"),
    ]  # fmt: skip
    assert memory.import_path(tmp_path / "out").repairs == (
        f"meta.json:10: $.expectations[1]: {double}",
        f"meta.json:17: $.expectations[2]: {unknown}",
    )


def test_a_folder_with_a_broken_expectation_is_refused(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    file = tmp_path / "out/meta.json"
    file.write_text(file.read_text().replace('"within": 5', '"within": 0'))
    with pytest.raises(InvalidDocument) as error:
        memory.import_path(tmp_path / "out")
    assert str(error.value) == (
        "meta.json:9: $.expectations[0].within: 0 is less than 1 [schema-minimum]"
    )


def test_a_folder_that_asks_for_a_secret_is_refused(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    file = tmp_path / "out/meta.json"
    text = file.read_text().replace("device clock wrong", f"token ghp_{SECRET}")
    file.write_text(text)
    with pytest.raises(SecretFound) as error:
        memory.import_path(tmp_path / "out")
    assert str(error.value) == (
        f"expectation '{Expectation(f'token ghp_{SECRET}', ()).id}' looks like a secret (rule "
        "'github-token'); say where the secret lives, not its value"
    )


def problems(report) -> list[tuple[object, ...]]:
    return [(p.code, p.memory, p.path, p.file, p.line, p.message, p.fix) for p in report.problems]


def test_validation_tells_that_a_folder_asks_for_a_secret(memory, tmp_path) -> None:
    said(memory, CLOCK)
    memory.export_directory(tmp_path / "out")
    file = tmp_path / "out/meta.json"
    file.write_text(file.read_text().replace("device clock wrong", f"token ghp_{SECRET}"))
    assert problems(validate_directory(tmp_path / "out")) == [
        ("secret", None, "$.expectations[0]", "meta.json", 4,
         "looks like a secret (rule 'github-token')", "say where the secret lives, not its value"),
    ]  # fmt: skip


def test_validation_asks_what_is_expected_of_store_folder_and_file(memory, tmp_path) -> None:
    said(memory, CLOCK, QUEUE)
    memory.archive("login-clock")
    memory.export_directory(tmp_path / "out")
    memory.export_file(tmp_path / "out.json")
    message = "'device clock wrong' does not find 'login-clock' among its first 5 answers"
    fix = f"make it findable by that, or `project-memory expect remove {CLOCK.id}`"
    assert problems(memory.validate()) == []
    assert problems(memory.validate(recall=True)) == [
        ("expectation-lost", "login-clock", "$", None, None, message, fix)
    ]
    assert problems(validate_directory(tmp_path / "out")) == []
    found = validate_directory(tmp_path / "out", recall=True)
    assert not found.ok
    assert problems(found) == [
        ("expectation-lost", "login-clock", "$.expectations[0]", "meta.json", 4, message, fix)
    ]
    (alone,) = validate_directory(tmp_path / "out.json", recall=True).problems
    lines = (tmp_path / "out.json").read_text().splitlines()
    assert (alone.file, alone.message) == ("out.json", message)
    assert '"query": "device clock wrong"' in lines[alone.line or 0]


def test_a_folder_without_memories_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "memories").mkdir()
    asked = [{"query": "any", "expects": ["nobody-here"], "within": 5}]
    text = json.dumps({"memories": {}, "expectations": asked})
    (tmp_path / "meta.json").write_text(text)
    (found,) = validate_directory(tmp_path, recall=True).problems
    assert found.message == "'any' does not find 'nobody-here' among its first 5 answers"


def test_triggers_are_expected_to_find_what_has_them(memory) -> None:
    memory.update("login-clock", {"triggers": ["clock skew", "zzz unheard of"]})
    memory.update("tiles-blank", {"triggers": ["blank tiles"]})
    memory.archive("tiles-blank")
    before = memory.history(limit=1).revisions[0].number
    dry = memory.seed_expectations(dry_run=True)
    assert [(each.query, each.expects) for each in dry.expected] == [
        ("clock skew", ("login-clock",)),
        ("zzz unheard of", ("login-clock",)),
    ]
    assert memory.history(limit=1).revisions[0].number == before
    first = memory.seed_expectations(limit=1, within=2)
    assert (first.left, expected(memory)) == (1, [("clock skew", ("login-clock",), 2, None)])
    memory.seed_expectations(["login-clock"])
    assert [query for query, *_ in expected(memory)] == ["clock skew", "zzz unheard of"]
    assert memory.seed_expectations().expected == ()
    with pytest.raises(InvalidInput) as error:
        memory.seed_expectations(limit=0)
    assert str(error.value) == "limit 0 is not from 1 to 2,000, what a project may expect"


def test_a_trigger_that_does_not_find_its_memory_is_named(memory) -> None:
    memory.update("queue-lost", {"triggers": ["Map tiles stay blank"]})
    found = memory.seed_expectations(["queue-lost"], within=1)
    assert [(each.query, each.missing) for each in found.unfound] == [
        ("Map tiles stay blank", ("queue-lost",))
    ]
    assert expected(memory) == []


def test_a_purge_takes_its_texts_and_ids_from_what_is_expected(memory) -> None:
    memory.update("login-clock", {"triggers": ["sixteen lost hours"]})
    memory.expect("sixteen lost hours", ["login-clock", "login-cookie"])
    memory.expect("sign-in fails", ["login-clock", "login-cookie"])
    memory.expect("device clock", ["login-clock"])
    memory.purge("login-clock")
    assert expected(memory) == [("sign-in fails", ("login-cookie",), 5, None)]
    told = [entry.expectations for entry in memory.history(limit=9).revisions]
    assert [questions for questions in told if questions] == [("sign-in fails",)]


def renamed(memory, watch):
    order = transaction.Order("rename-label", ADA, NOW)
    act = partial(relabelling.rename, label="area:auth", new="area:sign-in")
    return transaction.commit(memory._storage, "demo", order, act, watch)


def test_a_rename_of_a_label_is_held_to_expectations_before_the_store_is_held(memory):
    memory.expect(CLOCK.query, CLOCK.expects)
    held = []

    def watch(reader, work):
        held.append(hasattr(reader, "put_memory"))
        return (LostExpectation(CLOCK.id, CLOCK.query, 5, None, CLOCK.expects),)

    receipt = renamed(memory, watch)
    assert held == [False]
    assert [lost.query for lost in receipt.lost_expectations] == ["device clock wrong"]
    assert memory.search("area:sign-in").total == 2


def test_a_rename_is_rehearsed_once_where_no_change_came_between(memory):
    memory.expect(CLOCK.query, CLOCK.expects)
    rehearsed = []

    def act(work):
        rehearsed.append(work)
        relabelling.rename(work, label="area:auth", new="area:sign-in")

    order = transaction.Order("rename-label", ADA, NOW)
    receipt = transaction.commit(memory._storage, "demo", order, act)
    assert len(rehearsed) == 1
    assert memory.search("area:sign-in").total == 2
    assert memory.undo().undoes == receipt.revision
    assert memory.search("area:auth").total == 2


def test_what_a_rename_loses_is_asked_again_where_another_change_came_between(tmp_path):
    with opened(str(tmp_path / "store.db")) as memory:
        memory.add_label("area:auth")
        memory.create(draft(id="login-clock", labels=["area:auth"]))
        memory.expect(CLOCK.query, CLOCK.expects)
        revisions = []

        def watch(reader, work):
            if not revisions:
                memory.pin("login-clock")
            revisions.append(work.project.revision)
            return ()

        renamed(memory, watch)
        assert revisions == [revisions[0], revisions[0] + 1]


def test_a_renamed_memory_is_held_to_what_is_expected_under_its_old_id(memory) -> None:
    said(memory, CLOCK)
    memory.rename("login-clock", "login-time")
    receipt = memory.archive("login-time")
    assert [(lost.query, lost.missing) for lost in receipt.lost_expectations] == [
        (CLOCK.query, ("login-time",))
    ]
