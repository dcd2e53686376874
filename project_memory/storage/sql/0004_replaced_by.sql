-- What further texts carry in place of a deprecated label.
ALTER TABLE labels ADD COLUMN replaced_by TEXT;
