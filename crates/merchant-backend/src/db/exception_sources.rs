//! The rows in which each kind of exception is found, and its urgency. `exceptions` builds its SQL from
//! this table.

use staff_model::ExceptionKind;

/// Where exceptions of a kind are found: since when, with which detail, and in which rows.
pub(super) struct Source {
    pub(super) kind: ExceptionKind,
    pub(super) since: &'static str,
    pub(super) detail: &'static str,
    pub(super) rows: &'static str,
}

const fn source(
    kind: ExceptionKind,
    since: &'static str,
    detail: &'static str,
    rows: &'static str,
) -> Source {
    Source {
        kind,
        since,
        detail,
        rows,
    }
}

/// Every exception, those first that may cost money soonest; an index answers each. `$1` is the
/// instant before which a payment has to be settled by now, `$2` to `$6` are the instants since
/// which a blocked order, a reserved return, an open refund, a payment that is not announced and an
/// operation without a usable answer are listed; `{only}` limits it to some operations.
pub(super) const FOUND: &[Source] = &[
    source(
        ExceptionKind::PaidTwice,
        "o.changed_at",
        "''",
        "{orders} WHERE r.paid_twice = 1 AND o.outcome = 'paid' {only}
            AND o.amount > (SELECT {total} FROM given_back g
                WHERE g.promised = 0 AND g.merchant_code = o.merchant_code
                    AND g.merchant_operation_number = o.merchant_operation_number)
            AND EXISTS (SELECT 1 FROM operations other WHERE other.order_id = o.order_id
                AND other.merchant_code = o.merchant_code AND other.{id} <> o.{id} AND other.outcome = 'paid'
                AND other.amount > (SELECT {total} FROM given_back g
                    WHERE g.promised = 0 AND g.merchant_code = other.merchant_code
                        AND g.merchant_operation_number = other.merchant_operation_number))",
    ),
    source(
        ExceptionKind::GivenBackBeyond,
        "b.since",
        "b.detail",
        "excesses b {of_operation b} WHERE true {only}",
    ),
    source(
        ExceptionKind::Mismatch,
        "o.mismatch_at",
        "o.mismatch",
        "operations o WHERE o.mismatch IS NOT NULL {only}",
    ),
    source(
        ExceptionKind::PaymentHeld,
        "o.changed_at",
        "''",
        "operations o WHERE o.outcome = 'paid' AND o.announced_at IS NULL
             AND o.changed_at <= $5 {only}",
    ),
    source(
        ExceptionKind::Contradicted,
        "o.contradicted_at",
        "o.contradiction",
        "operations o WHERE o.contradicted_at IS NOT NULL {only}",
    ),
    source(
        ExceptionKind::ReversalUnknown,
        "v.begun_at",
        "v.detail",
        "reversals v {of_operation v} WHERE {open_state v} AND v.state = 'in_doubt'
            AND NOT (v.purpose = 'settle_doubt' AND o.phase = 'in_doubt') {only}",
    ),
    source(
        ExceptionKind::RefundUnknown,
        "min(a.requested_at)",
        "max(a.detail)",
        "refund_attempts a {of_operation a}
            WHERE {open_state a} AND a.state = 'in_doubt' {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::RefundUnknown,
        "max(a.changed_at)",
        "max(a.detail)",
        "refund_attempts a {of_operation a}
            WHERE a.state = 'registered' AND a.released_by IS NOT NULL {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::InDoubt,
        // An index in the order of time would have every operation.
        "o.created_at + 0",
        "coalesce(o.trouble, '')",
        "operations o WHERE o.phase = 'in_doubt' {only}",
    ),
    source(
        ExceptionKind::PaidLate,
        "o.paid_late_at",
        "''",
        "operations o WHERE o.paid_late_at IS NOT NULL AND o.outcome = 'paid' {only}",
    ),
    source(
        ExceptionKind::ReturnOpen,
        "min(m.at)",
        "{returned} || ' cents are reserved to be given back by hand, or wait for a second person'",
        "manual_returns m {of_operation m} WHERE m.state = 'open'
            AND (m.already_made = 1 OR m.at <= $3) {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::ReturnUnreserved,
        "max(m.at)",
        "'of ' || o.amount || ' cents, ' || {returned}
            || ' cents were given back by hand before anybody reserved them'",
        "manual_returns m {of_operation m}
            WHERE m.already_made = 1 AND m.state <> 'given_up' {only} GROUP BY o.{id}, o.amount",
    ),
    source(
        ExceptionKind::StatementDiffers,
        "d.since",
        "d.detail",
        "differences d {of_operation d} WHERE true {only}",
    ),
    source(
        ExceptionKind::Unanswered,
        "o.unanswered_since",
        "o.unanswered_reason",
        "operations o WHERE o.unanswered_since <= $6 {only}",
    ),
    source(
        ExceptionKind::Blocked,
        "o.blocked_since",
        "''",
        "operations o WHERE o.blocked_since <= $2 AND o.live = 1 {only}",
    ),
    source(
        ExceptionKind::NumberTaken,
        "o.number_taken_at",
        "coalesce(o.trouble, '')",
        "operations o WHERE o.number_taken_at IS NOT NULL {only}",
    ),
    // With the usual pauses the tenth delivery fails more than an hour after the first one.
    source(
        ExceptionKind::EventRefused,
        "min(e.created_at)",
        "max(e.type || ' was sent to the receiver ' || d.receiver || ' ' || d.failures
            || ' times, and was not accepted')",
        "deliveries d JOIN events e ON e.seq = d.event_seq
                JOIN operations o ON o.merchant_code = e.merchant_code
                    AND o.merchant_operation_number = {event_number}
            WHERE d.delivered_at IS NULL AND d.failures >= 10 {only} GROUP BY o.{id}",
    ),
    // A receiver that answered 410 is an exception of the order of that event.
    source(
        ExceptionKind::EventRefused,
        "min(s.stopped_at)",
        "max('the receiver ' || s.name || ' answered 410 to ' || e.type
            || ' and gets nothing until `event resume --receiver ' || s.name || '`')",
        "event_receivers s CROSS JOIN events e CROSS JOIN operations o
            WHERE s.stopped_at IS NOT NULL AND e.seq = s.stopped_seq AND o.merchant_code = e.merchant_code
                AND o.merchant_operation_number = {event_number} {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::RefundStuck,
        "max(t.changed_at)",
        "max('refund ' || t.refund_id || ' is ' || t.state)",
        "refunds t {of_operation t} WHERE t.counts = 1 AND t.state <> 'RESOLVED'
            AND (t.state = 'REJECTED' OR t.changed_at <= $4) {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::RefundStuck,
        "max(t.denied_since)",
        "max('refund ' || t.refund_id || ' was RESOLVED, and the service says REJECTED now')",
        "refunds t {of_operation t} WHERE t.denied_since IS NOT NULL {only} GROUP BY o.{id}",
    ),
    source(
        ExceptionKind::Restored,
        "{fence}",
        "''",
        "{restored} {only}",
    ),
    source(
        ExceptionKind::NotSettled,
        "o.changed_at",
        "''",
        "operations o WHERE o.state = 'AUTORIZADO' AND o.changed_at < $1 {only}",
    ),
];

/// Operations from before a restore whose state is not known since: for the list.
pub(super) const UNSURE: &str = "(SELECT f.at AS since, o.{id} AS number
            FROM fence f CROSS JOIN operations o {in_doubt}
            WHERE o.created_at < f.at AND o.phase = 'in_doubt'
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN operations o {due}
            WHERE o.due_at IS NOT NULL AND o.leased_until IS NULL AND o.created_at < f.at
                AND o.phase = 'known' AND (o.outcome IS NULL OR o.outcome = 'paid')
                AND (o.queried_at IS NULL OR o.queried_at < f.at OR o.failures > 0)
        UNION SELECT f.at, o.{id} FROM fence f CROSS JOIN manual_returns m {open} CROSS JOIN operations o
            WHERE o.merchant_code = m.merchant_code
                AND o.merchant_operation_number = m.merchant_operation_number
                AND m.state = 'open' AND o.created_at < f.at) AS unsure
        CROSS JOIN operations o WHERE o.{id} = unsure.number";

/// For one operation: everything that staff may have to confirm before they give something back.
pub(super) const UNCONFIRMED: &str = "operations o CROSS JOIN fence f WHERE o.created_at < f.at
        AND o.phase NOT IN ('refused', 'lost') AND (o.outcome IS NULL OR o.outcome = 'paid')";
