-- Background work: who is at it and until when, what came of it, when it is next due. The project 0
-- is the whole store.
CREATE TABLE jobs (
    project INTEGER NOT NULL,
    kind TEXT NOT NULL,
    worker TEXT,
    leased_until TEXT,
    started_at TEXT,
    succeeded_at TEXT,
    due_at TEXT,
    failures INTEGER NOT NULL,
    failing_since TEXT,
    error TEXT,
    result TEXT,
    PRIMARY KEY (project, kind)
) WITHOUT ROWID;
