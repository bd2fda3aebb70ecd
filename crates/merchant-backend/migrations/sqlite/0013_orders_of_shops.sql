-- Orders whose facts come from the shop: in a signed token, or in its answer.
-- When the shop said so; empty for an order that the program registered.
ALTER TABLE orders ADD COLUMN told_at INTEGER;
-- SHA-256 of the key by which the shop lets a page pay the order, if it gave one.
ALTER TABLE orders ADD COLUMN order_key_hash TEXT;

-- The browsers that showed a right to pay such an order, and so may read and cancel its payment.
CREATE TABLE order_sessions (
    order_id     TEXT NOT NULL REFERENCES orders (order_id),
    -- SHA-256 of the session.
    session_hash TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (order_id, session_hash)
) STRICT;
