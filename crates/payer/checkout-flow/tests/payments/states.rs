//! Each state that the server can answer, and answers about something else.

use crate::support::page::{Page, minutes, seconds};
use checkout_flow::{Connection, Event};
use payment_model::{Meta, Outcome, PaymentMethodName, TransactionState};

#[test]
fn each_state_has_its_screen_and_its_end() {
    for (state, screen, outcome) in [
        ("REGISTRADO", "Qr", None),
        ("PENDIENTE", "Qr", None),
        ("AUTORIZADO", "Ended", Some(Outcome::Paid)),
        ("LIQUIDADO", "Ended", Some(Outcome::Paid)),
        ("DENEGADO", "Ended", Some(Outcome::Declined)),
        ("INVALIDO", "Ended", Some(Outcome::Invalid)),
        ("CANCELADO", "Ended", Some(Outcome::Cancelled)),
        ("EXPIRADO", "Ended", Some(Outcome::Expired)),
        ("EXTORNADO", "Ended", Some(Outcome::Reversed)),
        ("NUEVO", "Confirming", None),
        ("", "Confirming", None),
        ("autorizado", "Confirming", None),
    ] {
        let mut page = Page::showing_qr();
        page.server_says(0, TransactionState::from(state));
        page.time_passes(seconds(5));
        page.sees(screen);
        assert_eq!(
            page.results().first().map(|result| result.outcome),
            outcome,
            "{state}"
        );
    }
}

#[test]
fn a_state_that_nobody_knows_leads_back_to_the_code_or_to_the_end() {
    for (next, screen) in [
        ("PENDIENTE", "Qr"),
        ("AUTORIZADO", "Ended"),
        ("DENEGADO", "Ended"),
    ] {
        let mut page = Page::showing_qr();
        page.server_says(0, TransactionState::from("NUEVO"));
        page.time_passes(seconds(5));
        page.sees("Confirming");
        page.server_says(0, TransactionState::from(next));
        page.time_passes(seconds(5));
        page.sees(screen);
        assert_eq!(page.pending_told(), 1);
    }
}

#[test]
fn the_answer_to_authorize_ends_nothing() {
    for state in [
        "AUTORIZADO",
        "LIQUIDADO",
        "INVALIDO",
        "DENEGADO",
        "EXTORNADO",
        "EXPIRADO",
    ] {
        let mut page = Page::with(|page| {
            page.server.opens(PaymentMethodName::Qr, 0);
            let mut template = page.server.charges.remove(0);
            template.becomes(TransactionState::from(state));
            page.server.template = Some(template);
        });
        page.chooses(PaymentMethodName::Qr);
        page.time_passes(100);
        page.sees("Checking");
        assert!(page.results().is_empty() && page.pending_told() == 0);
        // The server corrects its answer, and only the correction counts.
        page.charge(0).state = TransactionState::Pending;
        page.time_passes(seconds(2));
        page.sees_qr();
        assert!(page.results().is_empty());
    }
}

#[test]
fn rejected_at_creation_is_told_once_the_status_endpoint_says_so() {
    let mut page = Page::with(|page| {
        page.server.opens(PaymentMethodName::Qr, 0);
        let mut template = page.server.charges.remove(0);
        template.becomes(TransactionState::Invalid);
        page.server.template = Some(template);
    });
    page.chooses(PaymentMethodName::Qr);
    page.time_passes(seconds(1));
    page.sees_end(Outcome::Invalid);
    assert!(page.results()[0].resumed, "this page never saw it wait");
}

#[test]
fn success_and_meta_change_nothing() {
    let mut page = Page::showing_qr();
    page.charge(0).success = false;
    page.charge(0).meta = Meta::new("99", "Error");
    page.time_passes(seconds(10));
    page.sees_qr();
    page.payer_pays(0);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Paid);

    let mut page = Page::showing_qr();
    page.server_says(0, TransactionState::Declined);
    page.time_passes(seconds(3));
    page.sees_end(Outcome::Declined);
}

#[test]
fn answers_about_something_else_are_dropped() {
    type Spoil = fn(&mut Page);
    let spoils: [(Spoil, Connection); 3] = [
        (|page| page.charge(0).misnamed = true, Connection::Troubled),
        (|page| page.charge(0).mistaken = true, Connection::Troubled),
        // An answer without a transaction brings no news, and is no trouble with the connection.
        (|page| page.charge(0).hollow = true, Connection::Good),
    ];
    for (spoil, connection) in spoils {
        let mut page = Page::showing_qr();
        spoil(&mut page);
        page.payer_pays(0);
        page.time_passes(minutes(1));
        page.sees_qr();
        assert!(page.results().is_empty());
        assert_eq!(page.flow.view().connection, connection);
        let charge = page.charge(0);
        (charge.misnamed, charge.mistaken, charge.hollow) = (false, false, false);
        page.time_passes(seconds(20));
        page.sees_end(Outcome::Paid);
        assert_eq!(page.flow.view().connection, Connection::Good);
    }
}

#[test]
fn without_a_transaction_a_resumed_operation_is_still_being_checked() {
    let mut page = Page::showing_qr();
    page.charge(0).hollow = true;
    page.reloads();
    page.time_passes(minutes(2));
    page.sees("Checking");
    page.charge(0).hollow = false;
    page.time_passes(seconds(20));
    page.sees_qr();
}

#[test]
fn nothing_goes_back_to_waiting() {
    for state in [TransactionState::Expired, TransactionState::Authorized] {
        let mut page = Page::showing_qr();
        page.server_says(0, state);
        page.time_passes(seconds(5));
        page.sees("Ended");
        for late in ["PENDIENTE", "REGISTRADO", "DENEGADO", "NUEVO"] {
            page.charge(0).state = TransactionState::from(late);
            page.time_passes(seconds(70));
            page.hears(Event::Shown);
            page.time_passes(seconds(3));
            page.sees("Ended");
            assert_eq!(page.results().len(), 1);
        }
    }
}
