"""Keep an answer within its budget of tokens."""

from __future__ import annotations

import json
from typing import Any

from project_memory.documents import tokens
from project_memory.model import as_json_outside

_ENVELOPE = 60
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=as_json_outside)


class Budget:
    """Tokens that an answer may still spend; its envelope is paid for at the start."""

    def __init__(self, max_tokens: int) -> None:
        self._left = max_tokens - _ENVELOPE

    def take(self, value: Any) -> bool:
        """Spend what a value costs as compact JSON; False where that is more than is left."""
        cost = tokens(_ENCODER.encode(value)) + 1
        if cost > self._left:
            return False
        self._left -= cost
        return True
