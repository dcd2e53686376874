"""Lines of input that are no message."""

from __future__ import annotations

import mcp_types as types
import pytest
from pydantic import ValidationError

from project_memory.mcp_server.lines import refusal

NO_JSON = -32700, "the line is no JSON; send one message on one line"
NOT_TAKEN = (
    -32700,
    "the line holds half of a surrogate pair, a number without end, or is nested too deep; "
    "send whole characters, and at most 100 levels",
)
NO_MESSAGE = (
    -32600,
    'the line is no JSON-RPC message; send {"jsonrpc": "2.0", "id", "method", "params": {}} '
    "on one line",
)


def why_unreadable(line: str) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    return caught.value


@pytest.mark.parametrize(
    ("line", "request_id", "said"),
    [
        ("{broken", None, NO_JSON),
        ("[" * 100_000, None, NO_JSON),
        ("\ufeff{}", None, NO_JSON),
        ('{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"\\ud800"}}', 7, NOT_TAKEN),
        ('{"jsonrpc":"2.0","id":"a","method":"x","params":' + '{"a":' * 300 + "1" + "}" * 301,
         "a", NOT_TAKEN),
        ("5", None, NO_MESSAGE),
        ('[{"jsonrpc":"2.0","id":7,"method":"x"}]', None, NO_MESSAGE),
        ('{"jsonrpc":"2.0","id":7,"method":5}', 7, NO_MESSAGE),
        ('{"jsonrpc":"2.0","id":"a","method":"x","params":[{"id":3}]}', "a", NO_MESSAGE),
        ('{"jsonrpc":"2.0","id":true,"method":5}', None, NO_MESSAGE),
        ('{"id":3}', 3, NO_MESSAGE),
    ],
)  # fmt: skip
def test_a_bad_line_is_refused_to_whoever_sent_it(
    line: str, request_id: object, said: tuple[int, str]
) -> None:
    answer = refusal(why_unreadable(line))
    assert (answer.id, (answer.error.code, answer.error.message)) == (request_id, said)


@pytest.mark.parametrize("line", ["\n", "   \r\n", "\t"])
def test_a_blank_line_is_passed_over(line: str) -> None:
    assert refusal(why_unreadable(line)) is None


def test_a_stream_that_cannot_be_decoded_is_refused() -> None:
    answer = refusal(ValueError("decoder"))
    assert (answer.id, (answer.error.code, answer.error.message)) == (None, NO_JSON)
