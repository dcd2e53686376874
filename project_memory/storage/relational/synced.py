"""Rows of the folders that projects are synced with."""

from __future__ import annotations

import json

from project_memory.storage.codec import to_json
from project_memory.storage.relational.session import Session
from project_memory.synced import Synced

_COLUMNS = "project, host, folder, revision, mark, absent"
_THIS = "project = ? AND host = ? AND folder = ?"


def one(session: Session, project: int, host: str, folder: str) -> Synced | None:
    """See `Reader.synced`."""
    sql = f"SELECT revision, mark, absent FROM synced_folders WHERE {_THIS}"
    row = session.row(sql, (project, host, folder))
    if row is None:
        return None
    revision, mark, absent = row
    left_out = {int(key): each for key, each in json.loads(absent).items()}
    return Synced(project, host, folder, revision, mark, left_out)


def put(session: Session, synced: Synced) -> None:
    """See `Writer.put_synced`."""
    key = (synced.project, synced.host, synced.folder)
    session.run(f"DELETE FROM synced_folders WHERE {_THIS}", key)
    absent = {str(each): revision for each, revision in sorted(synced.absent.items())}
    sql = f"INSERT INTO synced_folders ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
    session.run(sql, (*key, synced.revision, synced.mark, to_json(absent)))
