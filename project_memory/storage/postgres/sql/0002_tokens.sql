-- Who may speak over a network. No token is here, only the digest of its secret. `projects` holds
-- keys as JSON text; null means every project.
CREATE TABLE tokens (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    digest TEXT COLLATE "C" NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    projects TEXT,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    revoked_at TEXT COLLATE "C"
);

-- Codes that become a token once.
CREATE TABLE enrollments (
    digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    actor TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
    projects TEXT,
    days BIGINT NOT NULL CHECK (days >= 1),
    expires_at TEXT COLLATE "C" NOT NULL,
    redeemed_at TEXT COLLATE "C"
);
