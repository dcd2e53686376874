"""A server with a certificate of its own; and what is said of files that are none."""

from __future__ import annotations

import signal
import ssl
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from serving import SHARED, Served, answer, bearer, tool

from project_memory.errors import InvalidInput
from project_memory.web import certificates


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> tuple[Path, Path]:
    """Return a certificate for loopback, and its key."""
    return written(authority, tmp_path, "server")


def written(authority: trustme.CA, folder: Path, name: str) -> tuple[Path, Path]:
    issued = authority.issue_cert("localhost", "127.0.0.1")
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    certificate.write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
    key.write_bytes(issued.private_key_pem.bytes())
    return certificate, key


def refusal(certificate: Path, key: Path | None = None) -> str:
    with pytest.raises(InvalidInput) as error:
        certificates.check(certificate, key)
    return str(error.value)


def test_https_answers_who_trusts_its_certificate(
    served: Callable[..., Served], authority: trustme.CA, files: tuple[Path, Path]
) -> None:
    server = served("--tls-cert", str(files[0]), "--tls-key", str(files[1]))
    assert server.url.startswith("https://127.0.0.1:")
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    with httpx2.Client(verify=trusting, headers=bearer(SHARED)) as client:
        found = answer(
            client.post(f"{server.url}/mcp?project=shop", json=tool("recall", query="locked"))
        )
        assert found["result"]["structuredContent"]["answers"][0]["id"] == "first"
    with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
        httpx2.get(f"{server.url}/healthz")
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{server.url.replace('https', 'http')}/healthz")
    assert server.end(signal.SIGTERM) == 0


def test_one_file_may_hold_both(files: tuple[Path, Path]) -> None:
    certificate, key = files
    certificate.write_bytes(certificate.read_bytes() + key.read_bytes())
    certificates.check(certificate, None)


def test_a_file_that_cannot_be_read_is_named_with_its_option(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    certificate, _ = files
    gone = tmp_path / "gone"
    assert refusal(gone) == (
        f"certificate '{gone}' cannot be read (no such file or directory); name a file that this "
        "user can read with --tls-cert"
    )
    assert refusal(certificate, gone) == (
        f"key '{gone}' cannot be read (no such file or directory); name a file that this user can "
        "read with --tls-key"
    )
    assert refusal(certificate, tmp_path) == (
        f"key '{tmp_path}' cannot be read (is a directory); name a file that this user can read "
        "with --tls-key"
    )


def test_a_file_that_holds_something_else_is_named(files: tuple[Path, Path]) -> None:
    certificate, key = files
    assert refusal(key, key) == (
        f"'{key}' holds no certificate; give one with its chain as PEM with --tls-cert"
    )
    none = f"'{certificate}' holds no key; give the certificate's as PEM with --tls-key"
    assert refusal(certificate, certificate) == none
    assert refusal(certificate) == none


def test_a_key_of_another_certificate_is_refused(
    authority: trustme.CA, files: tuple[Path, Path], tmp_path: Path
) -> None:
    _, other = written(authority, tmp_path, "other")
    assert refusal(files[0], other) == (
        f"the key in '{other}' is not that of the certificate in '{files[0]}'; give those that "
        "belong together, the server's own certificate first in its file"
    )


def test_a_damaged_file_is_refused(files: tuple[Path, Path]) -> None:
    certificate, key = files
    lines = key.read_text().splitlines()
    key.write_text("\n".join([lines[0], lines[1][:20], *lines[2:]]))
    assert refusal(certificate, key) == (
        f"the certificate in '{certificate}' or the key in '{key}' is damaged (no PEM); write "
        "both again"
    )


def test_a_key_under_a_passphrase_is_refused_and_nobody_is_asked_for_it(
    files: tuple[Path, Path],
) -> None:
    certificate, key = files
    hidden = key.with_name("hidden.key")
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    lock = serialization.BestAvailableEncryption(b"word")
    held = serialization.load_pem_private_key(key.read_bytes(), None)
    hidden.write_bytes(held.private_bytes(*form, lock))
    assert refusal(certificate, hidden) == (
        f"the key in '{hidden}' is under a passphrase; write it without one into a file that only "
        "this user can read, with `openssl pkey -in KEY -out FILE`"
    )
