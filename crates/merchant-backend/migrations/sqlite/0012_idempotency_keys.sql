-- One table for the idempotency keys of payers and of staff.
CREATE TABLE idempotency_keys (
    -- `payer` or `staff`, and the hash of the session or the name of the account.
    sender_kind   TEXT NOT NULL CHECK (sender_kind IN ('payer', 'staff')),
    sender        TEXT NOT NULL,
    key           TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,
    -- The order that a payer's request is about.
    order_id      TEXT REFERENCES orders (order_id),
    created_at    INTEGER NOT NULL,
    -- Somebody runs it until then, at the latest.
    running_until INTEGER,
    -- The answer, as JSON.
    answer        TEXT,
    PRIMARY KEY (sender_kind, sender, key)
) STRICT;

INSERT INTO idempotency_keys
SELECT 'payer', session_hash, idempotency_key, fingerprint, order_id, created_at, running_until,
    CASE
        WHEN merchant_operation_number IS NOT NULL THEN json_object('operation', json_object(
            'merchant_code', merchant_code,
            'merchant_operation_number', merchant_operation_number))
        WHEN problem IS NOT NULL THEN json_object('refused',
            CASE json_extract(problem, '$.type')
                WHEN 'urn:payment-checkout:problem:too-many-operations' THEN json_object(
                    'reason', 'too-many-operations')
                WHEN 'urn:payment-checkout:problem:payment-reversed' THEN json_object(
                    'reason', 'payment-reversed',
                    'merchant_code', json_extract(problem, '$.merchant_code'),
                    'merchant_operation_number', json_extract(problem, '$.merchant_operation_number'),
                    'transaction_id', json_extract(problem, '$.transaction_id'))
                ELSE json_object(
                    'reason', 'authorization-refused',
                    'service_status', coalesce(json_extract(problem, '$.service_status'), problem_status),
                    'messages', coalesce(json_extract(problem, '$.messages'), json_array()))
            END)
    END
FROM attempts;

INSERT INTO idempotency_keys
SELECT 'staff', staff, idempotency_key, fingerprint, NULL, created_at, running_until, answer
FROM staff_requests;

DROP TABLE attempts;
DROP TABLE staff_requests;
CREATE INDEX idempotency_keys_by_order ON idempotency_keys (order_id) WHERE order_id IS NOT NULL;
