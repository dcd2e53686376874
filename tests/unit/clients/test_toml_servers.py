from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from project_memory.clients import Entry
from project_memory.clients.toml_servers import servers
from project_memory.errors import InvalidInput

FORMAT = servers()
ENTRY = Entry("project-memory", ("--store", 'a "b" \\ é', "serve"))
TABLE = (
    '[mcp_servers.project-memory]\ncommand = "project-memory"\n'
    'args = ["--store", "a \\"b\\" \\\\ é", "serve"]'
)
PIECES = st.lists(
    st.sampled_from([
        "# note\n", "\n", "  \n", "a = 1", "b = [\n  1, # one\n\n  2\n]\n",
        "c = '''\n[mcp_servers.project-memory]\n'''\n", "[t]\nx = 1\n", "[[u]]\r\n",
        "[[u]]\nv = 1",
        "[mcp_servers.other]\ncommand = \"x\"\n", "[mcp_servers.docs.env]\nK = \"v\"\n",
    ]),
    max_size=6, unique=True,
)  # fmt: skip


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(PIECES, st.sampled_from(["", "\ufeff"]))
def test_what_was_put_is_taken_out_to_the_byte(pieces: list[str], mark: str) -> None:
    body = "".join(pieces)
    if not is_toml(body):
        body = "".join(f"{piece.rstrip()}\n" for piece in pieces)
    if is_toml(body):
        once = FORMAT.with_server(mark + body, ENTRY)
        read = tomllib.loads(once.removeprefix(mark))
        expected = tomllib.loads(body)
        server = {"command": ENTRY.command, "args": list(ENTRY.args)}
        expected.setdefault("mcp_servers", {})["project-memory"] = server
        assert read == expected
        assert FORMAT.command(once) == (ENTRY.command, *ENTRY.args)
        assert FORMAT.with_server(once, ENTRY) == once
        assert FORMAT.without_server(once) == mark + body


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{TABLE}\n"),
        ("", TABLE),
        ("a = 1", f"a = 1\n\n{TABLE}"),
        ("a = 1\n", f"a = 1\n\n{TABLE}\n"),
        ("a = 1\r\n", f"a = 1\n\n{TABLE}\n".replace("\n", "\r\n")),
        ('mcp_servers.x.command = "x"\n', f'mcp_servers.x.command = "x"\n\n{TABLE}\n'),
    ],
)
def test_our_table_stands_behind_all_else(before: str | None, after: str) -> None:
    assert FORMAT.with_server(before, ENTRY) == after
    assert FORMAT.without_server(after) == before


def test_what_others_wrote_since_stays() -> None:
    text = f"a = 1\n\n{TABLE}\nenabled = true\n\n# a note\n[z]\nb = 2\n"
    assert FORMAT.without_server(text) == "a = 1\n\n# a note\n[z]\nb = 2\n"


def test_a_table_with_a_table_of_its_own_goes_whole() -> None:
    text = f'{TABLE}\n\n[mcp_servers.project-memory.env]\nK = "v"\n\n[z]\nb = 2\n'
    left = FORMAT.without_server(text)
    assert tomllib.loads(left) == {"z": {"b": 2}}


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {x = {command = "x"}} # all\na = 1\n',
        '[mcp_servers]\nx = {url = "x"}\nproject-memory = {command = "old", env = {K = ""}}\n',
        '\ufeff[mcp_servers."project-memory"]\nargs = []\ncommand = "old" # mine\n[z]\n',
    ],
)
def test_other_ways_to_write_it_are_kept(text: str) -> None:
    changed = FORMAT.with_server(text, ENTRY)
    assert FORMAT.command(changed) == (ENTRY.command, *ENTRY.args)
    others = tomllib.loads(text.removeprefix("\ufeff"))
    others["mcp_servers"].pop("project-memory", None)
    left = tomllib.loads(FORMAT.without_server(changed).removeprefix("\ufeff"))
    assert {"mcp_servers": {}, **left} == others
    for comment in ("# all", "# mine"):
        assert (comment in changed) == (comment in text)


def test_what_is_not_there_is_not_taken_out() -> None:
    assert FORMAT.without_server("mcp_servers = 1\n") == "mcp_servers = 1\n"
    assert FORMAT.command("mcp_servers = 1\n") == ()
    assert FORMAT.command("[mcp_servers]\nproject-memory = 1\n") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = ]", "line 2 column 5 is not TOML"),
        ("a = [", "end of document is not TOML"),
        ("mcp_servers = 1", "'mcp_servers' is not a table"),
    ],
)
def test_what_cannot_be_understood_is_told(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        FORMAT.with_server(text, ENTRY)
    assert str(caught.value) == f"{message}; correct it by hand and run this again"


@pytest.mark.parametrize("text", [f"a={'[' * 5000}", f"a={'[' * 5000}{']' * 5000}"])
@pytest.mark.parametrize(
    "use", [lambda text: FORMAT.with_server(text, ENTRY), FORMAT.without_server, FORMAT.command]
)
def test_what_is_nested_too_deep_is_told(text: str, use) -> None:
    with pytest.raises(InvalidInput) as caught:
        use(text)
    said = "it is nested too deep to be read; correct it by hand and run this again"
    assert str(caught.value) == said
