CREATE TABLE orders (
    order_id     TEXT PRIMARY KEY,
    session_hash TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    amount       INTEGER NOT NULL,
    currency     TEXT NOT NULL,
    items        TEXT NOT NULL,
    customer     TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'paid')),
    paid_twice   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE operations (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    order_id                  TEXT NOT NULL REFERENCES orders (order_id),
    phase                     TEXT NOT NULL CHECK (phase IN ('sending', 'in_doubt', 'refused', 'known', 'lost')),
    live                      INTEGER NOT NULL,
    method_name               TEXT NOT NULL,
    amount                    INTEGER NOT NULL,
    currency                  TEXT NOT NULL,
    callback_hash             TEXT NOT NULL UNIQUE,
    created_at                INTEGER NOT NULL,
    changed_at                INTEGER NOT NULL,
    queried_at                INTEGER,
    due_at                    INTEGER,
    failures                  INTEGER NOT NULL,
    -- Told by the service; `state` and `outcome` repeat what stands in `operation`, for searching.
    transaction_id            TEXT,
    state                     TEXT,
    outcome                   TEXT,
    operation                 TEXT,
    answer                    TEXT,
    -- For staff.
    mismatch                  TEXT,
    trouble                   TEXT,
    PRIMARY KEY (merchant_code, merchant_operation_number)
) STRICT;

-- Whatever the program does: an order never has two operations that can be paid now.
CREATE UNIQUE INDEX one_live_operation ON operations (order_id) WHERE live = 1;
CREATE INDEX operations_by_order ON operations (order_id);
CREATE INDEX operations_sending ON operations (created_at) WHERE phase = 'sending';
CREATE INDEX operations_due ON operations (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE attempts (
    session_hash              TEXT NOT NULL,
    idempotency_key           TEXT NOT NULL,
    order_id                  TEXT NOT NULL REFERENCES orders (order_id),
    fingerprint               TEXT NOT NULL,
    created_at                INTEGER NOT NULL,
    -- Somebody runs it until then, at the latest.
    running_until             INTEGER,
    -- How it ended: an operation, or the status and the body of a problem.
    merchant_code             TEXT,
    merchant_operation_number TEXT,
    problem_status            INTEGER,
    problem                   TEXT,
    PRIMARY KEY (session_hash, idempotency_key)
) STRICT;
