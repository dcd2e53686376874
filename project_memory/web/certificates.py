"""Read a certificate and its key once before anybody listens, and say what is wrong with them."""

from __future__ import annotations

import ssl
from pathlib import Path

from project_memory.errors import InvalidInput


def check(certificate: Path, key: Path | None) -> None:
    """Refuse files that TLS cannot use.

    Args:
        certificate: File with the certificate and its chain.
        key: File with its key; None where the certificate's file holds it.

    Raises:
        InvalidInput: a file cannot be read, holds something else, or they do not belong together.
    """
    if b"-----BEGIN CERTIFICATE-----" not in _read(certificate, "certificate", "--tls-cert"):
        raise InvalidInput(
            f"'{certificate}' holds no certificate; give one with its chain as PEM with --tls-cert"
        )
    place = key or certificate
    _check_key(_read(place, "key", "--tls-key"), place)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        raise InvalidInput(_told(error, certificate, place)) from error


def _read(path: Path, what: str, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{what} '{path}' cannot be read ({str(error.strerror).lower()}); name a file that "
            f"this user can read with {option}"
        ) from error


def _check_key(held: bytes, path: Path) -> None:
    if b"PRIVATE KEY-----" not in held:
        raise InvalidInput(f"'{path}' holds no key; give the certificate's as PEM with --tls-key")
    # to ask for a passphrase is no work for a server
    if b"ENCRYPTED" in held:
        raise InvalidInput(
            f"the key in '{path}' is under a passphrase; write it without one into a file that "
            "only this user can read, with `openssl pkey -in KEY -out FILE`"
        )


def _told(error: ssl.SSLError, certificate: Path, key: Path) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return (
            f"the key in '{key}' is not that of the certificate in '{certificate}'; give those "
            "that belong together, the server's own certificate first in its file"
        )
    return (
        f"the certificate in '{certificate}' or the key in '{key}' is damaged "
        f"({error.reason or 'no PEM'}); write both again"
    )
