mod blocks;
mod links;
mod list;
mod navigation;
mod news;
mod news_shown;
mod second_factor;
mod step_up;

use super::local_day::ZoneOffset;
use super::permitted_actions::Way;
use super::test_data::{details, row, session};
use super::{
    Answer, Ask, Dialog, Effect, Event, Failure, FailureKind, Field, Input, Page, Press, Reference,
    Request, StaffState,
};
use payment_model::{RefundQueryResponse, Timestamp};
use staff_model::{Permission, SearchPage};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// The state, and the requests that it sent, oldest first.
struct Staff {
    state: StaffState,
    at: Timestamp,
    sent: Vec<(u32, Request)>,
    /// The requests for news, in the same way.
    news: Vec<(u32, Request)>,
    /// The requests that are no use of the session.
    unattended: Vec<u32>,
    wake: Option<Duration>,
}

impl Staff {
    fn new() -> Self {
        let offered = Permission::ALL.to_vec();
        let mut staff = Self {
            state: StaffState::new(offered, |_, _| Some(ZoneOffset::from_hours(-5))),
            at: Timestamp::from_secs(1_000),
            sent: Vec::new(),
            news: Vec::new(),
            unattended: Vec::new(),
            wake: None,
        };
        staff.does(Event::Started);
        staff
    }

    fn signed_in() -> Self {
        let mut staff = Self::new();
        staff.hears(Ok(Answer::Session(session("ana"))));
        staff.hears(Ok(Answer::Page(SearchPage {
            operations: vec![row("1"), row("2")],
            next_cursor: None,
        })));
        staff
    }

    fn on_operation() -> Self {
        let mut staff = Self::signed_in();
        staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
        staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 10_000)))));
        staff
    }

    fn passes(&mut self, time: Duration) {
        self.at = self.at.saturating_add(time);
    }

    fn does(&mut self, event: Event) {
        self.passes(Duration::from_millis(10));
        let input = Input {
            at: self.at,
            entropy: 7,
            event,
        };
        let effects = self.state.handle(input);
        self.follows(effects);
    }

    /// The answer to one request, whether it is awaited or not.
    fn answers(&mut self, call: u32, answer: Result<Answer, Failure>) {
        self.passes(Duration::from_millis(10));
        let effects = self.state.take_answer(self.at, call, answer);
        self.follows(effects);
    }

    fn follows(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Send(call, _, true) = &effect {
                self.unattended.push(*call);
            }
            match effect {
                Effect::Send(call, request, _) if matches!(*request, Request::News(..)) => {
                    self.news.push((call, *request));
                }
                Effect::Send(_, request, _)
                    if *request == Request::Exceptions && self.state.page != Page::Exceptions => {}
                Effect::Send(call, request, _) => self.sent.push((call, *request)),
                Effect::Abort(call) => {
                    self.sent.retain(|(one, _)| *one != call);
                    self.news.retain(|(one, _)| *one != call);
                }
                Effect::Wake(wake) => self.wake = wake,
            }
        }
    }

    /// Answers the oldest request.
    fn hears(&mut self, answer: Result<Answer, Failure>) -> Request {
        let (call, request) = self.sent.remove(0);
        self.answers(call, answer);
        request
    }

    fn types(&mut self, field: Field, text: &str) {
        self.does(Event::Typed(field, text.to_owned()));
    }

    fn refund_form(&self) -> &super::refund_form::RefundForm {
        match &self.state.dialog {
            Some(Dialog::Refund(form)) => form,
            other => panic!("{other:?}"),
        }
    }
}

fn required() -> Result<Answer, Failure> {
    Err(FailureKind::SignInRequired.into())
}

#[test]
fn a_session_is_taken_up_again_or_asked_for() {
    let mut staff = Staff::new();
    assert!(!staff.state.sign_in.asks());
    staff.hears(required());
    assert!(staff.state.sign_in.asks() && staff.sent.is_empty());
    staff.types(Field::Name, "ana");
    staff.does(Event::SignInPressed);
    assert!(staff.sent.is_empty());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.does(Event::SignInPressed);
    assert_eq!(staff.sent.len(), 1);
    staff.hears(Ok(Answer::Session(session("ana"))));
    assert!(!staff.state.sign_in.asks() && staff.state.sign_in.password.0.is_empty());
    assert!(matches!(staff.sent[..], [(_, Request::Search(_))]));
}

#[test]
fn too_many_attempts_wait_as_long_as_the_server_says() {
    let mut staff = Staff::new();
    staff.hears(required());
    staff.types(Field::Name, "ana");
    staff.types(Field::Password, "wrong");
    staff.does(Event::SignInPressed);
    staff.hears(Err(Failure {
        retry_after: Some(Duration::from_secs(30)),
        ..FailureKind::TooManyRequests.into()
    }));
    assert_eq!(
        staff.state.sign_in.form.blocked_for(staff.at),
        Some(Duration::from_secs(30))
    );
    staff.does(Event::SignInPressed);
    assert!(staff.sent.is_empty());
    // The screen shows the wait every second, and nothing happens by itself at its end.
    for left in (1..=30).rev() {
        assert_eq!(
            staff.state.sign_in.form.blocked_for(staff.at),
            Some(Duration::from_secs(left))
        );
        assert_eq!(staff.wake, Some(SECOND));
        staff.passes(SECOND);
        staff.does(Event::Woke);
    }
    assert_eq!(
        (staff.state.sign_in.form.blocked_for(staff.at), staff.wake),
        (None, None)
    );
    staff.does(Event::SignInPressed);
    assert_eq!(staff.sent.len(), 1);
}

#[test]
fn signed_out_in_the_middle_the_form_stays_and_its_key_too() {
    let mut staff = Staff::on_operation();
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    staff.types(Field::Amount(0), "12.34");
    staff.does(Event::DialogPressed(Press::On));
    staff.does(Event::DialogPressed(Press::On));
    staff.does(Event::DialogPressed(Press::On));
    assert_eq!(staff.sent.len(), 1);
    let first = staff.hears(required());
    assert!(staff.state.sign_in.asks() && staff.sent.is_empty());
    assert_eq!(staff.refund_form().lines[0].typed, "12.34");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("ana"))));
    assert!(!staff.state.sign_in.asks());
    staff.does(Event::DialogPressed(Press::On));
    assert_eq!(staff.sent.pop().map(|(_, request)| request), Some(first));
}

#[test]
fn questions_are_asked_again_after_the_sign_in() {
    let mut staff = Staff::on_operation();
    staff.does(Event::QueryPressed);
    staff.hears(required());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("ana"))));
    assert!(matches!(staff.sent[..], [(_, Request::Query(_))]));
    assert!(matches!(staff.state.page, Page::Operation(_)));
}

#[test]
fn another_person_sees_nothing_of_the_one_before() {
    let mut staff = Staff::on_operation();
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    staff.does(Event::ReloadPressed);
    staff.hears(required());
    staff.types(Field::Name, "bea");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("bea"))));
    assert_eq!(staff.state.page, Page::Search);
    assert!(staff.state.dialog.is_none() && staff.state.operation.is_none());
    assert!(matches!(staff.sent[..], [(_, Request::Search(_))]));
}

#[test]
fn the_service_is_asked_at_most_once_a_second() {
    let mut staff = Staff::on_operation();
    staff.does(Event::QueryPressed);
    staff.does(Event::QueryPressed);
    assert_eq!(staff.sent.len(), 1);
    staff.hears(Err(FailureKind::ServiceUnavailable.into()));
    // The page is read again all the same.
    staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 10_000)))));
    staff.does(Event::QueryPressed);
    assert!(staff.sent.is_empty() && staff.wake.is_some_and(|wake| wake <= SECOND));
    staff.passes(SECOND);
    staff.does(Event::QueryPressed);
    assert_eq!(staff.sent.len(), 1);
}

#[test]
fn refunds_are_followed_until_they_are_final_and_only_while_somebody_looks() {
    let json = |state: &str| {
        serde_json::from_value(serde_json::json!({
            "refund_id": "r", "state": state, "refund_reason": "", "type": "TOTAL",
            "merchant_operation_number": "1", "transaction_id": "t-1", "refund_amount": "1",
            "transaction_amount": "1", "currency": "604",
            "payment_method": {"name": "CARD", "brand": "", "masked_pan": ""}, "lifecycle": []
        }))
        .unwrap()
    };
    let known = |state: &str| {
        let mut known = details(row("1"), 0);
        known.refunds = vec![json(state)];
        Ok(Answer::Details(Box::new(known)))
    };
    let refunds = || {
        Ok(Answer::Refunds(Box::new(RefundQueryResponse {
            success: true,
            merchant_code: "100000001".into(),
            operations_count: "0".to_owned(),
            operations: Vec::new(),
            meta: payment_model::Meta::default(),
        })))
    };
    let mut staff = Staff::signed_in();
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("1")))));
    staff.hears(known("REGISTERED"));
    let mut waits = Vec::new();
    for _ in 0..9 {
        let wait = staff.wake.unwrap();
        waits.push(wait);
        staff.passes(wait);
        staff.does(Event::Woke);
        assert!(matches!(staff.hears(refunds()), Request::Refunds(_)));
        staff.hears(known("NEW_STATE"));
    }
    assert!(
        waits.is_sorted() && waits[0] <= 3 * SECOND && waits[8] == 60 * SECOND,
        "{waits:?}"
    );
    staff.does(Event::Hidden);
    assert_eq!(staff.wake, None);
    staff.passes(600 * SECOND);
    staff.does(Event::Appeared);
    staff.hears(refunds());
    staff.hears(known("RESOLVED"));
    assert_eq!(staff.wake, None);
}

#[test]
fn several_are_refunded_in_one_request() {
    let mut staff = Staff::signed_in();
    staff.does(Event::Selected(0, 0));
    staff.does(Event::Selected(0, 1));
    staff.does(Event::Asked(Ask::RefundSelected));
    staff.hears(Ok(Answer::Details(Box::new(details(row("1"), 10_000)))));
    staff.hears(Ok(Answer::Details(Box::new(details(row("2"), 300)))));
    staff.types(Field::Amount(0), "5");
    staff.does(Event::DialogPressed(Press::All(1)));
    staff.does(Event::DialogPressed(Press::On));
    staff.does(Event::DialogPressed(Press::On));
    let Some((_, Request::Refund(body, _))) = staff.sent.last() else {
        panic!("{:?}", staff.sent);
    };
    let amounts: Vec<_> = body
        .operations
        .iter()
        .map(|o| o.refund_amount.as_str())
        .collect();
    assert_eq!(amounts, ["500", "300"]);
    // On its way it cannot be closed.
    staff.does(Event::Closed);
    assert!(staff.state.dialog.is_some());
}

#[test]
fn nobody_does_what_the_page_does_not_offer() {
    let mut staff = Staff::on_operation();
    staff.state.offer(vec![Permission::Cancel]);
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    assert!(staff.state.dialog.is_none());
    staff.state.offer(vec![Permission::Refund]);
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    assert!(staff.state.dialog.is_some());
}

#[test]
fn what_is_reserved_is_made_or_given_up_and_a_doubt_is_released_with_a_reason() {
    let returned: staff_model::ManualReturn = serde_json::from_value(serde_json::json!({
        "return_id": "a/b", "state": "open", "amount": 1, "reason": "", "staff": "ana", "at": 0
    }))
    .unwrap();
    let reversal: staff_model::Reversal = serde_json::from_value(serde_json::json!({
        "reversal_id": "v", "state": "in_doubt", "amount": 1, "at": 0, "detail": ""
    }))
    .unwrap();
    for (ask, path) in [
        (
            Ask::MadeReturn(Box::new(returned.clone())),
            "/returns/a%2Fb/done",
        ),
        (
            Ask::GiveUpReturn(Box::new(returned)),
            "/returns/a%2Fb/given-up",
        ),
        (
            Ask::ReleaseReversal(Box::new(reversal)),
            "/reversals/v/release",
        ),
    ] {
        let mut staff = Staff::on_operation();
        staff.does(Event::Asked(ask));
        staff.does(Event::DialogPressed(Press::On));
        assert!(staff.sent.is_empty());
        staff.types(Field::Reason, "slip 7");
        staff.does(Event::DialogPressed(Press::On));
        assert_eq!(staff.sent[0].1.address().path(), path);
    }
}

#[test]
fn a_return_is_reserved_unless_its_money_has_left() {
    for (ticked, already_made) in [("", false), ("true", true)] {
        let mut staff = Staff::signed_in();
        let mut qr = row("1");
        qr.method_name = "QR".into();
        staff.does(Event::Opened(Page::Operation(Reference::of(&qr))));
        staff.hears(Ok(Answer::Details(Box::new(details(qr, 10_000)))));
        staff.does(Event::Asked(Ask::GiveBack(Way::ByHand)));
        staff.types(Field::Amount(0), "1.00");
        staff.types(Field::Reason, "by transfer");
        staff.types(Field::AlreadyMade, ticked);
        staff.does(Event::DialogPressed(Press::On));
        let Some((_, Request::Return(body, _))) = staff.sent.last() else {
            panic!("{:?}", staff.sent);
        };
        assert_eq!((body.amount.get(), body.already_made), (100, already_made));
    }
}
