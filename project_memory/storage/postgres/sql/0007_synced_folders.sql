-- The revision that a folder was last brought to, for each project and folder that are synced.
-- `absent` is a JSON object: key of a memory whose file was missing -> revision it was last there.
CREATE TABLE synced_folders (
    project BIGINT NOT NULL REFERENCES projects (key),
    host TEXT COLLATE "C" NOT NULL,
    folder TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    mark TEXT NOT NULL,
    absent TEXT NOT NULL,
    PRIMARY KEY (project, host, folder)
);
