-- Background work: who is at it and until when, what came of it, when it is next due. The project 0
-- is the whole store.
CREATE TABLE jobs (
    project BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    worker TEXT,
    leased_until TEXT COLLATE "C",
    started_at TEXT COLLATE "C",
    succeeded_at TEXT COLLATE "C",
    due_at TEXT COLLATE "C",
    failures BIGINT NOT NULL,
    failing_since TEXT COLLATE "C",
    error TEXT,
    result TEXT,
    PRIMARY KEY (project, kind)
);
