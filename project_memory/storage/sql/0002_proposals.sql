-- A proposal is one JSON text; its state is repeated because the inbox is looked up by it.
CREATE TABLE proposals (
    project INTEGER NOT NULL REFERENCES projects (key),
    number INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'applied', 'rejected', 'withdrawn')),
    proposal TEXT NOT NULL,
    PRIMARY KEY (project, number)
);

CREATE INDEX proposals_by_state ON proposals (project, state, number);
