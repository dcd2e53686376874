-- Questions that recall did not help with, as far as their text may be kept (services.gaps).
CREATE TABLE unhelped_questions (
    project BIGINT NOT NULL REFERENCES projects (key),
    text TEXT COLLATE "C" NOT NULL,
    first_day TEXT COLLATE "C" NOT NULL,
    last_day TEXT COLLATE "C" NOT NULL,
    unanswered BIGINT NOT NULL,
    unapplied BIGINT NOT NULL,
    PRIMARY KEY (project, text)
);
