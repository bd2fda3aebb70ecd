-- What support is told by payers: the numbers that the payer's own app shows.
ALTER TABLE operations ADD COLUMN qr_id TEXT;
ALTER TABLE operations ADD COLUMN cip TEXT;
-- When it was paid, if it had ended or had been left for another one before.
ALTER TABLE operations ADD COLUMN paid_late_at INTEGER;

UPDATE operations SET
    qr_id = coalesce(json_extract(operation, '$.transactions[0].processor_response.qr_id'),
                     json_extract(answer, '$.transaction.processor_response.qr_id')),
    cip = coalesce(json_extract(operation, '$.transactions[0].processor_response.cip'),
                   json_extract(answer, '$.transaction.processor_response.cip'));

-- Lists are read from the newest on; the rowid, which every index ends with, decides ties.
CREATE INDEX operations_by_time ON operations (created_at);
CREATE INDEX operations_by_state ON operations (state, created_at);
CREATE INDEX operations_by_method ON operations (method_name, created_at);
CREATE INDEX operations_by_number ON operations (merchant_operation_number);
CREATE INDEX operations_by_transaction ON operations (transaction_id);
CREATE INDEX operations_by_qr_id ON operations (qr_id) WHERE qr_id IS NOT NULL;
CREATE INDEX operations_by_cip ON operations (cip) WHERE cip IS NOT NULL;
CREATE INDEX operations_in_doubt ON operations (changed_at) WHERE phase = 'in_doubt';
CREATE INDEX operations_mismatched ON operations (changed_at) WHERE mismatch IS NOT NULL;
CREATE INDEX operations_paid_late ON operations (paid_late_at) WHERE paid_late_at IS NOT NULL;
CREATE INDEX orders_paid_twice ON orders (order_id) WHERE paid_twice = 1;

CREATE TABLE staff_sessions (
    -- SHA-256 of what the cookie holds.
    hash       TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL
) STRICT;

-- Who did what; written before it is done, and never changed.
CREATE TABLE audit (
    id                        INTEGER PRIMARY KEY AUTOINCREMENT,
    at                        INTEGER NOT NULL,
    staff                     TEXT NOT NULL,
    action                    TEXT NOT NULL,
    merchant_code             TEXT,
    merchant_operation_number TEXT,
    detail                    TEXT NOT NULL
) STRICT;

CREATE INDEX audit_by_operation ON audit (merchant_code, merchant_operation_number)
    WHERE merchant_operation_number IS NOT NULL;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'the audit record is never changed'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'the audit record is never removed'); END;

-- Exceptions that somebody has dealt with.
CREATE TABLE resolved_exceptions (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    kind                      TEXT NOT NULL,
    -- Since when it had been one: a later one of its kind is another one.
    since                     INTEGER NOT NULL,
    staff                     TEXT NOT NULL,
    at                        INTEGER NOT NULL,
    reason                    TEXT NOT NULL CHECK (reason <> ''),
    PRIMARY KEY (merchant_code, merchant_operation_number, kind),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;
