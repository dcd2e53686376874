-- What audits found, each once, as it last changed; an audit that finds the same adds nothing.
CREATE TABLE sightings (
    project INTEGER NOT NULL REFERENCES projects (key),
    subject TEXT NOT NULL,
    code TEXT NOT NULL,
    place TEXT NOT NULL,
    sighting TEXT NOT NULL,
    PRIMARY KEY (project, subject, code, place)
) WITHOUT ROWID;
