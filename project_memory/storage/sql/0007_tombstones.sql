-- Keyed digests of ids and texts that were purged, so that neither comes back.
CREATE TABLE tombstones (
    project INTEGER NOT NULL REFERENCES projects (key),
    digest TEXT NOT NULL,
    PRIMARY KEY (project, digest)
) WITHOUT ROWID;
