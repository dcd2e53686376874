"""Our errors in the words of an agent's channel."""

from __future__ import annotations

import pytest

from project_memory.errors import InvalidDocument, InvalidInput, NotFound, SecretFound
from project_memory.mcp_server.translation import failure, for_agents, message
from project_memory.model import Problem


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("list ids with `project-memory list`", "list ids with search_memories"),
        ("`project-memory show first` lists its links", "get_memory lists its links"),
        ("add it with `project-memory labels add a:b`", "add it with add_label"),
        ("use `project-memory link NEW-ID supersedes first`", "use link_memories"),
        ("remove one with `project-memory unlink`", "remove one with link_memories and remove"),
        ("`project-memory history undo` brings it back", "undo brings it back"),
        ("allow the duplicate (--allow-duplicate)", "allow the duplicate (allow_duplicate)"),
        ("run `project-memory init`", "run `project-memory init`"),
    ],
)
def test_remedies_name_the_tools_there_are(said: str, heard: str) -> None:
    assert for_agents(said) == heard


def test_a_message_ends_with_the_code_even_where_the_text_ends_with_a_bracket() -> None:
    assert message(InvalidInput("expected [a]")) == "expected [a] [invalid-input]"
    assert message(SecretFound([("$.pitfalls[0]", "jwt")])) == (
        "$.pitfalls[0] looks like a secret (rule 'jwt'); say where the secret lives, not its "
        "value [secret-found]"
    )


def test_what_was_noted_on_the_way_is_said_too() -> None:
    error = NotFound("no store")
    error.add_note("make one")
    error.add_note("or name another")
    assert message(error) == "no store; make one; or name another [not-found]"


def test_problems_stand_one_a_line_below_the_code() -> None:
    problems = [Problem("rule-a", "it is bad", "$.a"), Problem("rule-b", "so is it", fix="go")]
    assert message(InvalidDocument(problems)) == (
        "refused, nothing was done [invalid-document]\n"
        "$.a: it is bad [rule-a]\n"
        "$: so is it; go [rule-b]"
    )


def test_half_a_character_in_a_message_is_written_out() -> None:
    (content,) = failure("no memory '\ud800'").content
    assert content.text == "no memory '\\ud800'"
