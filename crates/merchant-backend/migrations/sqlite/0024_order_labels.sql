-- A short name of an order for people; the id stays the key. An operation has that of its order, so
-- that staff find it by that.
ALTER TABLE orders ADD COLUMN label TEXT;
ALTER TABLE operations ADD COLUMN order_label TEXT;
CREATE INDEX operations_by_order_label ON operations (order_label) WHERE order_label IS NOT NULL;

-- The last number that was given to an order, for a program that counts its orders. Its one row is
-- locked by each change, so that two servers on one database never give the same number.
CREATE TABLE order_numbers (
    name TEXT PRIMARY KEY NOT NULL,
    last INTEGER NOT NULL
) STRICT;
