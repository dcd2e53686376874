"""The table: every route, what it needs, and the one call on the application that it makes."""

from __future__ import annotations

from typing import Any

from project_memory.app import ProjectMemory
from project_memory.proposals import State
from project_memory.roles import Right
from project_memory.web.api import server
from project_memory.web.api.route import BASE, Route

__all__ = ["BASE", "ROUTES"]

_READ, _ADMINISTER = Right.READ, Right.ADMINISTER


def _configure(memories: ProjectMemory, *, settings: Any) -> Any:
    return memories.configure(settings)


def _create(memories: ProjectMemory, *, memory: Any, **options: Any) -> Any:
    return memories.create(memory, **options)


def _merge(memories: ProjectMemory, memory_id: str, *, into: str, **options: Any) -> Any:
    return memories.merge(memory_id, into, **options)


def _use(memories: ProjectMemory, *, memory_ids: Any = (), **options: Any) -> Any:
    return memories.record_use(memory_ids, **options)


def _touch(memories: ProjectMemory, memory_id: str, **options: Any) -> Any:
    return memories.touch([memory_id], **options)


def _proposals(memories: ProjectMemory, *, state: str = State.WAITING) -> Any:
    return memories.inbox(None if state == "all" else State(state))


def _reading(path: str, title: str, call: Any, arguments: str, answer: str) -> Route:
    return Route("GET", path, title, call, arguments, answer, _READ)


_SERVER = (
    Route("POST", "/session", "Log in", server.log_in, "api/login.input", "api/session.output",
          None, of_project=False, is_open=True, is_attempt=True),
    Route("GET", "/session", "Say who asks", server.who_asks, answer="api/session.output",
          right=None, of_project=False),
    Route("DELETE", "/session", "Log out", server.log_out, answer="api/ended.output",
          right=None, of_project=False),
    Route("GET", "/projects", "List projects", server.projects, answer="api/projects.output",
          right=None, of_project=False),
)  # fmt: skip

_READING = (
    _reading("/project", "Read name, repositories and settings", ProjectMemory.project_info,
             "api/nothing.input", "output/project"),
    _reading("/recall", "Recall lessons", ProjectMemory.recall,
             "tools/recall.input", "output/recall"),
    _reading("/lookup", "Recall while somebody types, and count nothing", ProjectMemory.look_up,
             "tools/recall.input", "output/recall"),
    _reading("/memories", "List memories", ProjectMemory.search,
             "api/search.input", "output/search"),
    _reading("/memories/{id}", "Read a memory, as it is or once was", ProjectMemory.get,
             "tools/get_memory.input", "output/show"),
    _reading("/memories/{id}/history", "List a memory's revisions", ProjectMemory.history,
             "api/memory-history.input", "output/history-list"),
    _reading("/memories/{id}/diff", "Compare two versions", ProjectMemory.diff,
             "api/diff.input", "output/history-diff"),
    _reading("/memories/{id}/neighborhood", "Read what is linked", ProjectMemory.neighborhood,
             "tools/get_memory_neighborhood.input", "output/neighborhood"),
    _reading("/memories/{id}/usage", "Count a memory's uses", ProjectMemory.memory_usage,
             "api/memory.input", "output/usage"),
    _reading("/history", "List revisions", ProjectMemory.history,
             "api/history.input", "output/history-list"),
    _reading("/history/{revision}", "Read a revision", ProjectMemory.revision,
             "api/revision.input", "output/history-show"),
    _reading("/labels", "List labels", ProjectMemory.labels,
             "tools/list_labels.input", "output/labels-list"),
    _reading("/labels/tree", "Read the tree of labels", ProjectMemory.label_tree,
             "api/label-tree.input", "output/labels-tree"),
    _reading("/proposals", "List what waits to be decided", _proposals,
             "api/proposals.input", "output/review-list"),
    _reading("/proposals/{number}", "Read a proposal", ProjectMemory.proposal,
             "api/proposal.input", "output/review-show"),
    _reading("/audit", "Audit, and change nothing", ProjectMemory.audit,
             "api/audit.input", "output/audit"),
    _reading("/usage", "Count uses", ProjectMemory.usage, "api/page.input", "output/usage"),
    _reading("/stats", "Count what there is", ProjectMemory.stats,
             "api/nothing.input", "output/stats"),
    _reading("/brief", "Read what to know at the start", ProjectMemory.brief,
             "api/brief.input", "output/brief"),
    _reading("/gaps", "List what recall did not help with", ProjectMemory.gaps,
             "api/gaps.input", "output/gaps"),
    _reading("/expectations", "List what is expected to be found", ProjectMemory.expectations,
             "api/nothing.input", "output/expect-list"),
    _reading("/expectations/run", "Ask what is expected", ProjectMemory.run_expectations,
             "api/run-expectations.input", "output/expect-run"),
    Route("GET", "/export", "Take everything along", ProjectMemory.portable,
          "api/export.input", "export", _ADMINISTER),
)  # fmt: skip

_MEMORIES = (
    Route("PATCH", "/project", "Change settings", _configure,
          "api/configure.input", "output/project", _ADMINISTER),
    Route("POST", "/memories", "Create a memory", _create, "api/create-memory.input"),
    Route("POST", "/notes", "Keep a note", ProjectMemory.note, "api/note.input"),
    Route("PATCH", "/memories/{id}", "Change a memory", ProjectMemory.update,
          "api/update-memory.input"),
    Route("DELETE", "/memories/{id}", "Delete a memory", ProjectMemory.delete,
          "api/delete-memory.input"),
    Route("POST", "/memories/{id}/status", "Change a memory's status", ProjectMemory.set_status,
          "api/status.input"),
    Route("POST", "/memories/{id}/touch", "Say that it still holds", _touch, "api/touch.input"),
    Route("POST", "/memories/{id}/archive", "Archive a memory", ProjectMemory.archive,
          "api/change-memory.input"),
    Route("POST", "/memories/{id}/unarchive", "Bring it back", ProjectMemory.unarchive,
          "api/change-memory.input"),
    Route("POST", "/memories/{id}/pin", "Protect from retention", ProjectMemory.pin,
          "api/change-memory.input"),
    Route("POST", "/memories/{id}/unpin", "Protect no more", ProjectMemory.unpin,
          "api/change-memory.input"),
    Route("POST", "/memories/{id}/rename", "Give another id", ProjectMemory.rename,
          "api/rename-memory.input"),
    Route("POST", "/memories/{id}/merge", "Fold into another", _merge, "api/merge-memory.input"),
    Route("POST", "/memories/{id}/revert", "Put back a version", ProjectMemory.revert,
          "api/revert.input"),
    Route("PUT", "/memories/{id}/links/{kind}/{to_id}", "Link two memories", ProjectMemory.link,
          "api/link.input"),
    Route("DELETE", "/memories/{id}/links/{kind}/{to_id}", "Remove a link", ProjectMemory.unlink,
          "api/unlink.input"),
    Route("POST", "/undo", "Take back a change", ProjectMemory.undo, "api/undo.input"),
    Route("POST", "/uses", "Say what helped", _use,
          "tools/record_memory_use.input", "tools/record_memory_use.output"),
)  # fmt: skip

_LABELS = (
    Route("POST", "/labels", "Register a label", ProjectMemory.add_label, "api/add-label.input"),
    Route("PUT", "/labels/{label}/description", "Say what it is for",
          ProjectMemory.describe_label, "api/describe-label.input"),
    Route("PUT", "/labels/{label}/aliases/{alias}", "Add a name", ProjectMemory.add_alias,
          "api/add-alias.input"),
    Route("DELETE", "/labels/{label}/aliases/{alias}", "Take a name away",
          ProjectMemory.remove_alias, "api/remove-alias.input"),
    Route("PUT", "/labels/{label}/broader", "Put it under another", ProjectMemory.set_broader,
          "api/set-broader.input"),
    Route("POST", "/labels/{label}/rename", "Rename a label", ProjectMemory.rename_label,
          "api/rename-label.input"),
    Route("POST", "/labels/{label}/merge", "Fold a label into another",
          ProjectMemory.merge_labels, "api/merge-label.input"),
    Route("POST", "/labels/{label}/deprecate", "Let nothing more carry it",
          ProjectMemory.deprecate_label, "api/replace-label.input"),
    Route("POST", "/labels/{label}/restore", "Let texts carry it again",
          ProjectMemory.restore_label, "api/change-label.input"),
    Route("DELETE", "/labels/{label}", "Remove a label", ProjectMemory.remove_label,
          "api/replace-label.input"),
    Route("PUT", "/prefixes/{prefix}", "Allow one label a memory, or several",
          ProjectMemory.set_single, "api/set-single.input"),
)  # fmt: skip

_DECISIONS = (
    Route("POST", "/proposals/{number}/apply", "Do what a proposal says",
          ProjectMemory.apply_proposal, "api/apply-proposal.input"),
    Route("POST", "/proposals/{number}/reject", "End a proposal", ProjectMemory.reject,
          "api/change-proposal.input"),
    Route("POST", "/proposals/{number}/skip", "Put a proposal off", ProjectMemory.skip,
          "api/change-proposal.input"),
    Route("POST", "/audit/apply", "Do what an audit printed", ProjectMemory.apply_finding,
          "api/apply-finding.input", "output/audit"),
)  # fmt: skip

ROUTES = (*_SERVER, *_READING, *_MEMORIES, *_LABELS, *_DECISIONS)
"""Every route but that of the OpenAPI document, which is made of these."""
