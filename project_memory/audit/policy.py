"""What a project calls too old, too broad, too much; and reading that from where it is said."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from project_memory.errors import InvalidInput

_MOST_ACTIONS = 50
_GATE = re.compile("([1-9][0-9]{0,2}):([0-9]{1,9}):([0-9]{1,9})")
_GATES = ("1:50:30", "2:500:180", "3:600:365")

PROTECTED = (
    "is:standing",
    "is:pinned",
    "status:wrong",
    "asserted:user",
    "kind:decision",
    "kind:architecture",
    "kind:convention",
)
"""What the default of `protect` joins with OR; where a label is not registered, nothing has it."""


def _number(default: int | None, help_text: str, *, least: int = 1, most: int = 10**9) -> Any:
    return field(default=default, metadata={"help": help_text, "least": least, "most": most})


def _names(help_text: str) -> Any:
    return field(default=(), metadata={"help": help_text, "several": True})


def _gates(help_text: str) -> Any:
    wanted = "write tier:questions:days, such as 1:50:30"
    return field(
        default=_GATES,
        metadata={"help": help_text, "several": True, "form": _GATE, "wanted": wanted},
    )


def _flag(help_text: str) -> Any:
    return field(default=False, metadata={"help": help_text, "flag": True})


def _text(default: str, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits that checks judge by. Each field's help says what it limits; numbers are inclusive.

    Fields are the keys of every source, in TOML and on the command line with hyphens. A `gate` of
    one tier leaves those of the others as they are.
    """

    validated_days: int = _number(365, "Days after which a memory should be validated again.")
    assumption_days: int = _number(90, "Days after which an assumption should be settled.")
    proposal_days: int = _number(14, "Days that a proposal may wait for its review.")
    label_percent: int = _number(
        40, "Share of memories above which a label is too broad.", most=100
    )
    label_memories: int = _number(20, "Memories below which no label is called too broad or rare.")
    noisy_surfaced: int = _number(50, "Times shown without being applied once, to be noisy.")
    standing_tokens: int = _number(1200, "Tokens that all standing rules may take together.")
    document_tokens: int = _number(2000, "Tokens that one memory may take.")
    gate: tuple[str, ...] = _gates("When silence counts: a tier, questions asked, days past.")
    min_direct: int = _number(1, "Direct matches in its tier that let a memory stay.")
    min_applied: int = _number(1, "Times applied in its tier that let a memory stay.")
    min_days: int = _number(2, "Days seen in its tier that let a memory stay.")
    min_links: int = _number(2, "Links that let a memory stay.")
    protect: str = _text(" OR ".join(PROTECTED), "Expression of what silence never archives.")
    delete_superseded: bool = _flag("Delete what was archived and stays superseded.")
    grace: int = _number(90, "Days that it is kept in the archive before.")
    max_actions: int | None = _number(None, "Actions that one audit may apply.")
    require_prefix: tuple[str, ...] = _names("Prefix of which each memory needs a label.")
    ignore: tuple[str, ...] = _names("Code of a check that is not made.")


FIELDS: Mapping[str, dataclasses.Field[Any]] = {f.name: f for f in dataclasses.fields(Policy)}
"""Every field by name.

Its `metadata` holds its help and, for a number, `least` and `most`; `several` for a list of
names, with a `form` that each must have; `flag` for yes or no. Otherwise it is one text.
"""


@dataclass(frozen=True, slots=True)
class Gate:
    """What must have passed before silence counts: questions asked, and days."""

    questions: int
    days: int


def gate(policy: Policy, tier: int) -> Gate:
    """Return the gate of a tier; beyond the last one it is that of the last, year by year."""
    gates = _gates_of(policy.gate)
    return gates[max((known for known in gates if known <= tier), default=min(gates))]


def with_values(policy: Policy, values: Mapping[str, Any], source: str) -> Policy:
    """Return the policy with these values in the place of its own; None keeps its own.

    Args:
        policy: What holds where `values` says nothing.
        values: By field; hyphens may stand for underscores.
        source: Where the values come from, as an error names it.

    Raises:
        InvalidInput: a key is unknown, or a value is of another kind or out of range; every
            such fault is named.
    """
    named = {key.replace("-", "_"): value for key, value in values.items()}
    given = {key: value for key, value in named.items() if value is not None}
    faults = [fault for key, value in given.items() if (fault := _fault(key, value))]
    if faults:
        raise InvalidInput("\n".join(f"{source}: {fault}" for fault in faults))
    changes: dict[str, Any] = {}
    for key, value in given.items():
        changes[key] = tuple(value) if isinstance(value, list) else value
    return dataclasses.replace(policy, **changes)


def action_limit(policy: Policy, memories: int) -> int:
    """Return how many actions one audit of so many memories may apply.

    Unless the policy says otherwise, the smaller of 50 and a tenth of the memories, at least 1.
    """
    if policy.max_actions is not None:
        return policy.max_actions
    return max(1, min(_MOST_ACTIONS, memories // 10))


@cache
def _gates_of(texts: tuple[str, ...]) -> Mapping[int, Gate]:
    gates: dict[int, Gate] = {}
    for text in (*_GATES, *texts):
        found = _GATE.fullmatch(text)
        assert found is not None, "a policy holds what was checked"
        gates[int(found[1])] = Gate(int(found[2]), int(found[3]))
    return MappingProxyType(gates)


def _fault(key: str, value: Any) -> str | None:
    known = FIELDS.get(key)
    if known is None:
        return f"no limit '{_hyphened(key)}'; {_hint(key)}"
    wanted = _wanted(known.metadata)
    return None if _fits(known.metadata, value) else f"'{_hyphened(key)}' is {value!r}; {wanted}"


def _fits(metadata: Mapping[str, Any], value: Any) -> bool:
    if "least" in metadata:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and metadata["least"] <= value <= metadata["most"]
    if "flag" in metadata:
        return isinstance(value, bool)
    if "several" in metadata:
        named = isinstance(value, list | tuple) and all(isinstance(x, str) and x for x in value)
        return named and ("form" not in metadata or all(map(metadata["form"].fullmatch, value)))
    return isinstance(value, str) and bool(value.strip())


def _wanted(metadata: Mapping[str, Any]) -> str:
    if "least" in metadata:
        return f"write a whole number from {metadata['least']} to {metadata['most']}"
    if "flag" in metadata:
        return "write true or false"
    if "wanted" in metadata:
        return str(metadata["wanted"])
    return "write a list of names" if "several" in metadata else "write text"


def _hint(key: str) -> str:
    near = difflib.get_close_matches(key, FIELDS, n=1)
    return f"did you mean '{_hyphened(near[0])}'?" if near else f"choose from {_listed(FIELDS)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(_hyphened(name) for name in names)


def _hyphened(name: str) -> str:
    return name.replace("_", "-")
