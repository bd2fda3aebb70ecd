-- What the merchant's own systems are told, written with the change that it tells of.
CREATE TABLE events (
    -- The order in which they happened.
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT NOT NULL UNIQUE,
    type         TEXT NOT NULL,
    order_id     TEXT NOT NULL REFERENCES orders (order_id),
    created_at   INTEGER NOT NULL,
    -- As it is sent, the same each time.
    body         TEXT NOT NULL,
    -- When it is sent next; NULL while an earlier one of its order is not delivered.
    due_at       INTEGER,
    failures     INTEGER NOT NULL DEFAULT 0,
    delivered_at INTEGER,
    CHECK (due_at IS NULL OR delivered_at IS NULL)
) STRICT;

-- Whatever the program does: the events of an order go one after the other.
CREATE UNIQUE INDEX one_event_of_an_order ON events (order_id) WHERE due_at IS NOT NULL;
CREATE INDEX events_due ON events (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX events_waiting ON events (order_id, seq) WHERE delivered_at IS NULL;
CREATE INDEX events_delivered ON events (delivered_at) WHERE delivered_at IS NOT NULL;
