"""Find the words that announce a secret, and the identifiers they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_KEYED = (
    *("api", "access", "secret", "private", "encrypt", "encryption", "decryption", "signing"),
    *(
        "signature",
        "master",
        "auth",
        "account",
        "storage",
        "shared",
        "license",
        "licence",
        "deploy",
    ),
    *(
        "service",
        "hmac",
        "jwt",
        "session",
        "app",
        "application",
        "admin",
        "subscription",
        "webhook",
    ),
    *("crypt", "crypto", "aes", "root", "client", "cookie", "server", "consumer", "integration"),
    *("write", "ingest", "enc", "fernet", "vault", "gateway", "billing", "payment"),
)
_KEY = "|".join(rf"(?<={word}key)|(?<={word}[ _-]key)" for word in _KEYED)

# Each pattern starts with its literal, so that searching for it is a search for a literal. True
# marks what people choose (a password may hold a word), False what machines issue (it is random).
_WORDS = tuple(
    (literal, re.compile(pattern), personal)
    for literal, pattern, personal in (
        (
            "pass",
            r"pass(?:w(?:or)?d|wort|[ _-]?phrase|code|(?<![a-z]pass)(?![a-z])|(?=[\"']?\s?[=:]))",
            True,
        ),
        ("pwd", "pwd", True),
        ("pw", r"pw(?:(?<![a-z]pw)(?![a-z])|(?=[\"']?\s?[=:]))", True),
        ("psk", r"psk(?<![a-z]psk)(?![a-z])", True),
        ("kennwort", "kennwort", True),
        ("mot de passe", "mot de passe", True),
        ("contraseña", "contraseña", True),
        ("senha", r"senha(?<![a-z]senha)(?![a-z])", True),
        ("парол", "парол[ьяюе]?", True),
        *((word, word, True) for word in ("密码", "密碼", "口令", "パスワード", "비밀번호")),
        ("secret", "secret", False),
        ("cred", r"cred(?:entials?|s(?![a-z]))", False),
        ("token", "token", False),
        ("sess", r"sess(?:(?<=phpsess)id|(?<=jsess)ionid|ion(?:id)?(?==))", False),
        ("key", f"key(?:{_KEY})", False),
        ("_key", r"_key(?![a-z])", False),
        ("auth", r"auth(?:orization)?(?<![a-z]auth)(?![a-z])", False),
        *((word, word, False) for word in ("密钥", "令牌", "токен")),
    )
)
_HEAD = re.compile(r"[A-Za-z0-9_.-]{0,40}$", re.ASCII)
_TAIL = re.compile(r"[A-Za-z0-9_-]{0,40}+", re.ASCII)
_OTHER_THING = re.compile(
    r"(?:hash|digest|count|length|len|limit|budget|size|file|path|dir|folder|name|ur[il]|endpoint"
    r"|type|field|column|policy|expir\w*|ttl|age|rotation|reset|prompt|manager|store|provider"
    r"|version|min|max|regex|pattern|hint|label|status|error|format|header|env|var|ref|arn|usage"
    r"|index|kind|mode|scope|bucket|fingerprint|thumbprint|prefix|placeholder|method|alg\w*|stdin"
    r"|required|enabled|sha\d*|md5|crc\d*|sum|sort\w*|(?<!secret)[_-]id|(?<=[a-z])Id)$",
    re.IGNORECASE,
)
_KINDS = (
    *(
        "page",
        "next",
        "previous",
        "continuation",
        "cancel",
        "cancellation",
        "sync",
        "public",
        "publickey",
    ),
    *(
        "cache",
        "count",
        "num",
        "max",
        "min",
        "pub",
        "stop",
        "eos",
        "bos",
        "pad",
        "mask",
        "unk",
        "no",
    ),
    *("skip", "input", "output", "prompt", "completion", "total", "idempotency"),
)
_OTHER_HEAD = re.compile(
    rf"(?:^|[_.-])(?i:{'|'.join(_KINDS)})[_.-]?$|(?:{'|'.join(kind.title() for kind in _KINDS)})$"
)
_OTHER_KEY = re.compile(
    r"(?:^|_)(?:PUBLIC|CACHE|PRIMARY|FOREIGN|SORT|PARTITION|ROUTING|GROUP|ROW|HASH|LOOKUP|SPAN|TRACE"
    r"|OBJECT|S3|UNIQUE|NATURAL|IDEMPOTENCY|LOCK|MAP|INDEX|REGISTRY|DEDUP|SITE|PUB|HOST)$"
)


@dataclass(frozen=True, slots=True)
class Keyword:
    """One keyword in its text.

    Attributes:
        text: The whole text.
        word: The keyword in lower case.
        start: Where the keyword begins.
        end: Where the identifier ends that holds it.
        personal: Whether people choose what it announces.
    """

    text: str
    word: str
    start: int
    end: int
    personal: bool

    @property
    def before(self) -> str:
        """Return up to 60 characters before the keyword."""
        return self.text[max(0, self.start - 60) : self.start]

    @property
    def head(self) -> str:
        """Return what stands before the keyword in the same identifier."""
        match = _HEAD.search(self.before)
        return match[0] if match else ""

    @property
    def stands_alone(self) -> bool:
        """Return whether the keyword is the whole identifier."""
        return not self.head and self.end == self.start + len(self.word)

    @property
    def announces(self) -> bool:
        """Return whether the identifier holds a secret, and is not about one (``token_count``)."""
        if self.word == "_key" and (not self.head.isupper() or _OTHER_KEY.search(self.head)):
            return False
        tail = self.text[self.start + len(self.word) : self.end]
        about = tail in {"s", "S"} or _OTHER_THING.search(self.text, self.start, self.end)
        names_one = self.word.startswith("sess") or not about
        return names_one and not _OTHER_HEAD.search(self.head)


def keywords(text: str) -> Iterator[Keyword]:
    """Yield the keywords that announce a secret, by word, then in text order."""
    lowered = _lower(text)
    for literal, pattern, personal in _WORDS:
        if literal in lowered:
            for match in pattern.finditer(lowered):
                tail = _TAIL.match(text, match.end())
                end = tail.end() if tail else match.end()
                found = Keyword(text, match[0], match.start(), end, personal)
                if found.announces:
                    yield found


def _lower(text: str) -> str:
    """Return the text in lower case with every character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)
