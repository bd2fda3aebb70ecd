-- A move of everything to another database, or from one; there is one row at most.
CREATE TABLE moves (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    -- Random, the same in both databases.
    move_id    TEXT NOT NULL,
    -- The old database is `leaving`, and `left` when all is copied. The new one is `arriving`
    -- until the old one has `left`, and then `arrived`.
    stage      TEXT NOT NULL CHECK (stage IN ('leaving', 'left', 'arriving', 'arrived')),
    -- The other database, without a user or a password.
    other      TEXT NOT NULL,
    -- SHA-256 of all rows, when all is copied.
    digest     TEXT,
    changed_at INTEGER NOT NULL
) STRICT;
