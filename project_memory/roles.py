"""Who may do what on a shared server: roles, projects, and the one function that decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from project_memory.errors import Forbidden
from project_memory.model import Actor, Authority, Project


class Role(StrEnum):
    """What somebody is on a shared server; each may do what the one before it may."""

    READER = "reader"
    WRITER = "writer"
    ADMIN = "admin"


class Right(StrEnum):
    """What a request needs of whoever makes it."""

    READ = "read"
    WRITE = "write"
    ADMINISTER = "administer"


RIGHTS: Mapping[Role, frozenset[Right]] = MappingProxyType(
    {
        Role.READER: frozenset({Right.READ}),
        Role.WRITER: frozenset({Right.READ, Right.WRITE}),
        Role.ADMIN: frozenset(Right),
    }
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody whom a shared server knows.

    Attributes:
        name: Name of the actor, under which history keeps what it does.
        role: What it is.
        projects: Keys of the projects that exist for it; None: every one.
        person: Whether a person at a terminal said that a person speaks here.
    """

    name: str
    role: Role
    projects: frozenset[int] | None = None
    person: bool = False

    @property
    def actor(self) -> Actor:
        """Return who acts: over a network a person is not seen, and can only be vouched for."""
        return Actor(self.name, Authority.USER if self.person else Authority.AGENT)

    def sees(self, project: Project) -> bool:
        """Return whether a project exists for this speaker."""
        return self.projects is None or project.key in self.projects


@dataclass(frozen=True, slots=True)
class Claim:
    """What a token of an identity provider says of who holds it.

    Attributes:
        subject: Name of who it is, unique at the provider.
        roles: Roles in any service; ours are `GRANTED` and the role.
        projects: Names or repository ids of projects, or `EVERY` for all of them.
    """

    subject: str
    roles: frozenset[str]
    projects: frozenset[str]

    @property
    def name(self) -> str:
        """Return the name of the actor; no token of our own speaks for one with a colon."""
        return f"oidc:{self.subject}"


GRANTED = "project-memory:"
"""What a role of ours begins with at an identity provider."""

EVERY = "*"
"""What stands for every project there."""


def highest(roles: Iterable[str]) -> Role | None:
    """Return our role that may do most of what an identity provider names, or None."""
    named = frozenset(roles)
    return next((role for role in reversed(Role) if f"{GRANTED}{role}" in named), None)


def authorize(speaker: Speaker, right: Right, project: Project | None) -> None:
    """Refuse what is not allowed by role and by project.

    Args:
        speaker: Who asks.
        right: What the request needs.
        project: Where; None for what concerns the whole store.

    Raises:
        Forbidden: it may not.
    """
    if right not in RIGHTS[speaker.role]:
        able = " or ".join(f"'{role}'" for role in Role if right in RIGHTS[role])
        raise Forbidden(
            f"'{speaker.name}' is a {speaker.role} and may not {right} here; ask an administrator "
            f"for a token with the role {able}"
        )
    if speaker.projects is not None and (project is None or not speaker.sees(project)):
        raise Forbidden(
            f"'{speaker.name}' may not {right} what is outside its projects; ask an administrator "
            "for a token that reaches further"
        )


def visible(speaker: Speaker, projects: Iterable[Project]) -> list[Project]:
    """Return the projects that exist for a speaker, in the order given."""
    return [project for project in projects if speaker.sees(project)]
