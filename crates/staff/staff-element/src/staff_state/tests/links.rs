//! Payment links: who makes them, and what happens to them.

mod list;

use super::super::test_data::session;
use super::super::{
    Announcement, Answer, Ask, Dialog, Event, Failure, FailureKind, Field, Focus, Page, Request,
};
use super::second_factor::fails;
use super::{Staff, required};
use payment_model::{Cents, Currency, Timestamp};
use staff_model::{
    LinkState, LinksQuery, MakeLink, PaymentLink, PaymentLinks, Permission, SearchPage,
    SecondFactor, StaffSession, StaffStore,
};
use std::rc::Rc;

const LABEL: &str = "Polo azul";
const CUSTOMER: &str = "Rosa Salas";
const URL: &str = "https://shop.example/api/pay/secret";
const DAY_SECS: i64 = 86_400;

fn store(code: &str, currency: &str) -> StaffStore {
    StaffStore {
        merchant_code: code.to_owned(),
        merchant_name: "Tienda".to_owned(),
        currency: Currency::new(currency),
    }
}

fn seller(name: &str) -> StaffSession {
    let mut session = session(name);
    session.permissions = vec![Permission::Link];
    session.stores = vec![store("100000001", "604"), store("100000002", "JPY")];
    session
}

fn link(id: &str, state: LinkState) -> PaymentLink {
    PaymentLink {
        merchant_code: "100000001".to_owned(),
        order_id: id.to_owned(),
        amount: Cents::new(4_500),
        currency: Currency::new("604"),
        label: LABEL.to_owned(),
        customer_name: Some(CUSTOMER.to_owned()),
        pay_until: Timestamp::from_secs(9_000),
        state,
        made_by: "ana".to_owned(),
        made_at: Timestamp::from_secs(1),
        ended_by: None,
        merchant_operation_number: None,
        url: Some(URL.to_owned()),
        qr: None,
    }
}

fn page(ids: &[&str], next: Option<&str>) -> Result<Answer, Failure> {
    let links = ids.iter().map(|id| link(id, LinkState::NotOpened));
    Ok(Answer::Links(PaymentLinks {
        links: links.collect(),
        next_cursor: next.map(str::to_owned),
    }))
}

fn one(state: LinkState) -> Result<Answer, Failure> {
    Ok(Answer::Link(Box::new(link("L1", state))))
}

fn links_after(cursor: &str) -> Request {
    Request::Links(LinksQuery {
        cursor: cursor.to_owned(),
    })
}

impl Staff {
    /// The list of links, for whoever has this session.
    fn on_links(session: StaffSession) -> Self {
        let mut staff = Self::new();
        staff.hears(Ok(Answer::Session(session)));
        staff.hears(Ok(Answer::Page(SearchPage {
            operations: Vec::new(),
            next_cursor: None,
        })));
        staff.does(Event::Opened(Page::Links));
        assert_eq!(staff.hears(page(&["L1"], None)), links_after(""));
        staff
    }

    /// The form of a new link, filled in.
    fn selling() -> Self {
        let mut staff = Self::on_links(seller("ana"));
        staff.does(Event::Asked(Ask::MakeLink));
        staff.types(Field::Amount(0), "45.00");
        staff.types(Field::Label, &format!(" {LABEL} "));
        staff.types(Field::Customer, CUSTOMER);
        staff
    }

    fn asks_about(&mut self, ask: fn(Rc<PaymentLink>) -> Ask) {
        let link = self.state.links.list.as_ref().unwrap()[0].clone();
        self.does(Event::Asked(ask(link)));
    }

    fn made(&self) -> &MakeLink {
        match &self.sent[..] {
            [(_, Request::MakeLink(made, _))] => made,
            other => panic!("{other:?}"),
        }
    }

    fn link_form(&self) -> &super::super::links::LinkForm {
        match &self.state.dialog {
            Some(Dialog::MakeLink(form)) => form,
            other => panic!("{other:?}"),
        }
    }

    fn shown_link(&self) -> &super::super::links::OneLink {
        match &self.state.dialog {
            Some(Dialog::Link(one)) => one,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_older_server_and_accounts_that_only_look_make_no_links() {
    let mut old = seller("ana");
    old.stores.clear();
    let mut look = seller("ana");
    look.permissions.clear();
    let mut missing = seller("ana");
    missing.second_factor = SecondFactor::Missing;
    for session in [old, look, missing] {
        let mut staff = Staff::on_links(session);
        let shows = staff.state.may(Permission::Link);
        staff.does(Event::Asked(Ask::MakeLink));
        assert!(staff.state.dialog.is_none());
        if !shows {
            staff.asks_about(Ask::ShowLink);
            staff.asks_about(Ask::EndLink);
        }
        assert!(staff.state.dialog.is_none() && staff.sent.is_empty());
    }
    let mut staff = Staff::on_links(seller("ana"));
    staff.state.offer(vec![Permission::Refund]);
    staff.does(Event::Asked(Ask::MakeLink));
    assert!(staff.state.dialog.is_none());
}

#[test]
fn a_press_twice_makes_one_link_that_is_shown() {
    let mut staff = Staff::selling();
    staff.presses();
    staff.presses();
    staff.does(Event::Closed);
    assert!(staff.sent[0].1.key().is_some());
    let made = staff.made();
    assert_eq!(
        (made.amount, made.label.as_str()),
        (Cents::new(4_500), LABEL)
    );
    assert_eq!(made.customer_name.as_deref(), Some(CUSTOMER));
    staff.hears(one(LinkState::NotOpened));
    assert_eq!(staff.announced(), Some(Announcement::LinkMade));
    assert_eq!(staff.shown_link().link.url.as_deref(), Some(URL));
    assert!(!staff.shown_link().ends);
    staff.presses();
    assert!(staff.sent.is_empty());
    staff.does(Event::Closed);
    assert_eq!(staff.hears(page(&["L2", "L1"], None)), links_after(""));
}

#[test]
fn a_lost_answer_is_asked_for_by_the_same_request() {
    let mut staff = Staff::selling();
    staff.presses();
    let first = staff.hears(fails(FailureKind::Network));
    staff.types(Field::Amount(0), "99.00");
    staff.types(Field::Until, "7");
    assert!(!staff.link_form().is_open());
    assert_eq!(staff.link_form().amount, "45.00");
    staff.presses();
    assert_eq!(staff.hears(fails(FailureKind::BadRequest)), first);
    staff.presses();
    assert_eq!(staff.hears(one(LinkState::NotOpened)), first);
    assert!(!staff.shown_link().ends);
}

#[test]
fn an_amount_over_the_limit_is_told_at_its_field() {
    let mut staff = Staff::selling();
    staff.presses();
    // The server has looked for the key when it refuses an amount.
    staff.hears(fails(FailureKind::Network));
    staff.presses();
    staff.hears(Err(Failure {
        left: Some(Cents::new(4_000)),
        ..FailureKind::LinkRefused.into()
    }));
    assert_eq!(staff.state.focus, Some(Focus::Field(Field::Amount(0))));
    let left = staff.link_form().submission.failure().unwrap().left;
    assert_eq!(left, Some(Cents::new(4_000)));
    staff.types(Field::Amount(0), "40");
    assert!(staff.link_form().submission.failure().is_none());
    staff.presses();
    assert_eq!(staff.made().amount, Cents::new(4_000));
}

#[test]
fn a_wrong_amount_or_text_is_sent_nowhere() {
    let mut staff = Staff::selling();
    let long = "x".repeat(41);
    for (field, wrong, right) in [
        (Field::Amount(0), "1,234", "1234.00"),
        (Field::Label, "  ", LABEL),
        (Field::Label, "a\tb", LABEL),
        (Field::Label, &long, LABEL),
        (Field::Customer, &long.repeat(2), " "),
    ] {
        staff.state.focus = None;
        staff.types(field, wrong);
        staff.presses();
        assert_eq!(staff.state.focus, Some(Focus::Field(field)));
        assert!(staff.sent.is_empty());
        staff.types(field, right);
    }
    staff.types(Field::Label, &"ñ".repeat(40));
    staff.presses();
    assert_eq!(staff.made().customer_name, None);
}

#[test]
fn a_link_is_for_the_chosen_store_and_time() {
    // 2026-11-22T04:00:00Z is the last hour of the 21st in Lima.
    const NOW_SECS: i64 = 1_795_320_000;
    for (days, lasts) in [
        ("0", 3_600),
        ("1", DAY_SECS),
        ("7", 7 * DAY_SECS),
        // The server's clock may be a little behind.
        ("30", 30 * DAY_SECS - 3_600),
    ] {
        let mut staff = Staff::selling();
        staff.at = Timestamp::from_secs(NOW_SECS);
        staff.types(Field::Store, "1");
        staff.types(Field::Until, days);
        staff.presses();
        assert!(
            staff.link_form().wrong.amount.is_some(),
            "yen have no cents"
        );
        staff.types(Field::Amount(0), "45");
        staff.presses();
        let made = staff.made();
        assert_eq!(made.merchant_code, "100000002");
        assert_eq!(made.amount, Cents::new(45));
        assert_eq!(made.pay_until.as_secs(), NOW_SECS + lasts, "{days}");
    }
}

#[test]
fn another_person_finds_nothing_of_a_link() {
    let mut staff = Staff::selling();
    staff.presses();
    staff.hears(required());
    assert!(staff.link_form().is_open() && staff.state.sign_in.asks());
    staff.types(Field::Name, "bea");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(seller("bea"))));
    assert!(staff.state.dialog.is_none() && staff.state.links.list.is_none());
}

#[test]
fn a_sign_in_again_keeps_the_form() {
    let mut staff = Staff::selling();
    staff.presses();
    staff.hears(required());
    staff.types(Field::Name, "ana");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(seller("ana"))));
    assert_eq!(staff.link_form().label.0.trim(), LABEL);
    staff.presses();
    assert_eq!(staff.made().label, LABEL);
}

#[test]
fn a_missing_second_factor_leaves_the_form_and_offers_nothing() {
    let mut staff = Staff::selling();
    staff.presses();
    staff.hears(fails(FailureKind::SecondFactorMissing));
    assert!(staff.link_form().is_open());
    assert!(!staff.state.may(Permission::Link));
    staff.does(Event::Closed);
    staff.hears(page(&["L1"], None));
    staff.does(Event::Asked(Ask::MakeLink));
    assert!(staff.state.dialog.is_none());
}

#[test]
fn a_link_waits_for_a_code_and_is_then_made() {
    let mut staff = Staff::selling();
    staff.presses();
    let act = staff.hears(fails(FailureKind::SecondFactorRequired));
    staff.types(Field::DialogCode, "123456");
    staff.presses();
    staff.hears(Ok(Answer::Nothing));
    assert_eq!(staff.hears(one(LinkState::NotOpened)), act);
    assert!(!staff.shown_link().ends);
}

#[test]
fn an_ended_link_is_gone_unless_money_came_or_may_come() {
    for (state, stays) in [
        (LinkState::Over, false),
        // It was paid before its end came, which the dialog says.
        (LinkState::Paid, true),
        (LinkState::Waiting, true),
    ] {
        let mut staff = Staff::on_links(seller("ana"));
        staff.asks_about(Ask::EndLink);
        staff.presses();
        staff.presses();
        staff.does(Event::Closed);
        assert_eq!(staff.sent.len(), 1);
        staff.state.focus = None;
        let asked = staff.hears(one(state));
        assert_eq!(asked.address().path(), "/links/100000001/L1/end");
        // While a dialog closes, nothing is heard.
        let said = Some(Announcement::LinkEnded(state));
        assert_eq!(staff.announced(), said.clone().filter(|_| stays));
        assert_eq!(staff.state.dialog.is_some(), stays);
        staff.does(Event::Closed);
        assert_eq!(staff.state.focus, Some(Focus::Heading));
        assert_eq!(staff.hears(page(&["L1"], None)), links_after(""));
        assert_eq!(staff.announced(), said);
    }
}

#[test]
fn an_end_that_fails_may_be_asked_for_again() {
    let mut staff = Staff::on_links(seller("ana"));
    staff.asks_about(Ask::EndLink);
    staff.presses();
    staff.hears(fails(FailureKind::Server));
    assert!(!staff.shown_link().has_ended());
    staff.presses();
    staff.hears(one(LinkState::Over));
    assert!(staff.state.dialog.is_none());
}

#[test]
fn the_question_for_a_shown_link_ends_with_its_dialog() {
    let mut staff = Staff::on_links(seller("ana"));
    staff.asks_about(Ask::ShowLink);
    assert_eq!(staff.sent[0].1.address().path(), "/links/100000001/L1");
    let (call, _) = staff.sent[0];
    staff.does(Event::Closed);
    staff.does(Event::Asked(Ask::MakeLink));
    staff.answers(call, one(LinkState::NotOpened));
    assert!(staff.link_form().is_open());
    staff.does(Event::Closed);
    staff.sent.clear();
    staff.asks_about(Ask::ShowLink);
    staff.hears(fails(FailureKind::NotFound));
    staff.presses();
    let mut whole = link("L1", LinkState::Paid);
    whole.url = None;
    staff.hears(Ok(Answer::Link(Box::new(whole))));
    assert_eq!(staff.shown_link().link.url, None);
    assert!(staff.sent.is_empty());
}

#[test]
fn the_state_names_no_address_label_or_customer_and_forgets_them() {
    let mut staff = Staff::selling();
    let says_nothing = |staff: &Staff| {
        let said = format!("{:?} {:?}", staff.state, staff.sent);
        for secret in [LABEL, CUSTOMER, URL] {
            assert!(!said.contains(secret), "{said}");
        }
    };
    says_nothing(&staff);
    staff.presses();
    says_nothing(&staff);
    staff.hears(one(LinkState::NotOpened));
    says_nothing(&staff);
    staff.does(Event::SignOutPressed);
    staff.hears(Ok(Answer::Nothing));
    assert!(staff.state.dialog.is_none() && staff.state.links.list.is_none());
    assert_eq!(staff.state.page, Page::Search);
}
