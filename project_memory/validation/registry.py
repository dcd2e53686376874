"""Check a registry: the rules of labels, and what descriptions must not hold."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import labels, secrets, validation
from project_memory.model import Problem, Registry


def problems(registry: Registry) -> Iterator[Problem]:
    """Yield every broken rule, by label; paths are those of ``labels.json``."""
    for name, message in labels.faults(registry):
        yield Problem("bad-label", message, f"$.labels.{name}")
    yield from _misshapen(registry)
    for name in sorted(registry.labels):
        for rule in secrets.scan(registry.labels[name].description):
            yield Problem(
                "secret",
                f"the description of '{name}' looks like a secret (rule '{rule}')",
                f"$.labels.{name}.description",
                fix="say where the secret lives, not its value",
            )


def _misshapen(registry: Registry) -> Iterator[Problem]:
    """Yield the descriptions that a file could not hold."""
    said = {name: {"description": label.description} for name, label in registry.labels.items()}
    for problem in validation.check_form({"schema_version": 1, "labels": said}, "labels"):
        if problem.path.endswith(".description"):
            yield problem
