"""Words by which a text says that it takes the place of another."""

from __future__ import annotations

import re

from project_memory.documents import fold

_PHRASES = (
    # English
    r"instead of", r"no longer", r"not any ?more", r"rather than", r"in place of",
    r"migrat(?:ed|ing|ion)s? (?:from|to|away)", r"mov(?:ed|ing) (?:from|away|over)",
    r"switch(?:ed|ing)? (?:from|to|over)", r"replac(?:ed|es|ing) (?:by|with)?", r"replacement for",
    r"supersed(?:es|ed|ing)", r"deprecat(?:ed|es|ing)", r"obsolete[sd]?", r"outdated",
    r"used to", r"renamed (?:from|to)", r"as of", r"since (?:v|version|release)", r"formerly",
    r"previously", r"was fixed in", r"correction", r"update:",
    # German, French, Spanish, Russian
    r"statt(?:dessen)?", r"anstelle", r"nicht mehr", r"ersetzt", r"abgelöst", r"umgestellt",
    r"au lieu de", r"ne \w+ plus", r"remplac\w+", r"migré\w*", r"en lugar de", r"en vez de",
    r"ya no", r"reemplaz\w+", r"вместо", r"больше не", r"замен\w+", r"перешли", r"устарел\w*",
)  # fmt: skip
_UNSPACED = (
    "改用", "替换为", "替換為", "取代", "不再", "迁移到", "遷移到", "代替", "已弃用", "已棄用",
    "废弃", "换成", "改为", "改為", "に移行", "の代わり", "に置き換え", "廃止", "대신", "더 이상",
)  # fmt: skip

_SPOKEN = re.compile(rf"\b(?:{'|'.join(_PHRASES)})(?!\w)|{'|'.join(_UNSPACED)}")


def speaks_of_replacement(text: str) -> bool:
    """Return whether a text has words of replacement: instead of, no longer, 改用, ..."""
    return _SPOKEN.search(fold(text)) is not None
