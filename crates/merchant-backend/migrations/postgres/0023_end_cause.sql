-- Why a code was cancelled if no member of staff wanted it, for the payer's other pages; NULL in old
-- rows, and where the server only finds out what the service has.
ALTER TABLE reversals ADD COLUMN cause TEXT CHECK (cause IN ('replaced', 'payer'));
