-- Requests to cancel an operation. Each gives a payment back if there is one, so that each
-- reserves the whole before it leaves.
CREATE TABLE reversals (
    reversal_id               TEXT PRIMARY KEY,
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    amount                    INTEGER NOT NULL,
    purpose                   TEXT NOT NULL CHECK (purpose IN ('cancel', 'reverse', 'settle_doubt')),
    -- The member of staff who asked for it; NULL for a payer and for the server itself.
    staff                     TEXT,
    -- When its last request left.
    begun_at                  INTEGER NOT NULL,
    changed_at                INTEGER NOT NULL,
    state                     TEXT NOT NULL CHECK (state IN ('sending', 'in_doubt', 'done', 'not_done', 'released')),
    -- Until when the last request may be carried out, should its answer be lost.
    lost_until                INTEGER NOT NULL,
    -- Until when a request whose answer was lost may still be carried out.
    arrives_until             INTEGER,
    -- The status with which the service refused.
    service_status            INTEGER,
    detail                    TEXT NOT NULL,
    released_by               TEXT,
    released_at               INTEGER,
    release_reason            TEXT,
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number),
    CHECK (state <> 'in_doubt' OR arrives_until IS NOT NULL),
    CHECK (state <> 'released' OR (released_by IS NOT NULL AND release_reason <> '')),
    CHECK (released_by IS NULL OR staff IS NULL OR released_by <> staff)
) STRICT;

CREATE INDEX reversals_by_operation ON reversals (merchant_code, merchant_operation_number);
-- Whatever the program does: one request at a time may give a payment back.
CREATE UNIQUE INDEX one_reversal_at_a_time ON reversals (merchant_code, merchant_operation_number)
    WHERE state IN ('sending', 'in_doubt');
CREATE INDEX reversals_open ON reversals (state) WHERE state IN ('sending', 'in_doubt');

-- A return by hand is reserved before the money leaves. Those from before were made.
ALTER TABLE manual_returns ADD COLUMN return_id TEXT;
ALTER TABLE manual_returns ADD COLUMN state TEXT NOT NULL DEFAULT 'done'
    CHECK (state IN ('open', 'done', 'given_up'));
-- It was made before anybody reserved it.
ALTER TABLE manual_returns ADD COLUMN already_made INTEGER NOT NULL DEFAULT 0;
ALTER TABLE manual_returns ADD COLUMN ended_by TEXT;
ALTER TABLE manual_returns ADD COLUMN ended_at INTEGER;
ALTER TABLE manual_returns ADD COLUMN end_reason TEXT;
UPDATE manual_returns SET return_id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX manual_returns_by_id ON manual_returns (return_id);
CREATE INDEX manual_returns_already_made ON manual_returns (at) WHERE already_made = 1;

-- The service did not decide about it: it did not accept the access token, or nothing was sent.
ALTER TABLE refund_attempts ADD COLUMN undecided INTEGER NOT NULL DEFAULT 0;
UPDATE refund_attempts SET undecided = 1 WHERE state = 'refused' AND (begun_at IS NULL
    OR detail = 'the payment service did not accept the access token' OR detail LIKE 'it was not sent%');

DROP TRIGGER no_attempt_beyond_the_amount;
DROP TRIGGER no_return_beyond_the_amount;
DROP VIEW given_back;

-- Everything that takes from what is left of an operation, and since when; what cannot be
-- read takes it all. A return that was given up takes nothing; one that is open is a promise.
CREATE VIEW given_back AS
    SELECT merchant_code, merchant_operation_number, coalesce(amount, 1000000000000000000) AS amount,
            changed_at AS since, 0 AS promised
        FROM refunds WHERE counts = 1 AND state <> 'REJECTED'
    UNION ALL
    SELECT merchant_code, merchant_operation_number, amount, changed_at, 0 FROM refund_attempts AS a
        WHERE state IN ('sending', 'in_doubt')
            OR (state = 'registered' AND NOT EXISTS (
                SELECT 1 FROM refunds AS r WHERE r.merchant_code = a.merchant_code
                    AND r.merchant_operation_number = a.merchant_operation_number
                    AND r.refund_id = a.refund_id))
    UNION ALL
    SELECT merchant_code, merchant_operation_number, amount, at, state = 'open' FROM manual_returns
        WHERE state <> 'given_up';

-- Whatever the program does: nobody asks for more than was paid.
CREATE TRIGGER no_attempt_beyond_the_amount AFTER INSERT ON refund_attempts
    WHEN (SELECT total(amount) FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
        > (SELECT amount FROM operations WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'more would be refunded than was paid'); END;

-- A return that was made already is a fact, and is recorded.
CREATE TRIGGER no_return_beyond_the_amount AFTER INSERT ON manual_returns
    WHEN NEW.already_made = 0
        AND (SELECT total(amount) FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
        > (SELECT amount FROM operations WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'more would be given back than was paid'); END;

-- Whatever the program does: nothing is given back beside a reversal that may be under way.
CREATE TRIGGER no_attempt_beside_a_reversal AFTER INSERT ON refund_attempts
    WHEN EXISTS (SELECT 1 FROM reversals WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number
            AND state IN ('sending', 'in_doubt'))
    BEGIN SELECT raise(ABORT, 'a refund beside a reversal'); END;

CREATE TRIGGER no_return_beside_a_reversal AFTER INSERT ON manual_returns
    WHEN NEW.already_made = 0
        AND EXISTS (SELECT 1 FROM reversals WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number
            AND state IN ('sending', 'in_doubt'))
    BEGIN SELECT raise(ABORT, 'a return beside a reversal'); END;

-- And no reversal begins beside anything that is given back or may be.
CREATE TRIGGER no_reversal_beside_what_is_given_back AFTER INSERT ON reversals
    WHEN EXISTS (SELECT 1 FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'a reversal of what is given back'); END;

CREATE TRIGGER no_reversal_again_beside_what_is_given_back AFTER UPDATE ON reversals
    WHEN OLD.state <> 'sending' AND NEW.state = 'sending'
        AND EXISTS (SELECT 1 FROM given_back WHERE merchant_code = NEW.merchant_code
            AND merchant_operation_number = NEW.merchant_operation_number)
    BEGIN SELECT raise(ABORT, 'a reversal of what is given back'); END;

CREATE TRIGGER a_reversal_ends_once BEFORE UPDATE ON reversals
    WHEN OLD.state IN ('done', 'not_done', 'released') AND NEW.state <> OLD.state
    BEGIN SELECT raise(ABORT, 'a reversal has ended'); END;

CREATE TRIGGER a_return_ends_once BEFORE UPDATE ON manual_returns
    WHEN OLD.state <> 'open' AND NEW.state <> OLD.state
    BEGIN SELECT raise(ABORT, 'a return has ended'); END;

-- Operations of which more was given back, or may be, than stands paid. Written with the change
-- that brought it about, so that nobody has to look for it among all refunds.
CREATE TABLE excesses (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    since                     INTEGER NOT NULL,
    detail                    TEXT NOT NULL,
    PRIMARY KEY (merchant_code, merchant_operation_number),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

INSERT INTO excesses
    SELECT o.merchant_code, o.merchant_operation_number, max(g.since),
            'of ' || o.amount || ' cents that were paid and ' || CASE o.outcome
                WHEN 'reversed' THEN o.amount ELSE 0 END || ' that were reversed, '
                || CAST(total(g.amount) AS INTEGER) || ' cents were given back besides, or may be'
        FROM given_back g JOIN operations o ON o.merchant_code = g.merchant_code
            AND o.merchant_operation_number = g.merchant_operation_number
        GROUP BY o.rowid
        HAVING total(g.amount) > CASE o.outcome WHEN 'paid' THEN o.amount ELSE 0 END;
