-- Times are UTC text; documents, settings, aliases and history entries are JSON text.
-- The columns beside a document are what the store alone sets; of the document itself only the
-- id and the text digest are repeated, because lookups need them.

CREATE TABLE store (
    name TEXT NOT NULL PRIMARY KEY,
    value
) WITHOUT ROWID;

INSERT INTO store (name, value) VALUES ('id', lower(hex(randomblob(16))));
INSERT INTO store (name, value) VALUES ('last_key', 0);

CREATE TABLE projects (
    key INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE repository_ids (
    repository_id TEXT NOT NULL PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES projects (key)
) WITHOUT ROWID;

CREATE INDEX repository_ids_by_project ON repository_ids (project, repository_id);

CREATE TABLE labels (
    project INTEGER NOT NULL REFERENCES projects (key),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    aliases TEXT NOT NULL,
    broader TEXT,
    deprecated INTEGER NOT NULL CHECK (deprecated IN (0, 1)),
    PRIMARY KEY (project, name)
) WITHOUT ROWID;

CREATE TABLE single_prefixes (
    project INTEGER NOT NULL REFERENCES projects (key),
    prefix TEXT NOT NULL,
    PRIMARY KEY (project, prefix)
) WITHOUT ROWID;

CREATE TABLE memories (
    key INTEGER NOT NULL PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES projects (key),
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    document TEXT NOT NULL,
    own_status TEXT NOT NULL CHECK (own_status IN ('active', 'stale', 'wrong')),
    version INTEGER NOT NULL CHECK (version >= 1),
    links_version INTEGER NOT NULL CHECK (links_version >= 1),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    author TEXT NOT NULL,
    asserted_by TEXT NOT NULL CHECK (asserted_by IN ('user', 'agent', 'import')),
    archived_at TEXT,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    tier INTEGER NOT NULL,
    declared TEXT NOT NULL,
    UNIQUE (project, id)
);

CREATE INDEX memories_by_text ON memories (project, digest, id) WHERE archived_at IS NULL;

-- A redirect outlives its memory, so that a deletion that is undone finds it again.
CREATE TABLE redirects (
    project INTEGER NOT NULL REFERENCES projects (key),
    old_id TEXT NOT NULL,
    memory_key INTEGER NOT NULL,
    PRIMARY KEY (project, old_id)
) WITHOUT ROWID;

CREATE TABLE revisions (
    project INTEGER NOT NULL REFERENCES projects (key),
    number INTEGER NOT NULL,
    actor TEXT NOT NULL,
    authority TEXT NOT NULL CHECK (authority IN ('user', 'agent', 'import')),
    operation TEXT NOT NULL,
    reason TEXT,
    time TEXT NOT NULL,
    undoes INTEGER,
    PRIMARY KEY (project, number)
) WITHOUT ROWID;

CREATE INDEX revisions_by_actor ON revisions (project, actor, number);

-- One row for each thing a revision changed. memory_key, memory_id and version are those after
-- the change, or the last ones of a removed memory; they are null for labels and prefixes.
CREATE TABLE history (
    project INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('memory', 'label', 'prefix')),
    memory_key INTEGER,
    memory_id TEXT,
    version INTEGER,
    before TEXT,
    after TEXT,
    UNIQUE (project, revision, seq),
    FOREIGN KEY (project, revision) REFERENCES revisions (project, number)
);

CREATE UNIQUE INDEX history_by_memory ON history (project, memory_key, revision)
    WHERE memory_key IS NOT NULL;
CREATE INDEX history_by_id ON history (project, memory_id, version) WHERE memory_id IS NOT NULL;

-- Counters outlive their memory too.
CREATE TABLE usage (
    project INTEGER NOT NULL REFERENCES projects (key),
    memory_key INTEGER NOT NULL,
    counter TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project, memory_key, counter)
) WITHOUT ROWID;
