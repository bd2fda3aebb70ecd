-- When a notification of the payment service came, until the answer to a later query is stored.
ALTER TABLE operations ADD COLUMN hinted_at INTEGER;
