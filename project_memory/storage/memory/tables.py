"""What the in-memory store holds."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from secrets import token_hex

from project_memory.backups import Backup
from project_memory.jobs import Job
from project_memory.model import Label, Project, Question, Uses
from project_memory.synced import Synced
from project_memory.tokens import Enrollment, Session, Token

URL = "inmemory://"


@dataclass
class Row:
    """A memory as JSON text with what it is found by."""

    project: int
    id: str
    digest: str
    memory: str
    bands: frozenset[int] = frozenset()
    signs: bytes = b""


@dataclass
class Tables:
    """Everything stored; values are immutable or text, so that a shallow copy is a snapshot."""

    store_id: str = field(default_factory=lambda: token_hex(16))
    last_key: int = 0
    last_project: int = 0
    owes_sweep: bool = False
    projects: dict[int, Project] = field(default_factory=dict)
    labels: dict[tuple[int, str], Label] = field(default_factory=dict)
    prefixes: dict[tuple[int, str], bool] = field(default_factory=dict)
    expectations: dict[tuple[int, str], str] = field(default_factory=dict)
    memories: dict[int, Row] = field(default_factory=dict)
    keys: dict[tuple[int, str], int] = field(default_factory=dict)
    redirects: dict[tuple[int, str], int] = field(default_factory=dict)
    revisions: dict[tuple[int, int], str] = field(default_factory=dict)
    proposals: dict[tuple[int, int], str] = field(default_factory=dict)
    sightings: dict[tuple[int, str, str, str], str] = field(default_factory=dict)
    uses: dict[tuple[int, int, int], Uses] = field(default_factory=dict)
    questions: dict[tuple[int, str], int] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    enrollments: dict[str, Enrollment] = field(default_factory=dict)
    jobs: dict[tuple[int, str], Job] = field(default_factory=dict)
    backups: dict[tuple[str, str], Backup] = field(default_factory=dict)
    synced: dict[tuple[int, str, str], Synced] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    unhelped: dict[tuple[int, str], Question] = field(default_factory=dict)
    tombstones: dict[tuple[int, str], bool] = field(default_factory=dict)

    def copy(self) -> Tables:
        """Return tables that can change without a trace in these."""
        tables = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                setattr(tables, name, dict(value))
        return tables
