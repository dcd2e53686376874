"""Check a registry: the rules of labels, and that no description holds a secret."""

from __future__ import annotations

from collections.abc import Iterator

from project_memory import labels, secrets
from project_memory.model import Problem, Registry


def problems(registry: Registry) -> Iterator[Problem]:
    """Yield every broken rule, by label; paths are those of ``labels.json``."""
    for name, message in labels.faults(registry):
        yield Problem("bad-label", message, f"$.labels.{name}")
    for name in sorted(registry.labels):
        for rule in secrets.scan(registry.labels[name].description):
            yield Problem(
                "secret",
                f"the description of '{name}' looks like a secret (rule '{rule}')",
                f"$.labels.{name}.description",
                fix="say where the secret lives, not its value",
            )
