-- Where copies of the whole store were written, so that a purge can name them.
CREATE TABLE backups (
    host TEXT COLLATE "C" NOT NULL,
    file TEXT COLLATE "C" NOT NULL,
    made_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (host, file)
);
