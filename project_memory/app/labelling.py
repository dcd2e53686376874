"""Use cases that change the registry of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from project_memory.app.opened import Opened
from project_memory.model import Receipt
from project_memory.signatures import checked


@checked
class Labelling(Opened):
    """What changes the registry of labels; each returns what it changed and is one revision."""

    def add_label(
        self, label: str, *, description: str = "", distinct: bool = False, **options: Any
    ) -> Receipt:
        """Register a label. See `labels.add`."""
        operation = {"op": "add_label", "label": label, "description": description or None}
        return self._perform({**operation, "distinct": distinct or None}, "add-label", **options)

    def describe_label(self, label: str, description: str, **options: Any) -> Receipt:
        """Say what a label is for. See `labels.describe`."""
        operation = {"op": "describe_label", "label": label, "description": description}
        return self._perform(operation, "describe-label", **options)

    def add_alias(
        self, label: str, alias: str, *, distinct: bool = False, **options: Any
    ) -> Receipt:
        """Let another name stand for a label. See `labels.add_alias`."""
        operation = {
            "op": "add_alias",
            "label": label,
            "alias": alias,
            "distinct": distinct or None,
        }
        return self._perform(operation, "add-alias", **options)

    def remove_alias(self, label: str, alias: str, **options: Any) -> Receipt:
        """Let a name stand for a label no more. See `labels.remove_alias`."""
        operation = {"op": "remove_alias", "label": label, "alias": alias}
        return self._perform(operation, "remove-alias", **options)

    def set_broader(self, label: str, broader: str | None, **options: Any) -> Receipt:
        """Put a label under a broader one, or under none. See `labels.set_broader`."""
        operation = {"op": "set_broader", "label": label, "broader": broader}
        return self._perform(operation, "set-broader", **options)

    def rename_label(
        self, label: str, new: str, *, distinct: bool = False, **options: Any
    ) -> Receipt:
        """Give a label another name everywhere. See `relabelling.rename`."""
        operation = {
            "op": "rename_label",
            "label": label,
            "new": new,
            "distinct": distinct or None,
        }
        return self._perform(operation, "rename-label", **options)

    def merge_labels(self, label: str, into: str, **options: Any) -> Receipt:
        """Fold a label into another. See `relabelling.merge`."""
        operation = {"op": "merge_labels", "label": label, "into": into}
        return self._perform(operation, "merge-labels", **options)

    def deprecate_label(
        self, label: str, *, replacement: str | None = None, **options: Any
    ) -> Receipt:
        """Let no further text carry a label. See `relabelling.deprecate`."""
        operation = {"op": "deprecate_label", "label": label, "replacement": replacement}
        return self._perform(operation, "deprecate-label", **options)

    def restore_label(self, label: str, **options: Any) -> Receipt:
        """Let texts carry a deprecated label again. See `relabelling.restore`."""
        operation = {"op": "restore_label", "label": label}
        return self._perform(operation, "restore-label", **options)

    def remove_label(
        self, label: str, *, replacement: str | None = None, **options: Any
    ) -> Receipt:
        """Take a label out of the registry. See `relabelling.remove`."""
        operation = {"op": "remove_label", "label": label, "replacement": replacement}
        return self._perform(operation, "remove-label", **options)

    def set_single(
        self, prefix: str, *, single: bool = True, keep: Sequence[str] = (), **options: Any
    ) -> Receipt:
        """Let a prefix allow one label a memory. See `relabelling.declare_single`."""
        operation = {"op": "set_single", "prefix": prefix, "single": single, "keep": list(keep)}
        return self._perform(operation, "set-single", **options)
