-- The only methods by which the order may be paid, as a JSON list; NULL for all methods of the server.
ALTER TABLE orders ADD COLUMN methods TEXT;

-- How many QR codes of a store in a row reached nobody, because of what they said. A store without a row has none.
CREATE TABLE refused_codes (
    merchant_code TEXT PRIMARY KEY NOT NULL,
    in_a_row      INTEGER NOT NULL,
    -- When the attempt of the first of them began.
    since         INTEGER NOT NULL
) STRICT;
