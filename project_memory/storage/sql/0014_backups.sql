-- Where copies of the whole store were written, so that a purge can name them.
CREATE TABLE backups (
    host TEXT NOT NULL,
    file TEXT NOT NULL,
    made_at TEXT NOT NULL,
    PRIMARY KEY (host, file)
) WITHOUT ROWID;
