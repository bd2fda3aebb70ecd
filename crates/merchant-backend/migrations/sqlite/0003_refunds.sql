-- What members of staff asked for under an idempotency key, with its answer.
CREATE TABLE staff_requests (
    staff           TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    -- Somebody runs it until then, at the latest.
    running_until   INTEGER,
    status          INTEGER,
    answer          TEXT,
    PRIMARY KEY (staff, idempotency_key)
) STRICT;

CREATE TABLE refund_attempts (
    attempt_id                TEXT PRIMARY KEY,
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    transaction_id            TEXT NOT NULL,
    type                      TEXT NOT NULL CHECK (type IN ('TOTAL', 'PARTIAL')),
    amount                    INTEGER NOT NULL CHECK (amount > 0),
    currency                  TEXT NOT NULL,
    staff                     TEXT NOT NULL,
    idempotency_key           TEXT NOT NULL,
    item                      INTEGER NOT NULL,
    requested_at              INTEGER NOT NULL,
    changed_at                INTEGER NOT NULL,
    state                     TEXT NOT NULL CHECK (state IN ('sending', 'registered', 'refused', 'in_doubt', 'released')),
    -- When its one request left.
    begun_at                  INTEGER,
    refund_id                 TEXT,
    detail                    TEXT NOT NULL,
    messages                  TEXT NOT NULL,
    released_by               TEXT,
    released_at               INTEGER,
    release_reason            TEXT,
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number),
    CHECK (state <> 'registered' OR refund_id IS NOT NULL),
    CHECK (state <> 'released' OR (released_by IS NOT NULL AND release_reason <> '')),
    CHECK (released_by IS NULL OR released_by <> staff)
) STRICT;

CREATE INDEX refund_attempts_by_operation ON refund_attempts (merchant_code, merchant_operation_number);
CREATE INDEX refund_attempts_by_key ON refund_attempts (staff, idempotency_key);
CREATE INDEX refund_attempts_open ON refund_attempts (state) WHERE state IN ('sending', 'in_doubt');

-- Refunds as the service last told them, whoever asked for them.
CREATE TABLE refunds (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    refund_id                 TEXT NOT NULL,
    attempt_id                TEXT REFERENCES refund_attempts (attempt_id),
    state                     TEXT NOT NULL,
    -- In cents; NULL when it cannot be read.
    amount                    INTEGER,
    -- Whether it takes from what is left of the operation's transaction.
    counts                    INTEGER NOT NULL,
    changed_at                INTEGER NOT NULL,
    refund                    TEXT NOT NULL,
    PRIMARY KEY (merchant_code, merchant_operation_number, refund_id),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

CREATE TABLE manual_returns (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    amount                    INTEGER NOT NULL CHECK (amount > 0),
    reason                    TEXT NOT NULL CHECK (reason <> ''),
    staff                     TEXT NOT NULL,
    idempotency_key           TEXT NOT NULL,
    at                        INTEGER NOT NULL,
    PRIMARY KEY (staff, idempotency_key),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

CREATE INDEX manual_returns_by_operation ON manual_returns (merchant_code, merchant_operation_number);

-- When the refunds of an operation are looked up next, and when they were.
CREATE TABLE refund_watches (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    due_at                    INTEGER,
    failures                  INTEGER NOT NULL,
    asked_at                  INTEGER,
    whole_at                  INTEGER,
    PRIMARY KEY (merchant_code, merchant_operation_number),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

CREATE INDEX refund_watches_due ON refund_watches (due_at) WHERE due_at IS NOT NULL;

-- Everything that takes from what is left of an operation; what cannot be read takes it all.
CREATE VIEW given_back AS
    SELECT merchant_code, merchant_operation_number, coalesce(amount, 1000000000000000000) AS amount
        FROM refunds WHERE counts = 1 AND state <> 'REJECTED'
    UNION ALL
    SELECT merchant_code, merchant_operation_number, amount FROM refund_attempts AS a
        WHERE state IN ('sending', 'in_doubt')
            OR (state = 'registered' AND NOT EXISTS (
                SELECT 1 FROM refunds AS r WHERE r.merchant_code = a.merchant_code
                    AND r.merchant_operation_number = a.merchant_operation_number
                    AND r.refund_id = a.refund_id))
    UNION ALL
    SELECT merchant_code, merchant_operation_number, amount FROM manual_returns;

-- Whatever the program does: nobody asks for more than was paid, and nothing is sent twice.
CREATE TRIGGER no_attempt_beyond_the_amount AFTER INSERT ON refund_attempts
    WHEN (SELECT total(amount) FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
        > (SELECT amount FROM operations WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'more would be refunded than was paid'); END;

CREATE TRIGGER no_return_beyond_the_amount AFTER INSERT ON manual_returns
    WHEN (SELECT total(amount) FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
        > (SELECT amount FROM operations WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'more would be given back than was paid'); END;

CREATE TRIGGER an_attempt_is_sent_once BEFORE UPDATE ON refund_attempts
    WHEN (OLD.begun_at IS NOT NULL AND NEW.begun_at IS NOT OLD.begun_at)
        OR (OLD.state <> 'sending' AND (NEW.state = 'sending' OR NEW.begun_at IS NOT OLD.begun_at))
    BEGIN SELECT raise(ABORT, 'a refund would be sent again'); END;
