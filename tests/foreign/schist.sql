CREATE TABLE agent_memory (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, date TEXT NOT NULL, entry_type TEXT NOT NULL, content TEXT NOT NULL, tags TEXT, related_doc TEXT, source_ref TEXT, confidence TEXT NOT NULL DEFAULT 'medium', created_at TEXT NOT NULL);
INSERT INTO agent_memory VALUES (1,'ada','2026-11-03','lesson','A full text query rejects hyphens: quote the word, or take them out.','["project:shop","topic:fts5"]','notes/full-text.md',NULL,'high','2026-11-03 10:00:00');
INSERT INTO agent_memory VALUES (2,'bob','2026-11-04','blocker','The review of row level security is still pending','["security"]',NULL,'pull request 66','medium','2026-11-04 10:00:00');
INSERT INTO agent_memory VALUES (3,'ada','2026-11-05','completion','Merged',NULL,NULL,NULL,'low','2026-11-05 10:00:00');
CREATE TABLE agent_state (key TEXT PRIMARY KEY, value TEXT NOT NULL, owner TEXT NOT NULL, updated_at TEXT NOT NULL, ttl_hours INTEGER);
INSERT INTO agent_state VALUES ('ada.current','266','ada','2026-11-05 10:00:00',NULL);
