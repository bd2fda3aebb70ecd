-- The operations that changed lately, for those who wait for a change.
CREATE INDEX operations_by_change ON operations (changed_at);
