-- When what is known of its payer was removed.
ALTER TABLE orders ADD COLUMN purged_at INTEGER;

CREATE INDEX orders_to_purge ON orders (created_at) WHERE purged_at IS NULL;
