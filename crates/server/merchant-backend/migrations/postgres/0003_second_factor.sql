-- The second factors of staff. An account without a row never had one.
CREATE TABLE staff_second_factors (
    name             TEXT PRIMARY KEY NOT NULL,
    -- The key of the authenticator app, sealed by a key that is not in the database; NULL before the first enrolment,
    -- and after a restore.
    sealed_key       TEXT,
    -- When the account was enrolled last; NULL if it never was.
    enrolled_at      BIGINT,
    -- The last time step of which a code was used.
    last_step        BIGINT NOT NULL DEFAULT 0,
    -- The hashes of the unused recovery codes, as a JSON list.
    recovery_codes   TEXT NOT NULL DEFAULT '[]',
    -- The hash of the operator's code that permits an enrolment, and until when it does.
    enrolment_code   TEXT,
    enrolment_until  BIGINT,
    -- The sealed key that the enrolment showed, and the hash of the session that saw it.
    enrolment_key     TEXT,
    enrolment_session TEXT
);

-- The wrong codes in a row of an account. The device is empty for all devices on which it never signed in.
CREATE TABLE staff_wrong_codes (
    name      TEXT NOT NULL,
    device    TEXT NOT NULL,
    in_a_row  BIGINT NOT NULL,
    last_at   BIGINT NOT NULL,
    PRIMARY KEY (name, device)
);

-- When the session gave a code of the second factor last.
ALTER TABLE staff_sessions ADD COLUMN confirmed_at BIGINT;
