"""What an import may not change by itself waits for a person; the rest is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from factories import document, draft

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority

ADA = Actor("ada", Authority.USER)
BOT = Actor("bot", Authority.AGENT)


@pytest.fixture
def memory() -> Iterator[ProjectMemory]:
    with ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as opened:
        opened.create(draft(id="first"))
        yield opened


@pytest.fixture
def bot(memory: ProjectMemory) -> ProjectMemory:
    return ProjectMemory(memory._storage, "demo", BOT)


def folder(path: Path, *held: dict[str, Any]) -> Path:
    (path / "memories").mkdir(parents=True, exist_ok=True)
    for each in held:
        text = json.dumps(each, ensure_ascii=False)
        (path / "memories" / f"{each['id']}.json").write_text(text, encoding="utf-8")
    return path


def exported(memory: ProjectMemory, name: str, **fields: Any) -> dict[str, Any]:
    return {**memory.get(name).memory, **fields}


def other(**fields: Any) -> dict[str, Any]:
    text = "a lesson that only the folder knows of"
    return document(**{"id": "second", "description": text, **fields})


def test_an_agents_import_changes_nothing_that_a_person_asserted(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    before = memory.get("first")
    changed = exported(memory, "first", pitfalls=["what the folder says"])
    report = bot.import_path(folder(tmp_path, changed, other()))
    assert (report.created, report.updated) == (("second",), ())
    assert report.repairs == ("what 'first' came with waits for a person to decide",)
    assert report.receipt.proposals == (1,)
    after = memory.get("first")
    assert (after.memory, after.meta.version) == (before.memory, before.meta.version)
    (proposal,) = memory.inbox().proposals
    assert (proposal.operation, proposal.because) == (
        "import",
        ("'first' is asserted by a person",),
    )
    memory.apply_proposal(1)
    assert memory.get("first").memory["pitfalls"] == ["what the folder says"]


def test_the_same_import_again_proposes_nothing_new(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    came = folder(tmp_path, exported(memory, "first", pitfalls=["what the folder says"]))
    assert bot.import_path(came).receipt.proposals == (1,)
    assert bot.import_path(came).receipt.proposals == (1,)
    assert memory.inbox().waiting == 1


def test_a_persons_import_takes_what_a_person_asserted_but_no_standing_rule(
    memory: ProjectMemory, tmp_path: Path
) -> None:
    memory.create(draft(id="rule", description="a rule for every session here", standing=True))
    came = [exported(memory, name, pitfalls=["other words"]) for name in ("first", "rule")]
    report = memory.import_path(folder(tmp_path, *came))
    assert (report.updated, report.receipt.proposals) == (("first",), (1,))
    assert memory.get("first").meta.asserted_by == "import"
    assert memory.get("rule").memory["pitfalls"] == []
    (proposal,) = memory.inbox().proposals
    assert proposal.because == ("'rule' has standing from a person",)


@pytest.mark.parametrize(
    ("fields", "patch"),
    [
        ({"standing": True}, {"standing": True}),
        (
            {"scope": {"project": "demo", "files": [], "applies_to": [], "reach": "everywhere"}},
            {"scope": {"reach": "everywhere"}},
        ),
    ],
)
def test_what_every_session_gets_arrives_as_a_proposal(
    memory: ProjectMemory, tmp_path: Path, fields: dict, patch: dict
) -> None:
    report = memory.import_path(folder(tmp_path, other(**fields)))
    assert (report.created, report.receipt.proposals) == (("second",), (1,))
    found = memory.get("second").memory
    assert (found.get("standing"), found["scope"]["reach"]) == (None, "project")
    (proposal,) = memory.inbox().proposals
    assert proposal.operations == ({"op": "update", "id": "second", "patch": patch},)
    memory.apply_proposal(1)
    found = memory.get("second").memory
    assert found.get("standing") or found["scope"]["reach"] == "everywhere"


@pytest.mark.parametrize("side", ["supersedes", "superseded_by"])
def test_an_agents_import_retires_nothing_that_a_person_asserted(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path, side: str
) -> None:
    new = other(relationships={"supersedes": ["first"]} if side == "supersedes" else {})
    came = [new]
    if side == "superseded_by":
        held = exported(memory, "first")
        links = {**held["relationships"], "superseded_by": ["second"]}
        came.append({**held, "status": "superseded", "relationships": links})
    report = bot.import_path(folder(tmp_path, *came))
    assert (report.created, report.receipt.proposals) == (("second",), (1,))
    assert memory.get("first").memory["status"] == "active"
    memory.apply_proposal(1)
    assert memory.get("first").memory["status"] == "superseded"


def test_a_worse_status_waits_with_its_reason(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    came = exported(memory, "first", status="wrong", status_reason="a test showed it")
    bot.import_path(folder(tmp_path, came))
    assert memory.get("first").memory["status"] == "active"
    memory.apply_proposal(1)
    found = memory.get("first").memory
    assert (found["status"], found["status_reason"]) == ("wrong", "a test showed it")


def test_a_superseded_twin_without_successor_leaves_a_persons_memory_active(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    report = bot.import_path(folder(tmp_path, exported(memory, "first", status="superseded")))
    assert memory.get("first").memory["status"] == "active"
    assert report.receipt.proposals == ()


def test_a_dry_run_of_an_import_keeps_no_proposal(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    came = folder(tmp_path, exported(memory, "first", pitfalls=["what the folder says"]))
    report = bot.import_path(came, dry_run=True)
    assert report.repairs == ("what 'first' came with waits for a person to decide",)
    assert (report.receipt.proposals, memory.inbox().waiting) == ((), 0)


def restored(memory: ProjectMemory, actor: Actor, path: Path) -> tuple[ProjectMemory, Any]:
    memory.export_file(path, overwrite=True)
    other = ProjectMemory.open("inmemory://", project="demo", actor=actor, create=True)
    return other, other.import_path(path)


def test_what_waits_travels_in_the_single_file(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path
) -> None:
    bot.update("first", {"pitfalls": ["one"]}, reason="seen in the log")
    bot.archive("first")
    memory.reject(2)
    memory.note("what ada thought")
    other, report = restored(memory, ADA, tmp_path / "all.json")
    with other:
        assert report.receipt.proposals == (1, 2)
        told = [(p.actor, p.reason, p.note, p.versions) for p in other.inbox().proposals]
        assert told == [
            (BOT, "seen in the log", None, {"first": 1}),
            (ADA, None, "what ada thought", {}),
        ]
        other.apply_proposal(1)
        assert other.get("first").memory["pitfalls"] == ["one"]


def test_no_other_import_takes_what_waits(memory: ProjectMemory, tmp_path: Path) -> None:
    memory.note("what ada thought")
    other, report = restored(memory, BOT, tmp_path / "all.json")
    with other:
        assert other.inbox().waiting == 0
        assert report.repairs == (
            "proposals that wait (1) were left out; only a person's import into an empty project "
            "takes them",
        )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"operations": []}, "a proposal of 'bot' is neither operations nor a note; export it "
                             "again"),
        ({"operations": [{"op": "archive"}]}, "operation 0 (archive) lacks 'id'"),
    ],
)  # fmt: skip
def test_a_malformed_proposal_is_refused(
    memory: ProjectMemory, bot: ProjectMemory, tmp_path: Path, fields: dict, message: str
) -> None:
    bot.archive("first")
    path = tmp_path / "all.json"
    memory.export_file(path)
    whole = json.loads(path.read_text())
    whole["proposals"][0] |= fields
    path.write_text(json.dumps(whole))
    with (
        ProjectMemory.open("inmemory://", project="demo", actor=ADA, create=True) as other,
        pytest.raises(InvalidInput) as caught,
    ):
        other.import_path(path)
    assert str(caught.value) == message
