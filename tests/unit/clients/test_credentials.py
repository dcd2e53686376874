"""Where tokens are kept: a keyring that works, else a file."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from project_memory.clients import credentials
from project_memory.errors import InvalidInput, NotFound

SERVER = "https://memory.example:8931"
FILE = "memory.example_8931"


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 5

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


class Locked(Ring):
    """One that nobody opens."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("nobody is there")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("nobody is there")


@pytest.fixture(autouse=True)
def _before() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def test_a_keyring_that_works_takes_the_token_and_no_file_remains(tmp_path: Path) -> None:
    credentials.write("older", SERVER, tmp_path)
    ring = Ring()
    keyring.set_keyring(ring)
    assert credentials.place(SERVER, tmp_path) == "keyring"
    assert credentials.keep("pmt_1", SERVER, tmp_path) == "keyring"
    assert ring.held == {("project-memory", SERVER): "pmt_1"}
    assert credentials.read(SERVER, tmp_path) == "pmt_1"
    assert list(tmp_path.iterdir()) == []


def test_without_one_a_file_for_its_owner_only_takes_it(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    for token in ("pmt_1", "pmt_2"):
        assert credentials.keep(token, SERVER, folder) == str(folder / FILE)
        assert credentials.read(SERVER, folder) == token
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert credentials.place(SERVER, folder) == str(folder / FILE)


def test_a_locked_keyring_leaves_it_to_the_file(tmp_path: Path) -> None:
    ring = Locked()
    ring.held["project-memory", SERVER] = "older"
    keyring.set_keyring(ring)
    assert credentials.keep("pmt_1", SERVER, tmp_path) == str(tmp_path / FILE)
    assert ring.held == {}  # so that the older one does not come back when it is open again
    assert credentials.read(SERVER, tmp_path) == "pmt_1"


def test_a_token_of_another_server_is_none_of_this_one(tmp_path: Path) -> None:
    credentials.keep("pmt_1", SERVER, tmp_path)
    with pytest.raises(NotFound) as error:
        credentials.read("https://memory.example", tmp_path)
    assert str(error.value) == (
        "no token for 'https://memory.example' is kept here; get a code from its administrator "
        "and run `project-memory join --server https://memory.example --code CODE`"
    )


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    with pytest.raises(InvalidInput) as error:
        credentials.keep("pmt_1", SERVER, tmp_path / "file")
    assert str(error.value) == (
        f"the token cannot be kept in '{tmp_path}/file/{FILE}' (file exists); name a folder that "
        "you can write to with --to"
    )
    with pytest.raises(InvalidInput) as unread:
        credentials.read(SERVER, tmp_path / "taken")
    assert str(unread.value) == (
        f"the token in '{tmp_path}/taken/{FILE}' cannot be read; check its permissions, or join "
        "the server again"
    )
