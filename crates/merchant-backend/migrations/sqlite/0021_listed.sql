-- When the service first told this difference: another one is another exception.
ALTER TABLE operations ADD COLUMN mismatch_at INTEGER;
UPDATE operations SET mismatch_at = changed_at WHERE mismatch IS NOT NULL;
DROP INDEX operations_mismatched;
CREATE INDEX operations_mismatched ON operations (mismatch_at) WHERE mismatch IS NOT NULL;

-- What is listed for staff when it stays so.
CREATE INDEX manual_returns_open ON manual_returns (at) WHERE state = 'open';
CREATE INDEX refunds_not_resolved ON refunds (changed_at) WHERE state <> 'RESOLVED';
CREATE INDEX events_refused ON events (created_at) WHERE delivered_at IS NULL AND failures >= 10;
CREATE INDEX refund_attempts_released ON refund_attempts (changed_at) WHERE released_by IS NOT NULL;
