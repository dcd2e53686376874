"""Count tokens roughly and keep an answer within its budget."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from project_memory.model import as_json

_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
_ENVELOPE = 60


def tokens(text: str) -> int:
    """Return about how many tokens a text costs: CJK characters one each, others four to one."""
    wide = len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / 4)


class Budget:
    """Tokens that an answer may still spend; its envelope is paid for at the start."""

    def __init__(self, max_tokens: int) -> None:
        self._left = max_tokens - _ENVELOPE

    def take(self, value: Any) -> bool:
        """Spend what a value costs as compact JSON; False where that is more than is left."""
        cost = tokens(json.dumps(as_json(value), ensure_ascii=False, separators=(",", ":"))) + 1
        if cost > self._left:
            return False
        self._left -= cost
        return True
