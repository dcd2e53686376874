"""Every command: where it is, what it is for; so that help and completion import none of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One command of the table.

    Attributes:
        target: ``module:attribute`` below this package.
        help: First line of its help, without the full stop.
        section: Heading in the group's help.
        hidden: Whether help leaves it out: a second name.
    """

    target: str
    help: str
    section: str
    hidden: bool = False


COMMANDS = {
    "recall": Entry(
        "recall:recall", "Find the lessons that answer a question or a symptom", "Find"
    ),
    "affected": Entry(
        "affected:affected", "List the lessons that a change of the code touches, and why", "Find"
    ),
    "brief": Entry("brief:brief", "Say what to know at the start of work", "Find"),
    "search": Entry("listing:search", "Select memories by a label expression", "Find"),
    "list": Entry("listing:list_", "List memories, without ranking", "Find"),
    "show": Entry("show:show", "Show one memory, as it is or was", "Find"),
    "neighborhood": Entry("neighborhood:neighborhood", "Show what a memory is linked to", "Find"),
    "usage": Entry("usage:usage", "Count what recall brought, and what helped", "Find"),
    "gaps": Entry("gaps:gaps", "Show what recall did not help with", "Find"),
    "stats": Entry("stats:stats", "Count what the project holds", "Find"),
    "add": Entry("add:add", "Store a memory", "Change"),
    "edit": Entry("edit:edit", "Change a memory in an editor, or by a patch", "Change"),
    "note": Entry("note:note", "Write down a thought, to be made a memory later", "Change"),
    "link": Entry("links:link", "Link two memories; the mirror is written too", "Change"),
    "unlink": Entry("links:unlink", "Remove a link from both its sides", "Change"),
    "status": Entry("lifecycle:status", "Call a memory active, stale or wrong", "Change"),
    "touch": Entry("lifecycle:touch", "Say that memories still hold, as of today", "Change"),
    "archive": Entry("lifecycle:archive", "Take a memory out of retrieval, and keep it", "Change"),
    "unarchive": Entry("lifecycle:unarchive", "Bring an archived memory back", "Change"),
    "pin": Entry("lifecycle:pin", "Protect a memory from retention", "Change"),
    "rename": Entry("names:rename", "Give a memory another id, everywhere", "Change"),
    "merge": Entry("names:merge", "Fold one memory into another", "Change"),
    "delete": Entry("delete:delete", "Delete a memory; history keeps its text", "Change"),
    "purge": Entry("purge:purge", "Remove a memory for good, from history too", "Change"),
    "apply": Entry("apply:apply", "Make several changes in one transaction", "Change"),
    "review": Entry("review:review", "Decide on proposals and notes that wait", "Change"),
    "undo": Entry("history:undo", "Take back your last change", "Change"),
    "labels": Entry("labels:labels", "List labels, and govern them", "Labels and history"),
    "history": Entry("history:history", "See, compare and revert changes", "Labels and history"),
    "validate": Entry(
        "validate:validate", "Report every problem of a store or folder", "Exchange"
    ),
    "expect": Entry("expect:expect", "Say which symptom must find which memories", "Exchange"),
    "audit": Entry(
        "audit:audit", "Report what is outdated, doubled, unused or contradictory", "Exchange"
    ),
    "export": Entry("exchange:export", "Write memories to a folder or a file", "Exchange"),
    "sync": Entry("sync:sync", "Bring a folder and the project to say the same", "Exchange"),
    "git-merge": Entry(
        "git_drivers:git_merge",
        "Merge three versions of a file of lessons",
        "Exchange",
    ),
    "git-textconv": Entry(
        "git_drivers:git_textconv",
        "Print a file of lessons as it is best compared",
        "Exchange",
    ),
    "import": Entry("exchange:import_", "Read memories from a folder or a file", "Exchange"),
    "migrate": Entry(
        "migrate:migrate", "Copy the whole store to another file or database", "Set up"
    ),
    "backup": Entry("backup:backup", "Copy the whole store to a folder or a file", "Set up"),
    "restore": Entry("backup:restore", "Put a backup in the place of the store", "Set up"),
    "setup": Entry("setup:setup", "Set up store, project, skills and clients", "Set up"),
    "connect": Entry(
        "connect:connect", "Write the server into the configuration of agent clients", "Set up"
    ),
    "disconnect": Entry(
        "connect:disconnect",
        "Take the server out of the configuration of agent clients",
        "Set up",
    ),
    "init": Entry("init:init", "Make a store and this repository's project", "Set up"),
    "project": Entry(
        "project:project", "Show a project, change its settings, and what becomes of it", "Set up"
    ),
    "install-skills": Entry("install_skills:install_skills", "Copy the agent skills", "Set up"),
    "doctor": Entry(
        "doctor:doctor", "Check the installation, the store, and what clients are told", "Set up"
    ),
    "hook": Entry(
        "hook:hook",
        "Tell an agent's session what it should know; for agent clients to run",
        "Set up",
    ),
    "demo": Entry("demo:demo", "Show what this does, in a throwaway store", "Set up"),
    "serve": Entry(
        "serve:serve", "Serve agents over MCP on standard streams, or over HTTP", "Set up"
    ),
    "mcp": Entry(
        "serve:serve",
        "Serve agents over MCP on standard streams, or over HTTP",
        "Set up",
        hidden=True,
    ),
    "tokens": Entry(
        "tokens:tokens", "Say who may speak to a store that is served over HTTP", "Set up"
    ),
    "enroll": Entry(
        "enroll:enroll",
        "Give out a code that becomes a token once, within 15 minutes",
        "Set up",
    ),
    "join": Entry(
        "join:join",
        "Make a token of a code, keep it here, and tell this repository's clients of the server",
        "Set up",
    ),
    "compute": Entry(
        "compute:compute", "Do background work now and then, and report what is new", "Set up"
    ),
    "completion": Entry("completion:completion", "Print a shell's completion script", "Set up"),
}
