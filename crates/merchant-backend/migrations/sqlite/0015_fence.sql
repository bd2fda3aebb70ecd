-- When the database was last restored from a backup; one row at most, until staff have compared
-- what is older with the payment service.
CREATE TABLE fence (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
