"""Auditing a project of a store: what is gathered, and by which limits it is judged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from factories import memory

from project_memory import documents
from project_memory.app import ProjectMemory
from project_memory.audit import CHECKS, OF_FILES, OF_PROOF
from project_memory.errors import InvalidInput
from project_memory.model import Actor, Authority, Label, Memory, Project, Uses
from project_memory.ports import Storage
from project_memory.proposals import Proposal
from project_memory.services import audit
from project_memory.services.audit_report import AuditReport, Request
from project_memory.services.store import StoreInfo
from project_memory.storage import open_storage

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def storage() -> Iterator[Storage]:
    opened = open_storage("inmemory://", create=True)
    yield opened
    opened.close()


def fill(storage: Storage, *memories: Memory, settings: Any = None) -> Project:
    with storage.write() as writer:
        project = writer.put_project("demo", settings=settings)
        writer.put_label(project.key, Label("kind:bug"))
        for each in memories:
            writer.put_memory(project.key, each, documents.text_digest(each.document))
        return project


def audited(storage: Storage, project: Project, **asked: Any) -> AuditReport:
    info = StoreInfo(storage.url, project.name, 0)
    with storage.read() as reader:
        return audit.run(reader, project, info, lambda: NOW, Request(**asked))


def test_memories_labels_uses_and_proposals_are_gathered(storage: Storage) -> None:
    project = fill(storage, memory())
    waiting = Proposal(1, Actor("bot", Authority.AGENT), "2026-01-01T00:00:00Z", 1, "note")
    with storage.write() as writer:
        writer.put_label(project.key, Label("area:lake"))
        writer.add_usage(project.key, "2026-02-01", {"sqlite-locked": Uses(surfaced=50)})
        writer.put_proposal(project.key, waiting)
    report = audited(storage, project)
    assert [(f.code, f.subject) for f in report.findings] == [
        ("label-unused", "area:lake"),
        ("noisy", "sqlite-locked"),
        ("orphan", "sqlite-locked"),
        ("review-overdue", "proposal 1"),
    ]
    assert report.counts == {"error": 0, "warning": 0, "note": 4}
    made = tuple(code for code in CHECKS if code not in OF_FILES | OF_PROOF)
    assert (report.checked, report.checks) == (1, made)


def test_a_project_of_its_own_is_judged_alone(storage: Storage) -> None:
    fill(storage, memory())
    with storage.write() as writer:
        other = writer.put_project("other")
    assert audited(storage, other).findings == ()


def test_limits_come_from_the_project_then_the_checkout_then_the_caller(
    storage: Storage, tmp_path: Path
) -> None:
    limits = {"validated-days": 1, "assumption_days": 1, "proposal_days": 1}
    project = fill(storage, settings={"writes": "direct", "audit": limits})
    table = "[tool.project-memory]\nassumption-days = 2\nproposal-days = 2\n"
    (tmp_path / "pyproject.toml").write_text(table)
    policy = audited(storage, project, checkout=tmp_path, limits={"proposal_days": 3}).policy
    assert (policy.validated_days, policy.assumption_days, policy.proposal_days) == (1, 2, 3)
    assert policy.label_percent == 40


def test_progress_counts_gathering_and_judging_together(storage: Storage) -> None:
    told: list[tuple[int, int]] = []
    audited(storage, fill(storage), progress=lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == list(range(len(told)))
    (total,) = {of for _, of in told}
    # functions that need a checkout are counted, and have none here
    assert total - 2 <= len(told) <= total


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"audit": {"validated-days": "x"}},
            "setting 'audit' of 'demo': 'validated-days' is 'x'; "
            "write a whole number from 1 to 1000000000",
        ),
        ({"audit": 3}, "setting 'audit' of 'demo' is 3; write an object of limits"),
    ],
)
def test_a_bad_setting_is_named(storage: Storage, settings: Any, message: str) -> None:
    project = fill(storage, settings=settings)
    with pytest.raises(InvalidInput) as caught:
        audited(storage, project)
    assert str(caught.value) == message


def test_a_check_that_a_policy_ignores_must_exist(storage: Storage) -> None:
    with pytest.raises(InvalidInput) as caught:
        audited(storage, fill(storage), limits={"ignore": ["no-such"]})
    assert str(caught.value) == f"no check 'no-such'; choose from {', '.join(CHECKS)}"


def test_a_bad_limit_is_refused_where_it_is_set() -> None:
    ada = Actor("ada", Authority.USER)
    with ProjectMemory.open("inmemory://", project="demo", actor=ada, create=True) as memories:
        with pytest.raises(InvalidInput) as caught:
            memories.configure({"audit": {"validated-days": 0}})
        assert str(caught.value) == (
            "setting 'audit': 'validated-days' is 0; write a whole number from 1 to 1000000000"
        )
        memories.configure({"audit": {"validated-days": 180}})
        assert memories.audit().policy.validated_days == 180


def test_no_checkout_says_how_much_an_audit_may_do(storage: Storage, tmp_path: Path) -> None:
    project = fill(storage, settings={"audit": {"max-actions": 7}})
    (tmp_path / "pyproject.toml").write_text("[tool.project-memory]\nmax-actions = 5000\n")
    with pytest.raises(InvalidInput) as caught:
        audited(storage, project, checkout=tmp_path)
    assert str(caught.value) == (
        "[tool.project-memory] in pyproject.toml: 'max-actions' is not for a checkout to set, "
        "which many can write; use --max-actions, or the project's setting 'audit'"
    )
    (tmp_path / "pyproject.toml").write_text("[tool.project-memory]\nlabel-percent = 7\n")
    assert audited(storage, project, checkout=tmp_path).policy.max_actions == 7
