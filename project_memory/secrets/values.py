"""Judge one value: does it look drawn at random, like a password, or like a stand-in?

No dictionary is needed: in English words and identifiers nine of ten pairs of neighbouring letters
are among the 200 commonest, in random text three of ten.
"""

from __future__ import annotations

import base64
import binascii
import re
import string
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

from project_memory.secrets.examples import FAKE_WORDS, VENDOR_EXAMPLES

_FOLLOWERS = {
    "a": "bcdgilmnprstuy", "b": "aeilou", "c": "aehiklortu", "d": "adeiosu",
    "e": "acdefglmnprstvxy", "f": "aefiloru", "g": "ehinr", "h": "aeiot",
    "i": "abcdefglmnoprstvz", "k": "e", "l": "adeilostuy", "m": "abeiopu",
    "n": "acdegiostu", "o": "cdflmnoprstuvw", "p": "aehiloprtuy", "q": "u",
    "r": "acdegimnorstuy", "s": "acehiopstu", "t": "acehiorstuy", "u": "abceilmnprst",
    "v": "aei", "w": "aehio", "x": "t", "y": "p", "z": "e",
}  # fmt: skip
_COMMON = frozenset(first + second for first, rest in _FOLLOWERS.items() for second in rest)
_WORDY = 0.6
_SHORT_PIECES = 2.8  # characters; words in camelCase are longer
_STRONG = frozenset("!#$%^&*?+=~@")

_TEMPLATE = re.compile(
    r"\$\{|\$\(|\$\w+$|\$[1-9@*]|%\w+%|%[sdr(]|\{|<|\[|\*\*|@\w+@|#\{|&\w+$|`"  # variables
    r"|!{1,2}[A-Za-z_]{2,20}$"  # tags of YAML
    r"|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}://"  # places
    r"|ENC\[|vault:|op://|arn:|projects/|ref\+|secretref:|\$ANSIBLE_VAULT|-----"  # references
    r"|(?:sha\d{1,3}|md5|h1|SHA\d{1,3}|MD5)[-:=]|\$(?:2[aby]|argon2\w*|5|6)\$"  # digests
    r"|\^[(\[.]|eyJ(?:hbGci|0eXAi|raWQi)[\w-]*$"  # patterns; the header of a token alone
    r"|ssh-(?:rsa|ed25519|dss)|ecdsa-"  # public keys
)
_PATHS = ("/", "./", "../", "~/")
_CODE = re.compile(
    r"[A-Za-z_]\w{0,80}(?:(?:\.|::|->|\?\.)\w{1,80}){0,8}[(\[][\w.,:=()\[\]'\"-]{0,200}$"
)
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}")
_STAND_IN = re.compile(
    r"example|sample|placeholder|changeme|change[-_ ]me|replace|redacted|insert|dummy|notreal"
    r"|not[-_ ]?a[-_ ]|your?[-_ ]?(?:api|secret|token|pass|key|own|access|client|real|auth)"
    r"|\.\.\.|…|\*\*\*|x{5,}|deadbeef|foobar|hunter2|\{\w{1,40}\}|\(\?|\[A-Z|\[a-z|\\[dws]"
    r"|^my[-_ ]|(?:^|[-_. /])(?:your?|some|the|fake|test|mock|stub|demo|todo|here|real|this)"
    r"(?:[-_. /]|$)|^(?:test|fake|your|todo)",
    re.IGNORECASE,
)
_LONG_STAND_IN = re.compile(r"example|placeholder|changeme|redacted|x{9,}|\.\.\.|…", re.IGNORECASE)
_PIECE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+")
_TECHNICAL = re.compile(
    r"(?:sha|md|aes|rsa|utf|base|oauth|http|ipv|rfc|iso|hs|rs|es|ps|ed|x|v|e|argon|pbkdf|secp|chacha"
    r"|poly|blake|crc|win|arm|amd|python|py|jdk|java|node|php|web|issue|pr|bug|cve|level|step|part"
    r"|line|page|phase|tls|s|k|p|h|ec|id|n)\d{1,5}[a-z]{0,2}\d{0,5}",
    re.IGNORECASE,
)
_NEXT_PARAMETER = re.compile(r"&[\w.-]{1,60}=")
_PARTS = re.compile(r"[-_./:,;=\s]+")
_LEET = str.maketrans("034571@$", "oeastlas")


def is_stand_in(value: str) -> bool:
    """Return whether the value tells where the secret comes from, or is a fake."""
    if _TEMPLATE.match(value) or _CODE.match(value) or _ADDRESS.fullmatch(value):
        return True
    return (value.startswith(_PATHS) and not is_random(value)) or is_fake(value)


def is_fake(value: str) -> bool:
    """Return whether the value is an example: by its words, its monotony, or as a known one."""
    words = _STAND_IN if len(value) <= 200 else _LONG_STAND_IN
    return bool(words.search(value)) or _is_monotonous(value) or _is_known(value)


def is_published(value: str) -> bool:
    """Return whether the value, or the signature at its end, is a documented example."""
    return any(_digest(form) in VENDOR_EXAMPLES for form in (value, value.rpartition(".")[2]))


def is_random(value: str) -> bool:
    """Return whether the value looks drawn at random: neither words nor a plain number."""
    if is_hex(value):
        return len(value) >= 16
    if any(c.isspace() for c in value) or value.isdigit() or _is_plain(value):
        return False
    return _is_choppy(value) or _is_odd(value)


def _is_odd(value: str) -> bool:
    """Return whether too few pairs of neighbours are common in words."""
    wordy, odd = _pairs(value)
    letters = value.strip(string.punctuation)
    one_word = letters.isalpha() and (letters[1:].islower() or letters.isupper())
    least = 11 if one_word else 5
    return wordy + odd >= least and wordy < _WORDY * (wordy + odd)


def is_mixed(value: str) -> bool:
    """Return whether the value has upper case, lower case and digits."""
    return _has_both_cases(value) and any(c in string.digits for c in value)


def is_hex(value: str) -> bool:
    """Return whether the value consists of hexadecimal digits, with both digits and letters."""
    return (
        all(c in "0123456789abcdef" for c in value.lower())
        and not value.isdigit()
        and not value.isalpha()
    )


def is_password(value: str) -> bool:
    """Return whether the value could be a password that somebody uses.

    Words alone are not taken for one: "password: required" is prose.
    """
    if not 6 <= len(value) <= 400 or " " in value or _is_plain(value) or is_stand_in(value):
        return False
    digits = sum(c.isdigit() for c in value)
    if digits == len(value):
        return False
    symbols = any(c in _STRONG for c in value[:-1]) or value[-1] in "!$%#&*"
    if len(value) >= 8 and ((digits and symbols) or digits >= 3):
        return True
    return is_random(value) or (is_mixed(value) and (symbols or len(value) >= 10))


def holds_password(encoded: str) -> bool:
    """Return whether Base64 text decodes to ``user:password`` with a real password."""
    if is_fake(encoded):
        return False
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(user and colon) and user.isprintable() and is_password(password)


def trimmed(value: str) -> str:
    """Return a value without the parameter or the punctuation that follows it."""
    following = _NEXT_PARAMETER.search(value)
    return (value[: following.start()] if following else value).rstrip(".,:;)]}\\'\"`")


def _has_both_cases(value: str) -> bool:
    return value.upper() != value != value.lower()


def _is_choppy(value: str) -> bool:
    """Return whether case and digits change too often for camelCase."""
    size = sum(c.isalnum() for c in value)
    return (
        size >= 12
        and size <= _SHORT_PIECES * len(_PIECE.findall(value))
        and _has_both_cases(value)
    )


def _pairs(value: str) -> tuple[int, int]:
    """Return how many neighbours are common in words, and how many are not.

    A step into a capital or over punctuation says nothing; one between letter and digit is odd.
    """
    wordy = odd = 0
    for one, other in pairwise(value):
        if one.isalpha() and other.isalpha():
            if other.islower() or one.isupper():
                common = (one + other).lower() in _COMMON
                wordy, odd = wordy + common, odd + (not common)
        elif one.isalnum() and other.isalnum() and one.isdigit() != other.isdigit():
            odd += 1
    return wordy, odd


def _is_plain(value: str) -> bool:
    """Return whether every part is a word, a technical term or a short number."""
    if len(value) > 200:
        return False
    parts = [part for part in _PARTS.split(value.rstrip("!?")) if part]
    return all(_is_plain_part(part) for part in parts) and not (
        value[-1:] in "!?" and len(parts) < 2
    )


def _is_plain_part(part: str) -> bool:
    if part.isdigit():
        return len(part) <= 8
    return bool(_TECHNICAL.fullmatch(part)) or (
        part.isalpha() and not (_is_choppy(part) or _is_odd(part))
    )


def _is_monotonous(value: str) -> bool:
    """Return whether it repeats few characters or mostly counts up or down."""
    body = [c for c in value if c.isalnum()]
    if len(set(body)) <= 3 or value in (value + value)[1:-1]:
        return True
    return len(body) >= 6 and any(_counts(body, lag) for lag in (1, 2))


def _counts(body: Sequence[str], lag: int) -> bool:
    """Return whether two thirds of the characters follow the one `lag` places before them."""
    steps = sum(abs(ord(a) - ord(b)) <= 1 for a, b in zip(body, body[lag:], strict=False))
    return steps * 3 >= (len(body) - lag) * 2


def _is_known(value: str) -> bool:
    if is_published(value):
        return True
    plain = value.lower()
    return any(map(_is_made_of_fakes, {plain, plain.strip(string.digits + string.punctuation)}))


def _digest(value: str) -> str:
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _is_made_of_fakes(plain: str) -> bool:
    """Return whether its letters, leet read as letters, are words from the list of known fakes."""
    words = re.sub(r"[^a-z]+", "", plain.translate(_LEET))
    if not 3 <= len(words) <= 64:
        return False
    reached, waiting = {0}, [0]
    while waiting:
        start = waiting.pop()
        ends = {start + len(word) for word in FAKE_WORDS if words.startswith(word, start)}
        waiting.extend(ends - reached)
        reached |= ends
    return len(words) in reached
