-- Counters are of the tier that the memory was in when they rose; retention asks for those of
-- its present tier. They begin with this version, so silence before it says nothing.

ALTER TABLE memories ADD COLUMN tier_since TEXT;

UPDATE memories SET tier_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now');

CREATE TABLE uses (
    project INTEGER NOT NULL REFERENCES projects (key),
    memory_key INTEGER NOT NULL,
    tier INTEGER NOT NULL,
    surfaced INTEGER NOT NULL,
    surfaced_direct INTEGER NOT NULL,
    applied INTEGER NOT NULL,
    wrong INTEGER NOT NULL,
    days INTEGER NOT NULL,
    last_seen TEXT,
    PRIMARY KEY (project, memory_key, tier)
) WITHOUT ROWID;

INSERT INTO uses (project, memory_key, tier, surfaced, surfaced_direct, applied, wrong, days)
SELECT u.project, u.memory_key, ifnull(m.tier, 1),
    sum(CASE u.counter WHEN 'surfaced' THEN u.count ELSE 0 END),
    sum(CASE u.counter WHEN 'surfaced_direct' THEN u.count ELSE 0 END),
    sum(CASE u.counter WHEN 'applied' THEN u.count ELSE 0 END),
    sum(CASE u.counter WHEN 'wrong' THEN u.count ELSE 0 END),
    0
FROM usage AS u LEFT JOIN memories AS m ON m.key = u.memory_key
GROUP BY u.project, u.memory_key;

DROP TABLE usage;

-- How many questions a project was asked on each day (UTC).
CREATE TABLE questions (
    project INTEGER NOT NULL REFERENCES projects (key),
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (project, day)
) WITHOUT ROWID;
