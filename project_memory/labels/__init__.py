"""Own the form of a label and the rules of a registry.

A label is ``prefix:kebab-case``. A registry is a small SKOS concept scheme: every label has one
preferred name, alternative names (aliases) and at most one broader label. Every function here is
pure; a change of a registry returns another one.
"""

from project_memory.labels.changes import deprecated, merged, removed, renamed, restored
from project_memory.labels.form import MAX_LENGTH, RESERVED, canonical, prefix
from project_memory.labels.likeness import near, near_twin
from project_memory.labels.listing import Branch, Entry, Group, grouped, tree
from project_memory.labels.registry import (
    accepted,
    aliases,
    broader_cycle,
    check_single,
    faults,
    narrower,
    new_faults,
    replacements,
    resolve,
    with_label,
)
from project_memory.labels.starter import starter

__all__ = [
    "MAX_LENGTH",
    "RESERVED",
    "Branch",
    "Entry",
    "Group",
    "accepted",
    "aliases",
    "broader_cycle",
    "canonical",
    "check_single",
    "deprecated",
    "faults",
    "grouped",
    "merged",
    "narrower",
    "near",
    "near_twin",
    "new_faults",
    "prefix",
    "removed",
    "renamed",
    "replacements",
    "resolve",
    "restored",
    "starter",
    "tree",
    "with_label",
]
