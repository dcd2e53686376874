-- Who is logged in with a browser. No session is here, only the digest of its secret. `token` is the
-- id of the token it was begun with; for the server's shared token, which has none, `proof` is what
-- the secret and that token make together. `person` says whether whoever has it speaks as a person.
CREATE TABLE sessions (
    digest TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    token TEXT COLLATE "C",
    proof TEXT COLLATE "C",
    created_at TEXT COLLATE "C" NOT NULL,
    person BOOLEAN NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    CHECK ((token IS NULL) <> (proof IS NULL))
);

-- Whether the code begins a session of a person instead of becoming a token.
ALTER TABLE enrollments ADD COLUMN person BOOLEAN NOT NULL DEFAULT FALSE;
