"""Numbers for Prometheus; none of them tells of a project or an actor."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram
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
