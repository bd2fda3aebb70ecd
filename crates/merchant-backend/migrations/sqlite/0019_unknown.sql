-- When a payment was announced to the shop and the payer; NULL also while a request that may give
-- it back is on its way.
ALTER TABLE operations ADD COLUMN announced_at INTEGER;
UPDATE operations SET announced_at = changed_at WHERE outcome = 'paid';
-- An answer of the payment service that disagrees with the stored state.
ALTER TABLE operations ADD COLUMN contradiction TEXT;
ALTER TABLE operations ADD COLUMN contradicted_at INTEGER;
-- When a second answer said that it is paid although its payment was given back.
ALTER TABLE operations ADD COLUMN paid_again_at INTEGER;
-- Since when answers about it were not accepted, or had no transaction of it.
ALTER TABLE operations ADD COLUMN unaccepted_since INTEGER;
-- The database was restored after its request had left: its code may be the payer's.
ALTER TABLE operations ADD COLUMN code_may_be_out INTEGER NOT NULL DEFAULT 0;
UPDATE operations SET code_may_be_out = 1
    WHERE phase IN ('sending', 'in_doubt') AND created_at < (SELECT at FROM fence);
-- SHA-256 of the sender and the idempotency key of its attempt, so that no key makes a second code
-- that may be paid; NULL in rows from before.
ALTER TABLE operations ADD COLUMN attempt_hash TEXT;
-- When the payment service said that it does not know it; its request may still arrive.
ALTER TABLE operations ADD COLUMN unknown_at INTEGER;
-- Its request never left, so that its number is used again.
ALTER TABLE operations ADD COLUMN unsent INTEGER NOT NULL DEFAULT 0;
CREATE INDEX operations_held ON operations (changed_at) WHERE outcome = 'paid' AND announced_at IS NULL;
CREATE INDEX operations_contradicted ON operations (contradicted_at) WHERE contradicted_at IS NOT NULL;
CREATE INDEX operations_unaccepted ON operations (unaccepted_since) WHERE unaccepted_since IS NOT NULL;
-- Settled payments are looked at for half a year, as paid ones are: all of them within a day.
UPDATE operations SET planned_at = changed_at,
        due_at = (SELECT max(changed_at) FROM operations) + changed_at % 86400000
    WHERE state = 'LIQUIDADO' AND due_at IS NULL
        AND changed_at > (SELECT max(changed_at) FROM operations) - 15552000000;
-- Transaction ids that others named for operations in doubt: ways to ask the payment service.
CREATE TABLE transaction_hints (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    transaction_id            TEXT NOT NULL,
    noted_at                  INTEGER NOT NULL,
    -- The service said that it is not the operation's.
    wrong                     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (merchant_code, merchant_operation_number, transaction_id),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;
