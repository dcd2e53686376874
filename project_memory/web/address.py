"""Where a server listens, and by which names and from which pages it lets itself be asked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from project_memory.errors import InvalidInput

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_FORM = "use HOST:PORT, such as 127.0.0.1:8931 or [::1]:8931"
_NAME = re.compile(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+")
_ORIGIN = re.compile(r"https?://[^/\s?#@]+")


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and with which certificate.

    Attributes:
        host: Name or IP address, without brackets.
        port: 0 for one that is free.
        certificate: File with the certificate and its chain, or None for no TLS.
        key: File with its key; None where the certificate's file holds it.
    """

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        """Return ``https`` with a certificate, else ``http``."""
        return "http" if self.certificate is None else "https"

    @property
    def is_loopback(self) -> bool:
        """Return whether only this machine can connect."""
        return is_loopback(self.host)

    def url(self, port: int) -> str:
        """Return where it can be asked, at the port that was given to it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{port}"


@dataclass(frozen=True, slots=True)
class Gates:
    """Which requests are looked at.

    Attributes:
        hosts: Names in ``Host`` that are this server's, in lower case, without port.
        origins: Values of ``Origin`` that are let in beside pages of this server itself.
    """

    hosts: frozenset[str]
    origins: frozenset[str] = frozenset()


def parsed(bind: str, certificate: Path | None = None, key: Path | None = None) -> Address:
    """Return the address that ``HOST:PORT`` names.

    Raises:
        InvalidInput: it is of another form, or there is a key without certificate.
    """
    host, colon, port = bind.rpartition(":")
    bare = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host
    bracketed = bare != host
    if not colon or not bare or not _NAME.fullmatch(bare) or (":" in bare) is not bracketed:
        raise InvalidInput(f"'{bind}' is no address; {_FORM}")
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        raise InvalidInput(f"'{port}' in '{bind}' is no port; {_FORM}")
    if key is not None and certificate is None:
        raise InvalidInput("--tls-key is given without --tls-cert; give both, or neither")
    return Address(bare, int(port), certificate, key)


def gates(address: Address, hosts: Iterable[str] = (), origins: Iterable[str] = ()) -> Gates:
    """Return what is let in: by the address itself, by loopback names, and by these.

    Raises:
        InvalidInput: a name or an origin is of another form.
    """
    names, given = {*_LOOPBACK, address.host.lower()}, list(origins)
    for name in hosts:
        if not _NAME.fullmatch(name):
            raise InvalidInput(f"'{name}' is no host name; name it without scheme and port")
        names.add(name.lower())
    for origin in given:
        if not _ORIGIN.fullmatch(origin):
            raise InvalidInput(
                f"'{origin}' is no origin; use SCHEME://HOST or SCHEME://HOST:PORT, without a path"
            )
    return Gates(frozenset(names), frozenset(origin.lower() for origin in given))


def warnings(address: Address, gates: Gates) -> list[str]:
    """Return what the administrator should know before anybody connects."""
    found = []
    if not address.is_loopback and address.certificate is None:
        found.append(
            f"warning: tokens and memories cross the network in the clear at '{address.host}'; "
            "give --tls-cert and --tls-key, or bind to loopback behind a proxy that has TLS"
        )
    if _is_wildcard(address.host) and gates.hosts <= {*_LOOPBACK, address.host.lower()}:
        found.append(
            f"warning: '{address.host}' is every address of this machine, and no name of it is "
            "known; give the names that clients use with --allow-host"
        )
    return found


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, as seen from itself only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_wildcard(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
