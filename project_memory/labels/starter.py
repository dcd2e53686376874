"""The registry that a project begins with."""

from __future__ import annotations

from types import MappingProxyType

from project_memory.model import Label, Registry

_STARTER = {
    "kind:bug": "a defect, its symptom and its cause",
    "kind:workflow": "steps that work, and those that do not",
    "kind:architecture": "how the parts fit together, and why",
    "kind:convention": "a rule that the code or the team keeps",
    "kind:decision": "a choice made, with what was rejected",
    "kind:lesson": "something learned the hard way",
    "kind:blocker": "what stopped work, and what unblocked it",
    "kind:completion": "what finishing a task showed",
    "kind:observation": "something seen that is not yet explained",
    "context:build": "compiling, packaging, continuous integration",
    "context:runtime": "behaviour of the running program",
    "context:testing": "tests, fixtures, test environments",
    "context:tooling": "editors, linters, scripts, developer tools",
    "context:deployment": "releasing, installing, configuring, operating",
}


def starter() -> Registry:
    """Return the registry of a project that has just been made."""
    labels = {name: Label(name, description) for name, description in _STARTER.items()}
    return Registry(MappingProxyType(labels))
