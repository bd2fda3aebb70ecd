-- All tables. Instants are milliseconds since 1970, amounts are cents, flags are 0 or 1, and JSON is
-- text, so that both engines keep every value alike.
--
-- The program has rules of its own. A constraint that repeats one of them is for the day on
-- which the program is wrong: the database then refuses the change, and no money moves.

------------------------------------------------------------------------------------------ orders

CREATE TABLE orders (
    -- Each store has ids of its own.
    merchant_code  TEXT NOT NULL,
    order_id       TEXT NOT NULL,
    -- A short name for people, who find the order by it. It is no key, and may be missing.
    label          TEXT,
    -- SHA-256 of the payer's session.
    session_hash   TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    amount         INTEGER NOT NULL,
    currency       TEXT NOT NULL,
    items          TEXT NOT NULL,
    customer       TEXT NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('open', 'paid')),
    paid_twice     INTEGER NOT NULL DEFAULT 0,
    -- When the shop told the order; NULL for an order that the program registered.
    described_at        INTEGER,
    -- SHA-256 of the key by which the shop lets a page pay the order, if the shop gave one.
    order_key_hash TEXT,
    -- No attempt to pay begins at or after this instant; NULL without such an end.
    pay_until      INTEGER,
    -- When the event was written that the order ended without a payment.
    unpaid_at      INTEGER,
    -- An order without an operation is removed after a day. This flag finds such orders without a look
    -- at the operations.
    begun          INTEGER NOT NULL DEFAULT 0,
    -- The place in the list that programs of the shop read, given after the first attempt to pay; see `events`.
    position       INTEGER,
    -- When the data of its payer was removed.
    purged_at      INTEGER,
    PRIMARY KEY (order_id, merchant_code)
) STRICT;

CREATE INDEX orders_to_purge ON orders (created_at) WHERE purged_at IS NULL;
CREATE UNIQUE INDEX orders_by_position ON orders (position) WHERE position IS NOT NULL;
CREATE INDEX orders_without_position ON orders (created_at) WHERE position IS NULL AND begun = 1;
CREATE INDEX orders_to_end ON orders (pay_until) WHERE pay_until IS NOT NULL AND unpaid_at IS NULL AND state = 'open';
CREATE INDEX orders_not_begun ON orders (created_at) WHERE begun = 0;

-- The last number that a program gave to an order. Each change locks the one row of its name, so that
-- two servers on one database never give the same number.
CREATE TABLE order_numbers (
    name TEXT PRIMARY KEY NOT NULL,
    last INTEGER NOT NULL
) STRICT;

-- The browsers that showed a right to pay an order of a shop, and may therefore read and cancel its
-- payment.
CREATE TABLE order_sessions (
    merchant_code TEXT NOT NULL,
    order_id      TEXT NOT NULL,
    -- SHA-256 of the session.
    session_hash  TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    -- 1 when the address of the order's page let it in, and the end of that address keeps it out again.
    by_pay_link   INTEGER NOT NULL,
    PRIMARY KEY (order_id, merchant_code, session_hash),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

-- The orders that their shop closed: nothing begins any more. An order may be closed before the server has
-- seen it, since its payer may hold a signed order, so that no row of `orders` is needed.
CREATE TABLE closed_orders (
    merchant_code TEXT NOT NULL,
    order_id      TEXT NOT NULL,
    -- The name of the API key.
    closed_by     TEXT NOT NULL,
    closed_at     INTEGER NOT NULL,
    -- 1 once it needs no further look: it ended unpaid, or the server has never seen it.
    concluded     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (merchant_code, order_id)
) STRICT;

CREATE INDEX closed_orders_not_concluded ON closed_orders (order_id, merchant_code) WHERE concluded = 0;

-- The addresses of the server's own page of an order. Whoever has the address may pay the order.
CREATE TABLE pay_links (
    -- SHA-256 of the handle in the address.
    handle_hash    TEXT PRIMARY KEY,
    merchant_code  TEXT NOT NULL,
    order_id       TEXT NOT NULL,
    -- Counts the links of the order, from 1.
    generation     INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    readable_until INTEGER NOT NULL,
    revoked_at     INTEGER,
    UNIQUE (order_id, merchant_code, generation),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

CREATE INDEX pay_links_by_end ON pay_links (readable_until);

-- The requests that payers and staff sent under an idempotency key, with their answers.
CREATE TABLE idempotency_keys (
    -- `payer` or `staff`; the sender is the hash of a session or the name of an account.
    sender_kind   TEXT NOT NULL CHECK (sender_kind IN ('payer', 'staff')),
    sender        TEXT NOT NULL,
    key           TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,
    -- The order of a payer's request.
    merchant_code TEXT,
    order_id      TEXT,
    created_at    INTEGER NOT NULL,
    -- The end of the lease of the server that carries the request out.
    running_until INTEGER,
    answer        TEXT,
    PRIMARY KEY (sender_kind, sender, key),
    CHECK ((order_id IS NULL) = (merchant_code IS NULL)),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

CREATE INDEX idempotency_keys_by_order ON idempotency_keys (order_id, merchant_code) WHERE order_id IS NOT NULL;

-- What the merchant's own systems are told. Each event is written in the transaction of the change that
-- it reports, so that no change is without its event.
CREATE TABLE events (
    -- The order in which the events happened.
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT NOT NULL UNIQUE,
    type         TEXT NOT NULL,
    merchant_code TEXT NOT NULL,
    order_id     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    -- The body of every delivery, so that a repetition is the same to the byte.
    body         TEXT NOT NULL,
    -- The place in the list that programs of the shop read; NULL until one reads. It is given after the
    -- commit and under a lock, so that an event that commits later comes later: `seq` is given before.
    position     INTEGER,
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

CREATE INDEX events_by_time ON events (created_at);
CREATE INDEX events_by_order ON events (order_id, merchant_code);
CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (seq) WHERE position IS NULL;

-- The receivers of events that a server has in its settings. Each server writes its own ones at its start and
-- every hour, so that an event goes to the receivers of all servers, whichever server writes it.
CREATE TABLE event_receivers (
    name        TEXT PRIMARY KEY NOT NULL,
    -- A JSON list of the types of events that it wants.
    types       TEXT NOT NULL,
    -- When a server last had it in its settings.
    seen_at     INTEGER NOT NULL,
    -- When it answered 410 (gone), and to which event: it gets nothing until somebody resumes it.
    stopped_at  INTEGER,
    stopped_seq INTEGER REFERENCES events (seq),
    CHECK ((stopped_at IS NULL) = (stopped_seq IS NULL))
) STRICT;

-- What goes to a receiver: each event that it wants, written in the transaction of the event.
CREATE TABLE deliveries (
    event_seq    INTEGER NOT NULL REFERENCES events (seq),
    receiver     TEXT NOT NULL,
    -- The order of the event.
    merchant_code TEXT NOT NULL,
    order_id     TEXT NOT NULL,
    -- When the event is sent next; NULL while an earlier event of its order is not delivered to this
    -- receiver. For plans and leases see `operations`.
    due_at       INTEGER,
    planned_at   INTEGER,
    leased_until INTEGER,
    failures     INTEGER NOT NULL DEFAULT 0,
    delivered_at INTEGER,
    PRIMARY KEY (event_seq, receiver),
    CHECK (due_at IS NULL OR delivered_at IS NULL),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

-- The events of an order are sent to a receiver one after the other.
CREATE UNIQUE INDEX one_delivery_of_an_order ON deliveries (receiver, order_id, merchant_code) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_due ON deliveries (receiver, due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX deliveries_planned ON deliveries (receiver, planned_at)
    WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX deliveries_leased ON deliveries (receiver, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (order_id, merchant_code, receiver, event_seq) WHERE delivered_at IS NULL;
CREATE INDEX deliveries_refused ON deliveries (event_seq) WHERE delivered_at IS NULL AND failures >= 10;

-------------------------------------------------------------------------------------- operations

-- The payments: each try to pay an order, with all money that was given back of it.
CREATE TABLE operations (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    order_id                  TEXT NOT NULL,
    -- JSON: what the rules decide by, but for the next nine columns. Those after them are copies for searches and indexes.
    document                  TEXT NOT NULL,
    -- When the last query took its turn, and when a notification came whose query is not answered yet.
    queried_at                INTEGER,
    hinted_at                 INTEGER,
    -- `due_at` says when the server looks at the row, `planned_at` when that was decided: a plan of the
    -- future comes from a clock that was set back since, and is due. `leased_until` ends the lease of
    -- the server that has taken the row; it is an instant of a clock that nobody sets.
    due_at                    INTEGER,
    planned_at                INTEGER,
    leased_until              INTEGER,
    failures                  INTEGER NOT NULL,
    -- How often the row was written, apart from plans, turns and hints.
    version                   INTEGER NOT NULL DEFAULT 0,
    -- By which version of the rules its exceptions were found.
    exceptions_version        INTEGER NOT NULL DEFAULT 0,
    -- What was given back, or reserved to be, when money was last reserved. What the service tells later may be more.
    gone                      INTEGER NOT NULL DEFAULT 0 CHECK (gone <= amount),
    -- The label of the order, so that staff find the payment by it without a join.
    order_label               TEXT,
    phase                     TEXT NOT NULL CHECK (phase IN ('sending', 'in_doubt', 'refused', 'known', 'lost')),
    -- 1 while the payer can pay it.
    live                      INTEGER NOT NULL,
    -- 1 while it can be paid, or was without the server knowing.
    may_be_paid               INTEGER NOT NULL DEFAULT 1,
    -- 1 when nothing about it is under way, so that its payer may be forgotten.
    finished                  INTEGER NOT NULL DEFAULT 0,
    -- 1 when its request never left, so that its number is used again.
    unsent                    INTEGER NOT NULL DEFAULT 0,
    method_name               TEXT NOT NULL,
    amount                    INTEGER NOT NULL,
    currency                  TEXT NOT NULL,
    -- SHA-256 of the token in the callback URL.
    callback_hash             TEXT NOT NULL UNIQUE,
    created_at                INTEGER NOT NULL,
    changed_at                INTEGER NOT NULL,
    -- Of the last answer of the payment service.
    transaction_id            TEXT,
    state                     TEXT,
    outcome                   TEXT,
    qr_id                     TEXT,
    cip                       TEXT,
    PRIMARY KEY (merchant_code, merchant_operation_number),
    FOREIGN KEY (order_id, merchant_code) REFERENCES orders (order_id, merchant_code)
) STRICT;

-- An order never has two operations that can be paid now.
CREATE UNIQUE INDEX one_live_operation ON operations (order_id, merchant_code) WHERE live = 1;
CREATE INDEX operations_by_order ON operations (order_id, merchant_code);
CREATE INDEX operations_sending ON operations (created_at) WHERE phase = 'sending';
CREATE INDEX operations_by_change ON operations (changed_at);
CREATE INDEX operations_due ON operations (due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX operations_planned ON operations (planned_at) WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX operations_leased ON operations (leased_until) WHERE leased_until IS NOT NULL;
-- The searches of staff, whose lists begin with the newest operation; two of one instant are in the order
-- of their rowids, which end every index.
CREATE INDEX operations_by_time ON operations (created_at);
CREATE INDEX operations_by_state ON operations (state, created_at);
CREATE INDEX operations_by_method ON operations (method_name, created_at);
CREATE INDEX operations_by_number ON operations (merchant_operation_number);
CREATE INDEX operations_by_transaction ON operations (transaction_id);
CREATE INDEX operations_by_order_label ON operations (order_label) WHERE order_label IS NOT NULL;
CREATE INDEX operations_by_qr_id ON operations (qr_id) WHERE qr_id IS NOT NULL;
CREATE INDEX operations_by_cip ON operations (cip) WHERE cip IS NOT NULL;
CREATE INDEX operations_in_doubt ON operations (changed_at) WHERE phase = 'in_doubt';
CREATE INDEX operations_by_exceptions_version ON operations (exceptions_version);

CREATE TRIGGER an_operation_begins_its_order AFTER INSERT ON operations
    BEGIN UPDATE orders SET begun = 1
        WHERE order_id = NEW.order_id AND merchant_code = NEW.merchant_code AND begun = 0; END;

-- Transaction ids that other systems named for an operation in doubt. The server asks the payment
-- service about them.
CREATE TABLE transaction_hints (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    transaction_id            TEXT NOT NULL,
    noted_at                  INTEGER NOT NULL,
    -- 1 when the service said that it is not the transaction of this operation.
    wrong                     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (merchant_code, merchant_operation_number, transaction_id),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

----------------------------------------------------------------------------------- given back

-- When the server looks up the refunds of an operation next, and when it did. For plans and leases see
-- `operations`.
CREATE TABLE refund_watches (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    due_at                    INTEGER,
    planned_at                INTEGER,
    leased_until              INTEGER,
    failures                  INTEGER NOT NULL,
    asked_at                  INTEGER,
    -- When the last look began whose list was complete.
    complete_at               INTEGER,
    PRIMARY KEY (merchant_code, merchant_operation_number),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

CREATE INDEX refund_watches_due ON refund_watches (due_at) WHERE due_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX refund_watches_planned ON refund_watches (planned_at) WHERE planned_at IS NOT NULL AND leased_until IS NULL;
CREATE INDEX refund_watches_leased ON refund_watches (leased_until) WHERE leased_until IS NOT NULL;

-- The requests that give money back, as the documents of their payments have them: refunds that staff or programs of the
-- shop asked for, returns by hand, and requests to cancel, which give a payment back if there is one.
CREATE TABLE requests (
    request_id                TEXT PRIMARY KEY,
    kind                      TEXT NOT NULL CHECK (kind IN ('refund', 'return', 'reversal')),
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    -- The account that asked for it; NULL for a payer and for the server itself.
    staff                     TEXT,
    idempotency_key           TEXT,
    at                        INTEGER NOT NULL,
    -- When it left; NULL before that, and for a return.
    begun_at                  INTEGER,
    amount                    INTEGER NOT NULL CHECK (amount > 0),
    state                     TEXT NOT NULL,
    -- Towards the limits of the account: 0 nothing, 1 its amount, 2 its amount unless the account asks for it again.
    counted                   INTEGER NOT NULL CHECK (counted IN (0, 1, 2)),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

-- One request at a time may give a payment back.
CREATE UNIQUE INDEX one_reversal_at_a_time ON requests (merchant_code, merchant_operation_number)
    WHERE kind = 'reversal' AND state IN ('sending', 'in_doubt');
-- One key records one return.
CREATE UNIQUE INDEX one_return_of_a_key ON requests (staff, idempotency_key) WHERE kind = 'return';
CREATE INDEX requests_by_operation ON requests (merchant_code, merchant_operation_number);
CREATE INDEX requests_by_key ON requests (staff, idempotency_key) WHERE staff IS NOT NULL;
CREATE INDEX requests_by_staff ON requests (staff, at) WHERE staff IS NOT NULL;
CREATE INDEX requests_open ON requests (state) WHERE state IN ('sending', 'in_doubt', 'open');

---------------------------------------------------------------------------------------- for staff

-- What staff have to look at, as the facts of a payment say. Each change of the payment writes its rows anew, without
-- those that somebody has dealt with.
CREATE TABLE exceptions (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    -- The place in the list of the payment.
    place                     INTEGER NOT NULL,
    kind                      TEXT NOT NULL,
    since                     INTEGER NOT NULL,
    -- From when on staff see it; NULL for at once.
    listed_from               INTEGER,
    detail                    TEXT NOT NULL,
    PRIMARY KEY (merchant_code, merchant_operation_number, place),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

-- The exceptions that somebody has dealt with.
CREATE TABLE resolved_exceptions (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    kind                      TEXT NOT NULL,
    -- Since when it was an exception: a later exception of this kind is another one.
    since                     INTEGER NOT NULL,
    staff                     TEXT NOT NULL,
    at                        INTEGER NOT NULL,
    reason                    TEXT NOT NULL CHECK (reason <> ''),
    PRIMARY KEY (merchant_code, merchant_operation_number, kind),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
) STRICT;

CREATE TABLE staff_sessions (
    -- SHA-256 of the cookie.
    hash       TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    -- A fingerprint of the hash of the password with which the session began: a new password ends it.
    password   TEXT NOT NULL DEFAULT ''
) STRICT;

-- The keys with which programs of the shop call the server. A key that was ended stays, since the audit
-- names it.
CREATE TABLE api_keys (
    name               TEXT PRIMARY KEY,
    -- SHA-256 of the secret. The secret has 256 random bits, so that a slow hash would add nothing.
    secret_hash        TEXT NOT NULL UNIQUE,
    -- The store whose orders the key reaches.
    merchant_code      TEXT NOT NULL,
    -- Words of a JSON list: read, cancel, refund.
    permissions        TEXT NOT NULL,
    refund_limit       INTEGER,
    refund_limit_a_day INTEGER,
    created_at         INTEGER NOT NULL,
    ended_at           INTEGER
) STRICT;

-- Who did what. A row is written before the act, and never changed.
CREATE TABLE audit (
    id                        INTEGER PRIMARY KEY AUTOINCREMENT,
    at                        INTEGER NOT NULL,
    staff                     TEXT NOT NULL,
    action                    TEXT NOT NULL,
    merchant_code             TEXT,
    merchant_operation_number TEXT,
    detail                    TEXT NOT NULL
) STRICT;

CREATE INDEX audit_by_operation ON audit (merchant_code, merchant_operation_number)
    WHERE merchant_operation_number IS NOT NULL;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'the audit record is never changed'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'the audit record is never removed'); END;

------------------------------------------------------------------------------ the database itself

-- The one row is written to learn whether the database takes writes.
CREATE TABLE readiness (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    written    INTEGER NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;

INSERT INTO readiness (one, written, written_at) VALUES (1, 0, 0);

-- When the database was last restored from a backup. There is one row at most, and none after staff have
-- compared everything older with the payment service.
CREATE TABLE fence (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;

-- The mark of a file whose rows `merchant-backend copy` moves to a database of PostgreSQL. It is there before
-- they are there for good, and no server starts on a marked file: two servers on two databases would pay and
-- refund twice. PostgreSQL has no such table.
CREATE TABLE moved (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    -- The new database, without a user or a password.
    target TEXT NOT NULL
) STRICT;
