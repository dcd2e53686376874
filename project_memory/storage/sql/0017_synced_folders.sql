-- The revision that a folder was last brought to, for each project and folder that are synced.
-- `absent` is a JSON object: key of a memory whose file was missing -> revision it was last there.
CREATE TABLE synced_folders (
    project INTEGER NOT NULL REFERENCES projects (key),
    host TEXT NOT NULL,
    folder TEXT NOT NULL,
    revision INTEGER NOT NULL,
    mark TEXT NOT NULL,
    absent TEXT NOT NULL,
    PRIMARY KEY (project, host, folder)
) WITHOUT ROWID;
