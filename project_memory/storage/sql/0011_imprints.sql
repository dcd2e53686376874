-- What the texts of memories are told apart by (duplicates.imprint), so that whoever looks for twins
-- need not read texts that met by chance; and under which bands each is. Half of what the bands
-- cost was an index by memory, which only served to remove them: it goes, and they are removed by
-- what is kept here. Signs are hashed, and bands packed, by functions that the upgrade brings along.

CREATE TABLE imprints (
    memory_key INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
    signs BLOB NOT NULL,
    bands BLOB NOT NULL
);

INSERT INTO imprints (memory_key, signs, bands)
SELECT m.key, text_signs(m.document), packed_bands(b.bands)
FROM memories AS m JOIN (
    SELECT memory_key, json_group_array(band) AS bands FROM text_bands GROUP BY memory_key
) AS b ON b.memory_key = m.key;

-- a constraint cannot be taken from a table: the rows move to one that lacks it
CREATE TABLE text_bands_alone (
    project INTEGER NOT NULL,
    band INTEGER NOT NULL,
    memory_key INTEGER NOT NULL,
    PRIMARY KEY (project, band, memory_key)
) WITHOUT ROWID;

INSERT INTO text_bands_alone (project, band, memory_key)
SELECT project, band, memory_key FROM text_bands ORDER BY project, band, memory_key;

DROP TABLE text_bands;
ALTER TABLE text_bands_alone RENAME TO text_bands;
