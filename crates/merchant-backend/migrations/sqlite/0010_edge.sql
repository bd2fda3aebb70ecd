-- One row that is written to learn whether the disk takes writes.
CREATE TABLE readiness (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    written    INTEGER NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;

INSERT INTO readiness (one, written, written_at) VALUES (1, 0, 0);

-- Orders that never had an operation are removed after a day; this tells the others.
ALTER TABLE orders ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;

UPDATE orders SET begun = 1
    WHERE EXISTS (SELECT 1 FROM operations WHERE operations.order_id = orders.order_id);

CREATE TRIGGER an_operation_begins_its_order AFTER INSERT ON operations
    BEGIN UPDATE orders SET begun = 1 WHERE order_id = NEW.order_id AND begun = 0; END;

CREATE INDEX orders_not_begun ON orders (created_at) WHERE begun = 0;
CREATE INDEX attempts_by_order ON attempts (order_id);
