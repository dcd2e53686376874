"""Use cases that keep a project honest."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from project_memory import services
from project_memory.app.opened import JSON
from project_memory.app.questions import Questions
from project_memory.jobs import Kind, Plan
from project_memory.model import timestamp
from project_memory.services.store import existing_project
from project_memory.signatures import checked

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.affected import Affected
    from project_memory.services.audit_report import AuditReport
    from project_memory.services.computing import Computed
    from project_memory.services.configuring import ProjectInfo
    from project_memory.services.expected import Outcomes
    from project_memory.services.expecting import Expectations
    from project_memory.services.validate import Report
    from project_memory.services.working import Task


@checked
class Upkeep(Questions):
    """What keeps a project honest: validation, expectations, audits, background work, settings."""

    def validate(self, *, code: Path | None = None, recall: bool = False) -> Report:
        """Check the project; `recall`: and what it expects. See `validate.validate_store`."""
        with self._storage.read() as reader:
            report = services.validate.validate_store(
                reader, self._project, code=code, clock=self._clock
            )
        if not recall:
            return report
        found = self.run_expectations().expectations
        problems = services.expected.problems(found, self.project)
        return services.validate.with_more(report, problems)

    def expectations(self) -> Expectations:
        """Return what the project expects to be found. See `expecting.listed`."""
        with self._reading() as (reader, info):
            return services.expecting.listed(reader, self._project.key, info)

    def run_expectations(self, names: Sequence[str] = ()) -> Outcomes:
        """Ask what is expected to be found, all or those named. See `expected.outcomes`."""
        named = services.expecting.named
        with self._reading() as (reader, info):
            known = services.expecting.present(reader, self._project.key)
            asked = [named(known, name) for name in names] if names else known
            lookup, today = services.known.Known(reader, self._project.key), self._clock().date()
            return services.expected.outcomes(lookup, self._index(reader), asked, today, info)

    def audit(self, **asked: Any) -> AuditReport:
        """Report what is outdated, doubled or unused. See `Request` for the arguments."""
        with self._reading() as (reader, info):
            return services.audit.run(
                reader, self._project, info, self._clock, services.audit_report.Request(**asked)
            )

    def affected_since(self, base: str, checkout: Path | None) -> Affected:
        """Return the lessons that a branch touches. See `affected.since`."""
        return self._affected(partial(services.affected.since, base=base, folder=checkout))

    def affected_staged(self, checkout: Path | None) -> Affected:
        """Return the lessons that the next commit touches. See `affected.staged`."""
        return self._affected(partial(services.affected.staged, folder=checkout))

    def affected_files(self, files: Iterable[str], checkout: Path | None = None) -> Affected:
        """Return the lessons that a change of files touches. See `affected.of_files`."""
        return self._affected(partial(services.affected.of_files, paths=files, folder=checkout))

    def usage(self, *, limit: int = 50, offset: int = 0) -> services.usage.UsageReport:
        """Return how often memories were brought and helped. See `usage.listed`."""
        with self._reading() as (reader, info):
            return services.usage.listed(
                reader, self._project.key, info, limit=limit, offset=offset
            )

    def memory_usage(self, memory_id: str) -> services.usage.UsageReport:
        """Return how often one memory was brought and helped. See `usage.of_memory`."""
        with self._reading() as (reader, info):
            return services.usage.of_memory(reader, self._project.key, memory_id, info)

    def gaps(self, *, limit: int = 20, offset: int = 0) -> services.gaps.GapReport:
        """Return what recall did not help with. See `gaps.listed`."""
        with self._reading() as (reader, info):
            project = existing_project(reader, self.project)
            return services.gaps.listed(reader, project, info, limit=limit, offset=offset)

    def keep_findings(self, report: AuditReport) -> AuditReport:
        """Remember what an audit found, and say since when. See `sightings.keep`."""
        return services.sightings.keep(self._storage, self._project, report)

    def compute(self, plan: Plan, *, early: bool) -> Computed:
        """Do background work, where nobody is at it, and return what is new.

        Where `early` is false, only what is due. What fails is in the states of the jobs.
        """
        reports: list[AuditReport] = []
        here = platform.node()
        tasks = [
            *self.tasks(plan, reports.append),
            *services.tasks.of_store(self._storage, plan, here, self._clock),
        ]
        name = services.working.new_worker(here, os.getpid())
        worker = services.working.Worker(self._storage, name, self._clock)
        done = [worker.do(each, early=True) for each in tasks] if early else worker.do_due(tasks)
        now = timestamp(self._clock())
        with self._reading() as (reader, info):
            known = services.computing.states(reader, now, self._project.key)
            ran = {(job.kind, job.project) for job in done if job}
            asked = {task.key[::-1] for task in tasks} if early else ran
            keys = {None: 0, self._project.name: self._project.key}
            jobs = [each for each in known if (each.kind, keys.get(each.project)) in asked]
            return services.computing.computed(now, jobs, reports, info)

    def jobs(self) -> Computed:
        """Return the state of all background work on the project and the store."""
        now = timestamp(self._clock())
        with self._reading() as (reader, info):
            known = services.computing.states(reader, now, self._project.key)
            return services.computing.computed(now, known, (), info)

    def tasks(
        self, plan: Plan, tell: Callable[[AuditReport], None] = lambda _: None
    ) -> list[Task]:
        """Return the planned work on this project; `tell` is given each report of an audit."""
        audits = {
            kind: partial(self._audited, kind, plan.checkout, tell)
            for kind in services.computing.CODES
        }
        return services.tasks.of_project(self._project, plan, {Kind.INDEX: self._warm, **audits})

    def _audited(
        self, kind: Kind, checkout: Path | None, tell: Callable[[AuditReport], None]
    ) -> JSON:
        request = services.audit_report.Request(checkout=checkout)
        with self._storage.read() as reader:
            project = existing_project(reader, self.project)
        ignored = services.audit.policy_of(project, request).ignore
        codes = [code for code in services.computing.CODES[kind] if code not in ignored]
        if not codes:
            return {}
        report = self.keep_findings(self.audit(codes=codes, checkout=checkout))
        tell(report)
        return services.computing.told(report)

    def _warm(self) -> JSON:
        with self._storage.read() as reader:
            return {"memories": self._all_indexes().warm(reader, self._project.key)}

    def apply_findings(self, report: AuditReport, *, dry_run: bool = False) -> AuditReport:
        """Act on what an audit found. See `acting.act`."""
        order = services.transaction.Order("audit", self._actor, self._clock(), None, dry_run)
        return services.acting.act(self._storage, self._project, report, order, self._lost)

    def apply_finding(
        self, code: str, subject: str, action: JSON, *, revision: int, dry_run: bool = False
    ) -> AuditReport:
        """Do the one action that an audit printed at a revision. See `acting.only`."""
        report = services.acting.only(self.audit(codes=(code,)), subject, action, revision)
        return self.apply_findings(report, dry_run=dry_run)

    def project_info(self) -> ProjectInfo:
        """Return the project's name, repositories and settings. See `configuring.info`."""
        with self._storage.read() as reader:
            return services.configuring.info(existing_project(reader, self.project), self.store)

    def configure(self, patch: JSON) -> ProjectInfo:
        """Change settings of the project. See `configuring.configure`."""
        changed = services.configuring.configure(self._storage, self.project, self._actor, patch)
        return services.configuring.info(changed, self.store)

    def stats(self) -> services.projects.Stats:
        """Return counts. See `projects.stats`."""
        with self._reading() as (reader, info):
            return services.projects.stats(reader, self._project, info, self._sees)
