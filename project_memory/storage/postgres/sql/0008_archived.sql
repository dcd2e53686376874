-- Since when a project is out of use; null while it is in use.
ALTER TABLE projects ADD COLUMN archived_at TEXT COLLATE "C";

-- The highest key of a project that was removed: no other gets it, as tokens may name it.
INSERT INTO store (name, value) VALUES ('last_project', '0');
