"""From a token of the issuer to what it claims, if everything about it is right."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

import jwt

from project_memory.errors import Unidentified
from project_memory.roles import Claim
from project_memory.web.oidc import Provider
from project_memory.web.oidc.keys import Keys

logger = logging.getLogger(__name__)

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""Signatures by a key that only the issuer has: neither none, nor a secret that is shared."""

LEEWAY = 30
"""Seconds that the issuer's clock and ours may differ."""

_SUBJECT = re.compile(r"[!-~]{1,120}")


class Verifier:
    """Reads tokens of one provider."""

    def __init__(self, provider: Provider, keys: Keys | None = None) -> None:
        self._provider = provider
        self._keys = keys or Keys(provider.issuer)

    def __call__(self, token: bytes) -> Claim:
        """Return what a token claims.

        Raises:
            Unidentified: it is not accepted; the log says why, the answer does not.
            IssuerUnreachable: it cannot be checked.
        """
        try:
            return self._claim(self._claims(token.decode("ascii")))
        except (ValueError, jwt.PyJWTError) as error:
            # the message may repeat the token's text
            fields = {"reason": type(error).__name__}
            logger.info("a token of the issuer was refused", extra={"fields": fields})
            raise Unidentified(
                "the token is not accepted: it is wrong, has expired or is for somebody else; get "
                f"another from '{self._provider.issuer}'"
            ) from None

    def _claims(self, token: str) -> Mapping[str, Any]:
        header = jwt.get_unverified_header(token)
        name = header.get("kid")
        if header.get("alg") not in ALGORITHMS or not isinstance(name, str):
            raise jwt.InvalidAlgorithmError
        key = self._keys.key(name)
        if key is None:
            raise jwt.InvalidKeyError
        return jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            audience=self._provider.audience,
            issuer=self._provider.issuer,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )

    def _claim(self, claims: Mapping[str, Any]) -> Claim:
        subject = claims["sub"]
        if not isinstance(subject, str) or not _SUBJECT.fullmatch(subject):
            raise ValueError("a subject of another form")
        roles = _strings(_found(claims, self._provider.roles_claim))
        projects = _strings(_found(claims, self._provider.projects_claim))
        return Claim(
            subject,
            frozenset(role for value in roles for role in value.split()),
            frozenset(projects),
        )


def _found(claims: Mapping[str, Any], name: str) -> Any:
    """Return a claim by its name, or by the names of the objects that lead to it."""
    if name in claims:
        return claims[name]
    first, dot, rest = name.partition(".")
    inner = claims.get(first)
    return _found(inner, rest) if dot and isinstance(inner, dict) else None


def _strings(value: Any) -> Iterator[str]:
    values = value if isinstance(value, list) else [value]
    return (each for each in values if isinstance(each, str))
