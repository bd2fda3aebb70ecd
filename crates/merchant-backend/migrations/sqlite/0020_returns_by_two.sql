-- Who asked to give a return up that somebody else reserved, or that counts as made; a second
-- person does it.
ALTER TABLE manual_returns ADD COLUMN give_up_asked_by TEXT;
ALTER TABLE manual_returns ADD COLUMN give_up_asked_at INTEGER;
ALTER TABLE manual_returns ADD COLUMN give_up_reason TEXT;

DROP TRIGGER a_return_ends_once;
-- A return that counts as made may turn out to be none.
CREATE TRIGGER a_return_ends_once BEFORE UPDATE ON manual_returns
    WHEN NEW.state <> OLD.state
        AND (OLD.state = 'given_up' OR (OLD.state = 'done' AND NEW.state <> 'given_up'))
    BEGIN SELECT raise(ABORT, 'a return has ended'); END;

-- Whatever the program does: a return that nobody reserved, and that was more than its account may
-- give back or more than was left, counts as made by a second person only.
CREATE TRIGGER a_return_is_confirmed_by_another BEFORE UPDATE ON manual_returns
    WHEN OLD.already_made = 1 AND OLD.state = 'open' AND NEW.state = 'done'
        AND NEW.ended_by = NEW.staff
    BEGIN SELECT raise(ABORT, 'a return is confirmed by a second person'); END;

-- And only the one who reserved a return, and has not sent its money, gives it up without another.
CREATE TRIGGER a_return_is_given_up_by_two BEFORE UPDATE ON manual_returns
    WHEN NEW.state = 'given_up' AND OLD.state <> 'given_up'
        AND NOT (OLD.state = 'open' AND OLD.already_made = 0 AND NEW.ended_by = NEW.staff)
        AND coalesce(NEW.give_up_asked_by, NEW.ended_by) = NEW.ended_by
    BEGIN SELECT raise(ABORT, 'a return is given up by two people'); END;

-- All that an account has given back, or may have, and when. A reversal that is not known to be
-- done can be asked for again, and is not counted twice then.
CREATE VIEW given_back_by_staff AS
    SELECT staff, merchant_code, merchant_operation_number, amount, requested_at AS at,
            0 AS asked
        FROM refund_attempts AS a
        WHERE state IN ('sending', 'in_doubt')
            OR (state = 'registered' AND NOT EXISTS (
                SELECT 1 FROM refunds AS r WHERE r.merchant_code = a.merchant_code
                    AND r.merchant_operation_number = a.merchant_operation_number
                    AND r.refund_id = a.refund_id AND r.state = 'REJECTED'))
    UNION ALL
    SELECT staff, merchant_code, merchant_operation_number, amount, at, 0 FROM manual_returns
        WHERE state <> 'given_up'
    UNION ALL
    SELECT staff, merchant_code, merchant_operation_number, amount, begun_at,
            CASE state WHEN 'done' THEN 0 ELSE 1 END
        FROM reversals AS v
        WHERE staff IS NOT NULL
            AND ((purpose = 'reverse' AND state IN ('sending', 'in_doubt'))
                OR (state = 'done' AND EXISTS (
                    SELECT 1 FROM operations AS o WHERE o.merchant_code = v.merchant_code
                        AND o.merchant_operation_number = v.merchant_operation_number
                        AND o.outcome = 'reversed')));

CREATE INDEX refund_attempts_by_staff ON refund_attempts (staff, requested_at);
CREATE INDEX manual_returns_by_staff ON manual_returns (staff, at);
CREATE INDEX reversals_by_staff ON reversals (staff, begun_at) WHERE staff IS NOT NULL;
