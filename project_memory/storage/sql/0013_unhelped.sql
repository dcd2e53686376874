-- Questions that recall did not help with, as far as their text may be kept (services.gaps).
CREATE TABLE unhelped_questions (
    project INTEGER NOT NULL REFERENCES projects (key),
    text TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    unanswered INTEGER NOT NULL,
    unapplied INTEGER NOT NULL,
    PRIMARY KEY (project, text)
) WITHOUT ROWID;
