"""What a text costs a reader who counts tokens."""

from __future__ import annotations

import math
import re

_WIDE = (
    "[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)


def tokens(text: str) -> int:
    """Return about how many tokens a text costs: CJK characters one each, others four to one."""
    wide = 0 if text.isascii() else len(re.findall(_WIDE, text))
    return wide + math.ceil((len(text) - wide) / 4)
