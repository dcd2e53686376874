"""Prompts that people pick: recall, remember, audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import mcp_types as types

from project_memory.app import ProjectMemory
from project_memory.errors import InvalidInput, NotFound
from project_memory.mcp_server.fencing import fenced
from project_memory.model import as_json

_REMEMBER = """\
Look back over what we did. If it taught something that is specific to this project, not obvious, \
likely to come back, and would have saved a wrong path, store it with create_memory: recall first \
and extend a memory that says nearly this, one lesson a memory, reuse labels from list_labels, \
link what it bears on with a reason that reads both ways, and say where a secret lives instead of \
its value. If nothing reaches that bar, store nothing and say so in one line."""
_AUDIT = """\
Here is what this project's store holds. Name what looks outdated, doubled, contradictory, \
unlinked or wrongly labelled, with ids and the call that would put it right. Change nothing \
before I agree.
{found}"""
_RECALL = """\
Here is what the project's memory knows about: {topic}
Use what helps, distrust what the code contradicts, and name the memories you used.
{found}"""


def listed() -> list[types.Prompt]:
    """Return the prompts."""
    topic = types.PromptArgument(
        name="topic", description="the symptom or task, in plain words", required=True
    )
    return [
        types.Prompt(name="recall", title="Recall lessons", arguments=[topic],
                     description="What the memory knows about a topic."),
        types.Prompt(name="remember", title="Remember this task",
                     description="Store what the task taught, if it reaches the bar."),
        types.Prompt(name="audit", title="Look over the store",
                     description="Find what is outdated, doubled or unlinked."),
    ]  # fmt: skip


def rendered(
    opened: Callable[[], ProjectMemory], name: str, given: Mapping[str, str]
) -> types.GetPromptResult:
    """Return a prompt with what it needs from the store, fenced.

    Raises:
        NotFound: there is no such prompt.
        InvalidInput: `topic` is missing.
    """
    match name:
        case "recall":
            text = _recalled(opened, given)
        case "remember":
            text = _REMEMBER
        case "audit":
            text = _AUDIT.format(found=fenced(_overview(opened())))
        case _:
            raise NotFound(f"no prompt '{name}'; prompts: recall, remember, audit")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


def _recalled(opened: Callable[[], ProjectMemory], given: Mapping[str, str]) -> str:
    topic = (given.get("topic") or "").strip()
    if not topic:
        raise InvalidInput("'topic' is missing; say the symptom or task in plain words")
    found = opened().recall(query=topic)
    text = json.dumps(as_json(found), ensure_ascii=False, indent=1)
    return _RECALL.format(topic=topic, found=fenced(text))


def _overview(memory: ProjectMemory) -> str:
    page = memory.search(limit=200)
    lines = [f"{m.id} [{m.status}] {m.description} ({', '.join(m.labels)})" for m in page.memories]
    if page.next_offset is not None:
        lines.append(f"... and {page.total - len(page.memories)} more")
    return "\n".join(lines) or "the store is empty"
