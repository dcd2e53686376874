"""`Host`: one store, opened once, for every project in it and whoever speaks to it."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from project_memory import roles, services, tokens
from project_memory.app import ProjectMemory
from project_memory.errors import NotFound
from project_memory.jobs import Kind, Plan
from project_memory.model import Actor, Authority, Clock, Project, system_clock, timestamp
from project_memory.ports import Storage
from project_memory.roles import Claim, Role, Speaker
from project_memory.storage import open_storage

if TYPE_CHECKING:  # what a use case needs loads with it
    from project_memory.services.computing import JobState
    from project_memory.services.sessions import Begun, Known
    from project_memory.services.tokens import Invitation, Issued, Revoked, TokenList
    from project_memory.services.working import Background, Task

_SELF = Actor("project-memory", Authority.AGENT)

Verify: TypeAlias = Callable[[bytes], Claim]
"""Returns what a token of an identity provider claims, or raises why it is not accepted."""


class Host:
    """A store that is served; safe to share between threads.

    Each project is opened when it is first asked for, and its index and counters are shared by
    everybody who asks after that.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        shared_token: str | None = None,
        verify: Verify | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._storage = storage
        self._shared_token = shared_token
        self._verify = verify
        self._clock = clock
        self._lock = Lock()
        self._opened: dict[tuple[int, str], ProjectMemory] = {}
        self._work: Background | None = None
        self._follower = services.following.Follower(storage, self._take_in)

    @classmethod
    def open(
        cls,
        url: str | None,
        *,
        shared_token: str | None = None,
        verify: Verify | None = None,
        clock: Clock = system_clock,
    ) -> Host:
        """Open the store at `url` (None: the default place).

        `verify` reads tokens that are none of this store's.

        Raises:
            InvalidInput: the shared token is nobody's secret. See `identity.check_shared`.
            NotFound: there is no such store.
            StorageError: the store cannot be read.
        """
        if shared_token is not None:
            services.identity.check_shared(shared_token)
        storage = open_storage(url, create=False)
        return cls(storage, shared_token=shared_token, verify=verify, clock=clock)

    @property
    def store(self) -> str:
        """Return where the store is, without credentials."""
        return self._storage.url

    def identify(self, token: bytes | None) -> Speaker:
        """Return who speaks with this token.

        Raises:
            Unidentified: there is none, or it is not accepted.
            Forbidden: it is of an identity provider, and grants no role here.
            IssuerUnreachable: it cannot be checked.
        """
        given = services.identity.check_token(token)
        if services.identity.is_shared(given, self._shared_token):
            return services.identity.shared_speaker()
        if self._verify is not None and tokens.id_of(given) is None:
            claim = self._verify(given)
            with self._storage.read() as reader:
                return services.identity.claimed_speaker(reader, claim)
        with self._storage.read() as reader:
            return services.identity.known_speaker(reader, given, self._clock())

    def log_in(self, token: bytes) -> Begun:
        """Begin a session of a browser with a token. See `sessions.begin`."""
        return services.sessions.begin(self._storage, self._clock, token, self._shared_token)

    def log_in_person(self, code: str) -> Begun:
        """Begin a session of a person with a code. See `sessions.begin_of_person`."""
        return services.sessions.begin_of_person(self._storage, self._clock, code)

    def session(self, session: bytes) -> Known:
        """Return who speaks with a session. See `sessions.known`."""
        with self._storage.read() as reader:
            return services.sessions.known(reader, session, self._clock(), self._shared_token)

    def log_out(self, session: bytes) -> None:
        """End a session. See `sessions.end`."""
        services.sessions.end(self._storage, session)

    def project(self, speaker: Speaker, name: str) -> Project:
        """Return the project of this name or repository id.

        Raises:
            NotFound: there is none for this speaker; the message names those that there are.
        """
        with self._storage.read() as reader:
            found = reader.project(name)
            if found is not None and speaker.sees(found):
                return found
            seen = _used(roles.visible(speaker, reader.projects()))
        known = ", ".join(f"'{project.name}'" for project in seen) or "none yet"
        raise NotFound(f"no project '{name}' here (projects: {known}); name one of them")

    def projects(self, speaker: Speaker) -> list[Project]:
        """Return the projects in use that there are for a speaker, by name."""
        with self._storage.read() as reader:
            return _used(roles.visible(speaker, reader.projects()))

    def memories(self, speaker: Speaker, project: Project) -> ProjectMemory:
        """Return a project in the name of a speaker; it need not be closed."""
        return self._open(project, speaker.actor).spoken_to_by(speaker)

    def begin_work(self, plan: Plan) -> None:
        """Do background work in a thread, until the store is closed.

        A failure of it is in `jobs`, and in the log.
        """
        name = services.working.new_worker(platform.node(), os.getpid())
        worker = services.working.Worker(self._storage, name, self._clock)
        self._work = services.working.Background(worker, lambda: self._tasks(plan))

    def jobs(self) -> list[JobState]:
        """Return the state of all background work. See `computing.states`."""
        with self._storage.read() as reader:
            return services.computing.states(reader, timestamp(self._clock()))

    def warnings(self) -> list[str]:
        """Return what an administrator should see to, in words that tell a stranger nothing."""
        return [
            f"backups fail since {job.failing_since}; see the log"
            for job in self.jobs()
            if job.kind is Kind.BACKUP and job.failures
        ]

    def _tasks(self, plan: Plan) -> Iterator[Task]:
        yield from services.tasks.of_store(self._storage, plan, platform.node(), self._clock)
        if plan.kinds:
            with self._storage.read() as reader:
                projects = _used(reader.projects())
            for project in projects:
                yield from self._open(project, _SELF).tasks(plan)

    def _open(self, project: Project, actor: Actor) -> ProjectMemory:
        key = project.key, project.name
        with self._lock:
            if key not in self._opened:
                self._opened[key] = ProjectMemory(
                    self._storage, project.name, actor, clock=self._clock
                )
            return self._opened[key]

    def has_tokens(self) -> bool:
        """Return whether there is a token that is accepted, beside the shared one."""
        return any(token.state == "live" for token in self.tokens().tokens)

    def add_token(
        self, name: str, *, role: Role, projects: Iterable[str] | None, days: int
    ) -> Issued:
        """Give out a token. See `tokens.add`."""
        return services.tokens.add(
            self._storage, self._clock, name, role=role, projects=projects, days=days
        )

    def invite(
        self,
        name: str,
        *,
        role: Role,
        projects: Iterable[str] | None,
        days: int,
        vouching: Actor | None = None,
    ) -> Invitation:
        """Give out a code that becomes a token once. See `tokens.invite`."""
        return services.tokens.invite(
            self._storage,
            self._clock,
            name,
            role=role,
            projects=projects,
            days=days,
            vouching=vouching,
        )

    def redeem(self, code: str) -> Issued:
        """Make a token of a code. See `tokens.redeem`."""
        return services.tokens.redeem(self._storage, self._clock, code)

    def tokens(self) -> TokenList:
        """Return every token that was given out. See `tokens.listed`."""
        return services.tokens.listed(self._storage, self._clock)

    def revoke(self, name: str) -> Revoked:
        """Take back a token, or all of an actor. See `tokens.revoke`."""
        return services.tokens.revoke(self._storage, self._clock, name)

    def check_ready(self) -> None:
        """Read from the store, and return if that is possible.

        Raises:
            ProjectMemoryError: it is not.
        """
        with self._storage.read() as reader:
            reader.store_id()

    def close(self) -> None:
        """Write what was counted, and release the store; idempotent."""
        if self._work is not None:
            self._work.close()
        self._follower.close()
        with self._lock:
            for opened in self._opened.values():
                opened.settle()
            self._opened.clear()
        self._storage.close()

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _take_in(self, project: int) -> None:
        for opened in list(self._opened.values()):
            opened.take_in(project)


def _used(projects: Iterable[Project]) -> list[Project]:
    return [project for project in projects if not project.archived]
