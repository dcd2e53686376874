"""The portable form with one JSON object to a line: a head, then each row under its kind.

It is read as the single file that it stands for, in which every row keeps its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from project_memory.model import Problem

KINDS = MappingProxyType(
    {
        "memory": "memories",
        "expectation": "expectations",
        "revision": "history",
        "proposal": "proposals",
    }
)
"""What a line holds -> the list of the single file that it belongs to, in order."""

_BREAK = re.compile("[\x85\u2028\u2029]")  # some readers end a line there, JSON does not
_LINE = re.compile(rf'\s*{{\s*"({"|".join(KINDS)})"\s*:\s*(.*)}}\s*', re.DOTALL)


def lines(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of what the single file holds, each with its end."""
    yield line({n: each for n, each in value.items() if n not in KINDS.values()})
    for kind, field in KINDS.items():
        for row in value.get(field, ()):
            yield line({kind: row})


def is_so(text: str) -> bool:
    """Return whether the text of an export is of this form."""
    head = text.partition("\n")[0].rstrip()
    whole = head.startswith("{") and head.endswith("}")
    return whole and '"labels"' in head and '"memories"' not in head


def joined(text: str, file: str) -> tuple[str, list[Problem]]:
    """Return (the single file that lines stand for, problems); every row keeps its line."""
    head, *rows = text.rstrip().split("\n")
    told = [head.rstrip()[:-1]]
    problems: list[Problem] = []
    present = ""
    for number, row in enumerate(rows, 2):
        found = _LINE.fullmatch(row)
        if found:
            field = KINDS[found[1]]
            opening = f'{"]" if present else ""}, "{field}": ['
            told.append(f"{',' if field == present else opening}{found[2]}")
            present = field
        else:
            told.append("")
            if row.strip():
                problems.append(_unknown(file, number))
    if KINDS["memory"] not in (KINDS[f[1]] for row in rows if (f := _LINE.fullmatch(row))):
        told[0] += f', "{KINDS["memory"]}": []'
    told[-1] += "]}" if present else "}"
    return "\n".join(told), problems


def _unknown(file: str, line: int) -> Problem:
    named = ", ".join(f"'{kind}'" for kind in KINDS)
    return Problem(
        "bad-line",
        f"the line is no object that holds one of {named}",
        fix="export it again",
        file=file,
        line=line,
    )


def line(value: Any) -> str:
    """Return JSON data on one line with its end, as every reader tells lines apart."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
    return _BREAK.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text) + "\n"
