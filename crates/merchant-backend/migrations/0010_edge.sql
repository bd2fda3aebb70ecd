-- One row that is written to learn whether the disk takes writes.
CREATE TABLE readiness (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    written    INTEGER NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;

INSERT INTO readiness (one, written, written_at) VALUES (1, 0, 0);

-- Orders that nobody began to pay are removed, the oldest first.
CREATE INDEX orders_by_time ON orders (created_at, order_id);
CREATE INDEX attempts_by_order ON attempts (order_id);
