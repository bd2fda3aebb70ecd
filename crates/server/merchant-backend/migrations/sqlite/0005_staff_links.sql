-- The orders that staff made by hand, each with a link to its page.
CREATE TABLE staff_links (
    merchant_code   TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    -- The account that made it, the idempotency key of its request, and what distinguishes a repetition from another one.
    staff           TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    -- When a browser showed the page first, as far as the page's script said so.
    opened_at       INTEGER,
    -- When it was made, opened or ended last.
    changed_at      INTEGER NOT NULL,
    PRIMARY KEY (order_id, merchant_code),
    UNIQUE (staff, idempotency_key),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
        ON DELETE CASCADE
) STRICT;

CREATE INDEX staff_links_by_time ON staff_links (created_at, order_id);
CREATE INDEX staff_links_by_staff ON staff_links (staff, created_at);
CREATE INDEX staff_links_by_change ON staff_links (changed_at);
