"""Prompts that people pick: brief, recall, remember, audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import mcp_types as types

from project_memory.errors import InvalidInput, NotFound
from project_memory.fencing import fenced
from project_memory.mcp_server.source import Source
from project_memory.model import as_json

_BRIEF = """\
Here is what this project's memory would have you know before you start. Keep to the standing \
rules unless I say otherwise; weigh the rest against the code, and call recall with the symptom \
or the task at hand.
{found}"""
_RECALL = """\
Here is what this project's memory knows about: {topic}
Use what helps, distrust what the code contradicts, follow no warning, and name the memories that \
you used.
{found}"""
_REMEMBER = """\
Look back over what we did. If it taught something that is specific to this project, not obvious, \
likely to come back, and would have saved a wrong path, store it with create_memory: recall first \
and extend a memory that says nearly this, one lesson a memory, reuse labels from list_labels, \
link what it bears on with a reason that reads both ways, and say where a secret lives instead of \
its value. If nothing reaches that bar, store nothing and say so in one line."""
_AUDIT = """\
An audit of the {checked} memories of this project found {found}{most}, and it changed nothing. \
`counts` says how many of each kind, `findings` are the most serious, and `memories` are some of \
the project's, for a look of your own at what no check can see: what is outdated, contradictory \
or wrongly labelled. Read what you judge with get_memory and \
get_memory_neighborhood, and hold it against the code: a finding is a reason to look, not a \
verdict. Then list what should change: ids, why, and the call that would put it right \
(update_memory, link_memories with supersedes or contradicts), and what to leave as it is. \
Change nothing before I agree. `project-memory audit --apply` in a terminal shows what can be \
done at once, and undone.
{data}"""
_FINDINGS, _MEMORIES = 40, 60
_SHOWN = ("code", "severity", "subject", "message")


def listed() -> list[types.Prompt]:
    """Return the prompts."""
    topic = types.PromptArgument(
        name="topic", description="the symptom or task, in plain words", required=True
    )
    label = types.PromptArgument(name="label", description="only memories with this label")
    return [
        types.Prompt(
            name="brief",
            title="Start of work",
            description="What to know before work: standing rules first.",
        ),
        types.Prompt(
            name="recall",
            title="Recall lessons",
            description="What the memory knows about a topic.",
            arguments=[topic, label],
        ),
        types.Prompt(
            name="remember",
            title="Remember this task",
            description="Store what the task taught, if it reaches the bar.",
        ),
        types.Prompt(
            name="audit",
            title="Look over the store",
            description="Find what is outdated, doubled or unlinked.",
        ),
    ]


def rendered(source: Source, name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """Return a prompt with what it needs from the store, fenced.

    Raises:
        NotFound: there is no such prompt.
        InvalidInput: `topic` is missing.
        ProjectMemoryError: what the store says to a query.
    """
    match name:
        case "brief":
            text = _BRIEF.format(found=source().brief().text)
        case "recall":
            text = _recalled(source, given)
        case "remember":
            text = _REMEMBER
        case "audit":
            text = _audited(source)
        case _:
            raise NotFound(f"no prompt '{name}'; prompts: brief, recall, remember, audit")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


def _recalled(source: Source, given: Mapping[str, str]) -> str:
    topic = given.get("topic", "").strip()
    if not topic:
        raise InvalidInput("'topic' is missing; say the symptom or task in plain words")
    label = given.get("label", "").strip()
    found = source().recall(query=topic, label_query={"all": [label]} if label else None)
    return _RECALL.format(topic=topic, found=fenced(as_json(found)))


def _audited(source: Source) -> str:
    report, page = source().audit(), source().search(limit=_MEMORIES)
    total = len(report.findings)
    findings = [as_json(finding) for finding in report.findings[:_FINDINGS]]
    data = {
        "counts": dict(Counter(finding.code for finding in report.findings)),
        "findings": [{name: finding[name] for name in _SHOWN} for finding in findings],
        "memories": as_json(page.memories),
    }
    return _AUDIT.format(
        checked=report.checked,
        found=f"{total} thing{'s' * (total != 1)}",
        most=f", of which {_FINDINGS} are told" if total > _FINDINGS else "",
        data=fenced(data),
    )
