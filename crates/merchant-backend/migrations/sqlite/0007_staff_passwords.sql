-- With which password a session began: a fingerprint of its hash. Sessions from before end.
ALTER TABLE staff_sessions ADD COLUMN password TEXT NOT NULL DEFAULT '';
