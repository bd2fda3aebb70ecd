-- `due_at` is a plan and nothing else; `planned_at` is when it was made. A plan that was made later
-- than it is now comes from a clock that was set back since, and is due. Nobody takes a row
-- before `leased_until`, which is told by a clock that cannot be set.
ALTER TABLE operations ADD COLUMN planned_at INTEGER;
ALTER TABLE operations ADD COLUMN leased_until INTEGER;
ALTER TABLE refund_watches ADD COLUMN planned_at INTEGER;
ALTER TABLE refund_watches ADD COLUMN leased_until INTEGER;
ALTER TABLE events ADD COLUMN planned_at INTEGER;
ALTER TABLE events ADD COLUMN leased_until INTEGER;

-- Nobody knows when these were planned, or whether they were leases: the first start looks at
-- all of them.
UPDATE operations SET planned_at = due_at;
UPDATE refund_watches SET planned_at = due_at;
UPDATE events SET planned_at = due_at;

DROP INDEX operations_due;
CREATE INDEX operations_due ON operations (due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX operations_planned ON operations (planned_at) WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX operations_leased ON operations (leased_until) WHERE leased_until IS NOT NULL;

DROP INDEX refund_watches_due;
CREATE INDEX refund_watches_due ON refund_watches (due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX refund_watches_planned ON refund_watches (planned_at) WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX refund_watches_leased ON refund_watches (leased_until) WHERE leased_until IS NOT NULL;

DROP INDEX events_due;
CREATE INDEX events_due ON events (due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX events_planned ON events (planned_at) WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX events_leased ON events (leased_until) WHERE leased_until IS NOT NULL;
