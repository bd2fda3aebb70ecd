-- Since when a payer asks in vain for another code than this operation's.
ALTER TABLE operations ADD COLUMN blocked_since INTEGER;
-- When an answer first said that a payment was given back without saying that it was paid.
ALTER TABLE operations ADD COLUMN reversal_seen_at INTEGER;
-- When the service said that the number had been used before.
ALTER TABLE operations ADD COLUMN number_taken_at INTEGER;

CREATE INDEX operations_blocked ON operations (blocked_since) WHERE blocked_since IS NOT NULL;
CREATE INDEX operations_number_taken ON operations (number_taken_at) WHERE number_taken_at IS NOT NULL;

-- Who wants to give an order free whose operation blocks it; a second person does it.
CREATE TABLE block_releases (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    -- The block that it is about: a later one of the same operation is another one.
    blocked_since             INTEGER NOT NULL,
    asked_by                  TEXT NOT NULL,
    asked_at                  INTEGER NOT NULL,
    reason                    TEXT NOT NULL CHECK (reason <> ''),
    released_by               TEXT,
    released_at               INTEGER,
    PRIMARY KEY (merchant_code, merchant_operation_number, blocked_since),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number),
    CHECK (released_by IS NULL OR released_by <> asked_by)
) STRICT;
