"""What the arguments of commands are, by the names that help gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

_MEANINGS = {
    "ALIAS": "A name of the form prefix:name that nothing else has.",
    "BASE": "The file as both sides had it.",
    "BROADER": "A registered label, which is to stand above the first.",
    "DIR": "A folder that export wrote, or where one shall be.",
    "EXACT-NAME": "The whole name of the project, so that no other is meant.",
    "EXPR": "What a memory must carry; several words are one expression.",
    "FILE": "The file to be read.",
    "FOLDER|FILE.db": "Where the copy goes; in a folder its name says of what and of when it is.",
    "FROM": "Id of the memory whose link it is.",
    "ID": "Id of a memory; project-memory list prints them.",
    "ID|QUERY": "Id or question of what is expected; project-memory expect list prints both.",
    "INTO": "A registered label, which takes the place of the first.",
    "KIND": "Kind of the link; see project-memory link --help.",
    "LABEL": "A label such as area:auth; project-memory labels list prints those there are.",
    "NAME": "What it is to be called.",
    "NAME=VALUE": "A setting and what it is to be; several are changed together.",
    "NAME|ID": "An actor, or the id of one token; project-memory tokens list prints both.",
    "NEW": "Its name from then on, of the form prefix:name.",
    "NEW_ID": "Its id from then on: words in lower case with hyphens between them.",
    "NUMBER": "Number of what waits; project-memory review list prints it.",
    "OLD": "Number of the earlier version; the first is 1.",
    "PATH": "The folder or file; its ending says of which form it is.",
    "PATH|URL": "A folder, a file or a store; without it, the project at hand.",
    "PREFIX": "What stands before the colon of a label, such as kind.",
    "REPOSITORY": "Id of a repository; project-memory project show prints those there are.",
    "REVISION": "Number of a revision; project-memory history list prints them.",
    "SHELL": "bash, zsh or fish.",
    "STATUS": "What to call it: active, stale or wrong.",
    "TEXT": "What it says, as one argument.",
    "THEIRS": "The file as the other side has it.",
    "TO": "Id of the memory that the link leads to.",
    "VERSION": "Number of the version; the first is 1.",
}


def explained(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield (name, meaning) of each argument that the command's own text does not name."""
    text = command.help or ""
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            name = named(parameter, context)
            if not mentions(text, name) and name in _MEANINGS:
                yield name, _MEANINGS[name]


def named(argument: click.Argument, context: click.Context) -> str:
    """Return the name of an argument as help shows it, without brackets and dots."""
    return re.sub(r"[\[\]]|\.{3}", "", argument.make_metavar(context))


def mentions(text: str, name: str) -> bool:
    """Return whether a text names an argument."""
    return re.search(rf"(?<![\w|-]){re.escape(name)}(?![\w|-])", text) is not None
