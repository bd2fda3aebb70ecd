-- The only methods by which the order may be paid, as a JSON list; NULL for all methods of the server.
ALTER TABLE orders ADD COLUMN methods TEXT;
