"""Words that turn a lesson round: negations, opposites, numbers written out.

Tables of facts about languages; the rules that use them are in `distinctions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NEGATIONS = (
    "no not never cannot without neither nor none nothing avoid stop",
    "nicht kein keine keinen keinem keiner nie niemals ohne",
    "ne pas jamais sans aucun aucune",
    "no nunca sin jamás ningún ninguna",
    "non mai senza nessun nessuna",
    "não nem sem",
    "не ни нет нельзя никогда без",
)
NEGATIONS = frozenset(word for language in _NEGATIONS for word in language.split())
"""Words that turn round the word they stand before."""

NEGATING_CHARACTERS = frozenset("不没沒无無非勿未別别ぬ")
"""Characters that turn a phrase round in scripts without spaces."""

NEGATING_ENDINGS = ("ない", "ません", "なし", "ずに", "않", "없", "못", "말고", "마세요")
"""Pieces that turn round what stands before them."""

NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "zero": "0",
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "seven": "7",
        "eight": "8",
        "nine": "9",
        "ten": "10",
        "eleven": "11",
        "twelve": "12",
        "twenty": "20",
        "thirty": "30",
        "sixty": "60",
        "hundred": "100",
        "thousand": "1000",
        "once": "1",
        "twice": "2",
    }
)
"""Numbers written out; ``one`` is left out, being a pronoun more often."""

_UNITS = {
    "ms": "ms millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "d day days",
    "w": "week weeks",
    "mo": "month months",
    "y": "year years",
    "B": "byte bytes",
    "kB": "k kb kib kilobyte kilobytes",
    "MB": "m mb mib megabyte megabytes",
    "GB": "g gb gib gigabyte gigabytes",
    "TB": "tb tib terabyte terabytes",
    "%": "% percent",
}
UNITS: Mapping[str, str] = MappingProxyType(
    {word: unit for unit, words in _UNITS.items() for word in words.split()}
)
"""Spelling of a unit, case folded -> the unit."""

OPPOSITES = (
    ("true", "false"),
    ("yes", "no"),
    ("on", "off"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("before", "after"),
    ("always", "never"),
    ("with", "without"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("increase", "decrease"),
    ("raise", "lower"),
    ("more", "less"),
    ("more", "fewer"),
    ("above", "below"),
    ("upper", "lower"),
    ("first", "last"),
    ("first", "second"),
    ("first", "third"),
    ("second", "third"),
    ("left", "right"),
    ("up", "down"),
    ("start", "stop"),
    ("open", "close"),
    ("add", "remove"),
    ("allow", "deny"),
    ("allow", "forbid"),
    ("allowed", "forbidden"),
    ("accept", "reject"),
    ("include", "exclude"),
    ("lock", "unlock"),
    ("read", "write"),
    ("push", "pull"),
    ("upload", "download"),
    ("encode", "decode"),
    ("upgrade", "downgrade"),
    ("client", "server"),
    ("development", "production"),
    ("staging", "production"),
    ("passes", "fails"),
    ("works", "fails"),
    ("succeeds", "fails"),
    ("faster", "slower"),
    ("slow", "fast"),
    ("must", "may"),
    ("required", "optional"),
    ("synchronous", "asynchronous"),
    ("sync", "async"),
    ("public", "private"),
    ("local", "remote"),
    ("old", "new"),
    ("prefer", "avoid"),
    ("启用", "禁用"),
    ("开启", "关闭"),
    ("之前", "之后"),
    ("可以", "不可"),
)
"""Pairs of words that say the opposite of each other."""

REVERSING_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis")
"""What before a word makes its opposite."""
