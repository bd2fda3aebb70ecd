//! The desk follows what happens.

use super::{SECOND, Staff, required};
use crate::staff_state::search::Place;
use crate::staff_state::test_data::{row, session};
use crate::staff_state::{
    Announcement, Answer, Event, Failure, FailureKind, Field, Request, StaffState,
};
use payment_model::{Timestamp, TransactionState};
use staff_model::{News, OperationRow, SearchPage};
use std::time::Duration;

/// An operation that was made, and changed, at these seconds.
pub(super) fn at(number: &str, made: i64, changed: i64) -> OperationRow {
    OperationRow {
        created_at: Timestamp::from_secs(made),
        changed_at: Timestamp::from_secs(changed),
        ..row(number)
    }
}

/// A payment that is waited for.
pub(super) fn waiting(row: OperationRow) -> OperationRow {
    OperationRow {
        state: Some(TransactionState::Pending),
        outcome: None,
        ..row
    }
}

pub(super) fn page(operations: Vec<OperationRow>) -> SearchPage {
    SearchPage {
        operations,
        next_cursor: None,
    }
}

pub(super) fn news(operations: Vec<OperationRow>) -> News {
    News {
        next: "c2".to_owned(),
        missed: false,
        operations,
        links: false,
        exceptions: None,
    }
}

pub(super) fn missed() -> News {
    News {
        missed: true,
        ..news(Vec::new())
    }
}

impl Staff {
    /// A desk with two operations, of which one is waited for, and whose first answer came.
    pub(super) fn following() -> Self {
        let mut staff = Self::new();
        staff.hears(Ok(Answer::Session(session("ana"))));
        let listed = vec![at("2", 20, 20), waiting(at("1", 10, 10))];
        staff.hears(Ok(Answer::Page(page(listed))));
        staff.sees_top(true);
        staff.learns(missed());
        staff
    }

    pub(super) fn sees_top(&mut self, is_top: bool) {
        self.state.search.place = Place {
            is_top,
            has_focus: false,
        };
    }

    /// Two seconds pass, and then the server has news.
    pub(super) fn learns(&mut self, news: News) {
        self.passes(2 * SECOND);
        self.hears_of_news(Ok(Answer::News(Box::new(news))));
    }

    pub(super) fn hears_of_news(&mut self, answer: Result<Answer, Failure>) {
        assert_eq!(self.news.len(), 1, "{:?}", self.news);
        let (call, _) = self.news.remove(0);
        self.answers(call, answer);
    }

    pub(super) fn fails(&mut self, kind: FailureKind) {
        self.hears_of_news(Err(kind.into()));
    }

    /// Sleeps until it is woken.
    pub(super) fn sleeps(&mut self) -> Duration {
        let wake = self.wake.unwrap();
        self.passes(wake);
        self.does(Event::Woke);
        wake
    }

    pub(super) fn numbers(&self) -> Vec<&str> {
        let rows = self.state.search.rows();
        rows.map(|row| row.merchant_operation_number.as_str())
            .collect()
    }

    pub(super) fn asks(&self) -> Vec<&Request> {
        self.sent.iter().map(|(_, request)| request).collect()
    }

    pub(super) fn said(&self) -> Option<&Announcement> {
        let said = self.state.announcement.as_ref();
        said.map(|(_, announcement)| announcement)
    }

    pub(super) fn is_asking(&self) -> bool {
        !self.news.is_empty()
    }
}

#[test]
fn one_request_at_a_time_goes_on_from_the_last_cursor() {
    let mut staff = Staff::following();
    for _ in 0..3 {
        staff.does(Event::Woke);
        assert_eq!(staff.news.len(), 1);
    }
    let (call, request) = staff.news[0].clone();
    assert_eq!(request.address().path(), "/news?after=c2");
    assert_eq!(request.timeout(), 30 * SECOND);
    assert!(staff.unattended.contains(&call));
    // The session was asked for by the page, and the list by the person who opened it.
    assert!(!staff.unattended.contains(&1) && !staff.unattended.contains(&2));
    assert!(staff.asks().is_empty());
}

#[test]
fn answers_without_news_that_are_not_held_come_slowly() {
    let mut staff = Staff::following();
    staff.hears_of_news(Ok(Answer::News(Box::new(news(Vec::new())))));
    assert_eq!(staff.sleeps(), 10 * SECOND);
    // With news the next request follows at once, though not sooner than a second after the last.
    staff.hears_of_news(Ok(Answer::News(Box::new(news(vec![at("3", 30, 30)])))));
    assert!(!staff.is_asking());
    assert!(staff.sleeps() <= SECOND && staff.is_asking());
    staff.learns(news(Vec::new()));
    assert!(staff.is_asking());
}

#[test]
fn failures_are_retried_ever_later_unless_the_server_says_when() {
    let mut staff = Staff::following();
    let mut waits = Vec::new();
    for kind in [FailureKind::Network, FailureKind::Server].repeat(4) {
        staff.fails(kind);
        assert!(!staff.is_asking());
        let mut wait = staff.sleeps();
        while !staff.is_asking() {
            wait += staff.sleeps();
        }
        waits.push(wait.as_secs());
        // It is not held, so that the first answer is there at once.
        assert!(matches!(staff.news[0].1, Request::News(_, false)));
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30, 30]);
    staff.hears_of_news(Err(Failure {
        retry_after: Some(90 * SECOND),
        ..FailureKind::TooManyRequests.into()
    }));
    staff.does(Event::Appeared);
    for _ in 0..3 {
        assert!(!staff.is_asking());
        staff.sleeps();
    }
    assert!(staff.is_asking());
    staff.hears_of_news(Ok(Answer::News(Box::new(news(Vec::new())))));
    staff.sleeps();
    assert!(matches!(staff.news[0].1, Request::News(_, true)));
}

#[test]
fn a_clock_that_was_set_back_stops_nothing() {
    let mut staff = Staff::following();
    staff.fails(FailureKind::Network);
    staff.at = Timestamp::from_secs(0);
    staff.does(Event::Woke);
    assert!(staff.is_asking());
}

#[test]
fn a_list_that_is_not_followed_says_its_age_until_it_is() {
    let mut staff = Staff::following();
    let age = |staff: &Staff| staff.state.news.age(staff.at).map(|age| age.as_secs());
    staff.passes(60 * SECOND);
    assert_eq!(age(&staff), None);
    staff.fails(FailureKind::Timeout);
    assert_eq!(age(&staff), Some(60));
    staff.sleeps();
    staff.learns(news(Vec::new()));
    assert_eq!(age(&staff), None);
    // What a person asks for is fresh, too.
    staff.passes(60 * SECOND);
    staff.fails(FailureKind::Network);
    staff.does(Event::ReloadPressed);
    staff.hears(Ok(Answer::Page(page(vec![at("2", 20, 20)]))));
    assert_eq!(age(&staff), None);
}

#[test]
fn the_connection_and_the_reader_who_come_back_are_served_at_once() {
    let mut staff = Staff::following();
    for _ in 0..4 {
        staff.fails(FailureKind::Network);
        staff.sleeps();
    }
    staff.fails(FailureKind::Network);
    staff.passes(2 * SECOND);
    assert!(!staff.is_asking());
    staff.does(Event::Appeared);
    assert!(staff.is_asking());
    // One that hangs is given up.
    let before = staff.news[0].0;
    staff.passes(2 * SECOND);
    staff.does(Event::Appeared);
    assert!(staff.news.len() == 1 && staff.news[0].0 != before);
}

#[test]
fn a_hidden_page_follows_only_for_its_sound_or_title() {
    for (event, follows) in [
        (Event::SoundPressed, true),
        (Event::MarkPressed, true),
        (Event::Woke, false),
    ] {
        let mut staff = Staff::following();
        staff.does(event);
        staff.does(Event::Hidden);
        staff.passes(SECOND);
        staff.does(Event::Woke);
        assert_eq!(staff.is_asking(), follows);
        staff.does(Event::Appeared);
        staff.passes(SECOND);
        staff.does(Event::Woke);
        assert!(staff.is_asking());
        staff.does(Event::Hidden);
        // A connection that comes back does not make it longer.
        staff.passes(300 * SECOND);
        staff.does(Event::Hidden);
        staff.passes(299 * SECOND);
        staff.does(Event::Woke);
        assert_eq!(staff.is_asking(), follows);
        staff.passes(SECOND);
        staff.does(Event::Woke);
        assert!(!staff.is_asking() && staff.wake.is_none());
    }
}

#[test]
fn a_server_without_news_is_asked_again_after_a_sign_in() {
    let mut staff = Staff::following();
    staff.fails(FailureKind::NotFound);
    for event in [Event::Woke, Event::Hidden, Event::Appeared] {
        staff.passes(100 * SECOND);
        staff.does(event);
        assert!(!staff.is_asking() && staff.wake.is_none());
    }
    assert_eq!(staff.state.news.age(staff.at), None);
    staff.does(Event::ReloadPressed);
    staff.hears(required());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("ana"))));
    assert!(staff.is_asking());
}

#[test]
fn a_session_that_ended_is_followed_after_the_next_sign_in() {
    let mut staff = Staff::following();
    staff.passes(20 * SECOND);
    staff.hears_of_news(required());
    assert!(staff.state.sign_in.expired && staff.asks().is_empty());
    staff.passes(100 * SECOND);
    staff.does(Event::Appeared);
    assert!(!staff.is_asking() && staff.wake.is_none());
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("ana"))));
    // The list stays, and catches up.
    assert!(staff.asks().is_empty());
    assert_eq!(staff.news[0].1.address().path(), "/news?after=c2");
    staff.learns(news(vec![at("3", 30, 30)]));
    assert_eq!(staff.numbers(), ["3", "2", "1"]);
}

#[test]
fn another_person_begins_anew_and_hears_nothing() {
    let mut staff = Staff::following();
    staff.does(Event::SoundPressed);
    staff.hears_of_news(required());
    staff.types(Field::Name, "bea");
    staff.types(Field::Password, "secret");
    staff.does(Event::SignInPressed);
    staff.hears(Ok(Answer::Session(session("bea"))));
    assert!(!staff.state.news.has_sound);
    assert_eq!(staff.news[0].1.address().path(), "/news");
    staff.does(Event::SignOutPressed);
    let signed_out = staff.sent.pop().unwrap();
    staff.answers(signed_out.0, Ok(Answer::Nothing));
    assert!(!staff.is_asking() && !staff.state.is_signed_in());
}

#[test]
fn another_server_begins_anew() {
    let mut staff = Staff::following();
    staff.does(Event::MarkPressed);
    staff.state = StaffState::new(Vec::new(), |_, _| None);
    staff.news.clear();
    staff.does(Event::Started);
    let (call, _) = staff.sent.remove(0);
    staff.answers(call, Ok(Answer::Session(session("ana"))));
    assert!(!staff.state.news.has_mark);
    assert_eq!(staff.news[0].1.address().path(), "/news");
}
