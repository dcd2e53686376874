"""The URL of a PostgreSQL database, and what of it may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode

from project_memory.errors import InvalidInput

# Nothing that a password could have slipped into is taken for a host, a port or a name.
_FORM = re.compile(
    r"""(?i:postgres(?:ql)?)://
    (?:(?P<user>[^:@/?#\s]*)(?::(?P<password>[^@/?#\s]*))?@)?
    (?P<hosts>(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]|%2F[\w.%-]*)?(?::\d+)?
        (?:,(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?)*)
    (?:/(?P<database>[\w.%~-]*))?
    (?:\?(?P<options>[^#\s]*))?""",
    re.VERBOSE | re.ASCII,
)
_SHOWN = ("dbname", "host", "port", "service", "sslmode", "user")


@dataclass(frozen=True, slots=True)
class Server:
    """A database by its URL, whose password is never shown.

    Attributes:
        url: As given, which libpq understands.
        shown: The same without what may be secret; it opens the same database where the password
            comes from the environment or a password file.
    """

    url: str = field(repr=False)
    shown: str = field(init=False)

    def __post_init__(self) -> None:
        """Read the URL.

        Raises:
            InvalidInput: it cannot be told for certain which part is the password.
        """
        object.__setattr__(self, "shown", _shown(self.url))

    def __str__(self) -> str:
        return self.shown


def _shown(url: str) -> str:
    form = _FORM.fullmatch(url)
    if form is None:
        raise InvalidInput(
            "a store URL that begins with 'postgresql://' cannot be read; write "
            "`postgresql://user@host:port/database`, with other characters percent-encoded, and "
            "give the password in PGPASSWORD or ~/.pgpass"
        )
    user = f"{form['user']}@" if form["user"] else ""
    database = f"/{form['database']}" if form["database"] else ""
    options = [pair for pair in parse_qsl(form["options"] or "") if pair[0] in _SHOWN]
    asked = f"?{urlencode(options, quote_via=quote, safe='/')}" if options else ""
    return f"postgresql://{user}{form['hosts']}{database}{asked}"
