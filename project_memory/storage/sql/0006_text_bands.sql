-- Under which keys the text of a memory meets texts like it (duplicates.bands). What the store
-- holds already is hashed here, by a function that the upgrade brings along.

CREATE TABLE text_bands (
    project INTEGER NOT NULL,
    band INTEGER NOT NULL,
    memory_key INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    PRIMARY KEY (project, band, memory_key)
) WITHOUT ROWID;

CREATE INDEX text_bands_by_memory ON text_bands (memory_key);

INSERT INTO text_bands (project, band, memory_key)
SELECT m.project, b.value, m.key FROM memories AS m, json_each(text_bands(m.document)) AS b;
