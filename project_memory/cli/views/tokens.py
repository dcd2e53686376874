"""Tokens: shown once, listed, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from project_memory.cli.output import Data, View

if TYPE_CHECKING:
    from rich.console import Console

NOBODY = (
    "nobody has a token; give one with `project-memory tokens add NAME --role writer "
    "--for PROJECT`"
)
"""What a store is told of to which nobody has a token yet."""

_HEADS = ("id", "actor", "role", "projects", "created", "expires", "state")


def _scope(one: Data) -> str:
    projects = one.get("projects")
    return "every project" if projects is None else " ".join(projects)


def _issued(one: Data) -> Iterator[tuple[object, ...]]:
    yield (one["token"],)


def _show_issued(one: Data, console: Console) -> None:
    console.print(one["token"], soft_wrap=True)


def _about_issued(one: Data) -> Iterator[str]:
    yield (
        f"keep it, it is shown only now: token {one['id']} of {one['actor']}, {one['role']} for "
        f"{_scope(one)}, until {one['expires_at']}"
    )


def _listed(found: Data) -> Iterator[tuple[object, ...]]:
    for one in found["tokens"]:
        times = one["created_at"], one["expires_at"]
        yield one["id"], one["actor"], one["role"], _scope(one), *times, one["state"]


def _show_listed(found: Data, console: Console) -> None:
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(*(Text(head, style="dim") for head in _HEADS))
    for row in _listed(found):
        style = "" if row[-1] == "live" else "dim"
        table.add_row(*(Text(str(cell), style=style) for cell in row))
    if found["tokens"]:
        console.print(table)


def _about_listed(found: Data) -> Iterator[str]:
    if not found["tokens"]:
        yield NOBODY


def _revoked(done: Data) -> Iterator[tuple[object, ...]]:
    for name in done["ids"]:
        yield (name,)


def _show_revoked(done: Data, console: Console) -> None:
    names, actors = ", ".join(done["ids"]), ", ".join(done["actors"])
    console.print(f"revoked {names} of {actors}")


_JOIN = "project-memory join --server URL --code CODE"
_LOG_IN = "log in with it as a person, where the server is open in a browser"


def _invitation(one: Data) -> Iterator[tuple[object, ...]]:
    yield (one["code"],)


def _show_invitation(one: Data, console: Console) -> None:
    console.print(one["code"], soft_wrap=True)


def _about_invitation(one: Data) -> Iterator[str]:
    use = _LOG_IN if one["person"] else f"run `{_JOIN}`"
    yield (
        f"for {one['actor']}, {one['role']} for {_scope(one)}; once, until {one['expires_at']}, "
        f"{use}"
    )


def _joined(done: Data) -> Iterator[tuple[object, ...]]:
    yield "token", done["kept"]
    for client in done["clients"]:
        yield "client", client["client"], client["change"], client["config"]


def _show_joined(done: Data, console: Console) -> None:
    would = "would be" if done["dry_run"] else "is"
    console.print(f"the token {would} in {_kept(done)}", soft_wrap=True)
    for client in done["clients"]:
        console.print(f"{client['client']}: {client['change']} {client['config']}", soft_wrap=True)


def _kept(done: Data) -> str:
    return "the keyring" if done["kept"] == "keyring" else str(done["kept"])


def _about_joined(done: Data) -> Iterator[str]:
    if done["dry_run"]:
        yield "dry run: nothing was changed, and the code can still be used"
        return
    token = done["token"]
    yield (
        f"token {token['id']} of {token['actor']}, {token['role']} for {_scope(token)}, until "
        f"{token['expires_at']}"
    )
    if not done["clients"]:
        yield (
            "no client was told of the server; let one start `project-memory serve --server "
            f"{done['server']}`, or name it with --client"
        )


INVITATION = View(_invitation, _show_invitation, _about_invitation)
JOINED = View(_joined, _show_joined, _about_joined)
ISSUED = View(_issued, _show_issued, _about_issued)
LISTED = View(_listed, _show_listed, _about_listed)
REVOKED = View(_revoked, _show_revoked)
