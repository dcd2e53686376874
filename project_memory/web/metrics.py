"""Numbers for Prometheus; none of them tells of a project or an actor."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "project_memory_http_requests",
            "Requests that were answered",
            ["route", "method", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "project_memory_http_request_seconds",
            "Seconds from a request to the end of its answer",
            ["route"],
            registry=self._registry,
        )
        self._tools = Counter(
            "project_memory_tool_calls",
            "Calls of tools that were let through",
            ["tool"],
            registry=self._registry,
        )

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def called(self, tool: str) -> None:
        """Count one call of a tool that exists."""
        self._tools.labels(tool).inc()

    def text(self) -> bytes:
        """Return all of them in Prometheus's text format."""
        return generate_latest(self._registry)


class JobState(Protocol):
    """What of a job is told here."""

    @property
    def kind(self) -> str:
        """Return which work it is."""
        ...

    @property
    def failures(self) -> int:
        """Return how often it has failed since its last success."""
        ...

    @property
    def succeeded_at(self) -> str | None:
        """Return the UTC timestamp of its last success, or None."""
        ...


def of_jobs(jobs: Iterable[JobState]) -> bytes:
    """Return how background work is in Prometheus's text format, of all projects together."""
    registry = CollectorRegistry()
    failing = Gauge(
        "project_memory_jobs_failing",
        "Jobs whose last attempt failed",
        ["kind"],
        registry=registry,
    )
    succeeded = Gauge(
        "project_memory_jobs_succeeded_timestamp_seconds",
        "When a job of this kind last succeeded; of several projects, the longest ago",
        ["kind"],
        registry=registry,
    )
    oldest: dict[str, float] = {}
    for job in jobs:
        failing.labels(job.kind).inc(bool(job.failures))
        if job.succeeded_at is not None:
            moment = datetime.fromisoformat(job.succeeded_at).timestamp()
            oldest[job.kind] = min(moment, oldest.get(job.kind, moment))
    for kind, moment in oldest.items():
        succeeded.labels(kind).set(moment)
    return generate_latest(registry)
