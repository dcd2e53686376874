-- What a project expects to be found, as JSON text, by the digest of its question.
CREATE TABLE expectations (
    project INTEGER NOT NULL REFERENCES projects (key),
    id TEXT NOT NULL,
    expectation TEXT NOT NULL,
    PRIMARY KEY (project, id)
) WITHOUT ROWID;

-- A check of a column cannot be changed in place: the rows move to a table that has another one.
CREATE TABLE history_with_expectations (
    project INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('memory', 'label', 'prefix', 'expectation')),
    memory_key INTEGER,
    memory_id TEXT,
    version INTEGER,
    before TEXT,
    after TEXT,
    UNIQUE (project, revision, seq),
    FOREIGN KEY (project, revision) REFERENCES revisions (project, number)
);

INSERT INTO history_with_expectations
    (project, revision, seq, subject, memory_key, memory_id, version, before, after)
    SELECT project, revision, seq, subject, memory_key, memory_id, version, before, after
    FROM history ORDER BY project, revision, seq;

DROP TABLE history;
ALTER TABLE history_with_expectations RENAME TO history;

CREATE UNIQUE INDEX history_by_memory ON history (project, memory_key, revision)
    WHERE memory_key IS NOT NULL;
CREATE INDEX history_by_id ON history (project, memory_id, version) WHERE memory_id IS NOT NULL;
