-- Who may speak over a network. No token is here, only the digest of its secret. `projects` holds
-- keys as JSON text; null means every project.
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    projects TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT
) WITHOUT ROWID;

-- Codes that become a token once.
CREATE TABLE enrollments (
    digest TEXT NOT NULL PRIMARY KEY,
    actor TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    projects TEXT,
    days INTEGER NOT NULL CHECK (days >= 1),
    expires_at TEXT NOT NULL,
    redeemed_at TEXT
) WITHOUT ROWID;
