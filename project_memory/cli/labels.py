"""``labels``: the registry, and what can be done to it."""

from __future__ import annotations

from project_memory.cli.command import Group
from project_memory.cli.table import Entry

labels = Group(
    "labels",
    default="list",
    help="List labels, and govern them.",
    examples=("project-memory labels list", "project-memory labels add area:auth"),
    entries={
        "list": Entry("registry:list_", "List the registered labels", "See"),
        "tree": Entry("registry:tree", "Show which label is below which, with counts", "See"),
        "add": Entry("registry:add", "Register a label", "One label"),
        "describe": Entry("registry:describe", "Say what a label is for", "One label"),
        "alias": Entry("registry:alias", "Let another name stand for a label", "One label"),
        "broader": Entry("registry:broader", "Put a label under a broader one", "One label"),
        "rename": Entry("relabelling:rename", "Give a label another name", "Every memory"),
        "merge": Entry("relabelling:merge", "Fold a label into another", "Every memory"),
        "deprecate": Entry(
            "relabelling:deprecate", "Let no further text carry a label", "Every memory"
        ),
        "remove": Entry("relabelling:remove", "Take a label out of the registry", "Every memory"),
        "single": Entry(
            "relabelling:single", "Let a prefix allow one label a memory", "Every memory"
        ),
    },
)
