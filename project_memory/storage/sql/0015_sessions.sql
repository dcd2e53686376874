-- Who is logged in with a browser. No session is here, only the digest of its secret. `token` is the
-- id of the token it was begun with; for the server's shared token, which has none, `proof` is what
-- the secret and that token make together. `person` says whether whoever has it speaks as a person.
CREATE TABLE sessions (
    digest TEXT NOT NULL PRIMARY KEY,
    token TEXT,
    proof TEXT,
    created_at TEXT NOT NULL,
    person INTEGER NOT NULL CHECK (person IN (0, 1)),
    expires_at TEXT NOT NULL,
    CHECK ((token IS NULL) <> (proof IS NULL))
) WITHOUT ROWID;

-- Whether the code begins a session of a person instead of becoming a token.
ALTER TABLE enrollments ADD COLUMN person INTEGER NOT NULL DEFAULT 0 CHECK (person IN (0, 1));
