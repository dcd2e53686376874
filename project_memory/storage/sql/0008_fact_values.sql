-- Under which key a memory's facts say what, as documents.fact_values gives it: by this a reader
-- finds who says otherwise without reading everything. What the store holds already is entered by
-- a function that the upgrade brings along.

CREATE TABLE fact_values (
    project INTEGER NOT NULL,
    fact_key TEXT NOT NULL,
    value TEXT NOT NULL,
    memory_key INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
    PRIMARY KEY (project, fact_key, value, memory_key)
) WITHOUT ROWID;

CREATE INDEX fact_values_by_memory ON fact_values (memory_key);

INSERT INTO fact_values (project, fact_key, value, memory_key)
SELECT m.project, json_extract(f.value, '$[0]'), json_extract(f.value, '$[1]'), m.key
FROM memories AS m, json_each(fact_values(m.document)) AS f;
