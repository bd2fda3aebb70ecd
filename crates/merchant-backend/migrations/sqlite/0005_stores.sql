-- Which of the merchant's stores sells; empty in orders from before there were several.
ALTER TABLE orders ADD COLUMN merchant_code TEXT NOT NULL DEFAULT '';
