"""An issuer of tokens on loopback, with keys of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "project-memory.example"


class Issuer:
    """Gives out tokens; `asked` counts how often its keys were fetched."""

    def __init__(self) -> None:
        self._rsa = rsa.generate_private_key(65537, 2048)
        self._ec = ec.generate_private_key(ec.SECP256R1())
        self.keys = [
            {**RSAAlgorithm.to_jwk(self._rsa.public_key(), as_dict=True), "kid": "one",
             "use": "sig", "alg": "RS256"},
            {**ECAlgorithm.to_jwk(self._ec.public_key(), as_dict=True), "kid": "two"},
        ]  # fmt: skip
        self.asked = 0
        self.url = ""
        self.names_itself: str | None = None
        self.broken = False

    @property
    def public(self) -> bytes:
        """Return the public key as a file holds it."""
        return self._rsa.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Return what a token of a writer for the project shop claims; None leaves one out."""
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ada",
            "exp": now + 600,
            "iat": now,
            "roles": ["project-memory:writer"],
            "projects": ["shop"],
        }
        return {k: v for k, v in (claims | changes).items() if v is not None}

    def token(self, kid: str = "one", **changes: Any) -> str:
        """Return a token that is signed by a key of the issuer."""
        key, algorithm = {"two": (self._ec, "ES256")}.get(kid, (self._rsa, "RS256"))
        return jwt.encode(self.claims(**changes), key, algorithm=algorithm, headers={"kid": kid})

    def answer(self, path: str) -> Any:
        """Return the document at a path, or None."""
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.names_itself or self.url, "jwks_uri": f"{self.url}/keys"}
        if path == "/keys":
            self.asked += 1
            return {"keys": self.keys}
        return None


@contextmanager
def running() -> Iterator[Issuer]:
    """Yield an issuer that answers until the end."""
    issuer = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = None if issuer.broken else issuer.answer(self.path)
            self.send_response(200 if found is not None else 503)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()
