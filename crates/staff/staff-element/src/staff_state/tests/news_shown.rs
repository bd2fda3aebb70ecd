//! Where news are shown, said and told.

use super::news::{at, missed, news, page, waiting};
use super::{SECOND, Staff};
use crate::staff_state::permitted_actions::Way;
use crate::staff_state::test_data::{details, row};
use crate::staff_state::{
    Announcement, Answer, Ask, Event, FailureKind, Field, Focus, Page, Reference, Request,
};
use payment_model::Outcome;
use staff_model::{ExceptionKind, Exceptions, News, OperationRow};
use std::rc::Rc;

#[test]
fn listed_rows_are_replaced_in_place_by_newer_ones_only() {
    let mut staff = Staff::following();
    staff.does(Event::Selected(0, 0));
    let paid = at("1", 10, 11);
    // One may come twice, and an older one later.
    staff.learns(news(vec![paid.clone(), paid.clone()]));
    staff.learns(news(vec![waiting(at("1", 10, 10))]));
    assert_eq!(staff.state.search.rows().nth(1), Some(&paid));
    assert_eq!(staff.numbers(), ["2", "1"]);
    let selected = staff.state.search.selected();
    assert_eq!(selected, [&at("2", 20, 20)]);
    assert_eq!(staff.said(), Some(&Announcement::News(0, 1)));
    // It changed, and can be refunded still; then it cannot.
    let changed = at("2", 20, 21);
    staff.learns(news(vec![changed.clone()]));
    assert_eq!(staff.state.search.selected(), [&changed]);
    staff.learns(news(vec![waiting(at("2", 20, 22))]));
    assert!(staff.state.search.selected().is_empty());
}

#[test]
fn new_rows_are_put_on_top_and_nothing_else_is_drawn() {
    let mut staff = Staff::following();
    let more = (0..200).map(|n| at(&format!("old-{n}"), 5, 5)).collect();
    staff.state.search.take(page(more), false);
    let rest = Rc::clone(&staff.state.search.chunks[1].rows);
    // Made in one order, and changed in another; one is too old to be on top.
    staff.learns(news(vec![at("4", 40, 41), at("0", 1, 42), at("3", 30, 43)]));
    assert_eq!(staff.numbers()[..5], ["4", "3", "2", "1", "old-0"]);
    assert!(Rc::ptr_eq(&rest, &staff.state.search.chunks[1].rows));
    assert!(staff.asks().is_empty() && staff.state.focus.is_none());
}

#[test]
fn rows_wait_while_something_is_selected_so_that_nothing_moves_under_a_finger() {
    let mut staff = Staff::following();
    staff.does(Event::Selected(0, 1));
    staff.learns(news(vec![at("3", 30, 30)]));
    assert_eq!(staff.numbers(), ["2", "1"]);
    assert_eq!(staff.state.search.hidden_news(), Some(1));
    staff.does(Event::NewsPressed);
    assert_eq!(staff.numbers(), ["3", "2", "1"]);
    let selected = staff.state.search.selected();
    assert_eq!(selected[0].merchant_operation_number, "1");
    staff.learns(news(vec![at("4", 40, 40)]));
    staff.does(Event::SelectedNone);
    assert_eq!(staff.numbers(), ["4", "3", "2", "1"]);
}

#[test]
fn rows_wait_while_the_top_is_out_of_sight() {
    let mut staff = Staff::following();
    staff.sees_top(false);
    staff.learns(news(vec![at("3", 30, 30)]));
    staff.learns(news(vec![at("4", 40, 40), at("3", 30, 45)]));
    assert_eq!(staff.numbers(), ["2", "1"]);
    assert_eq!(staff.state.search.hidden_news(), Some(2));
    staff.does(Event::NewsPressed);
    assert_eq!(staff.numbers(), ["4", "3", "2", "1"]);
    assert_eq!(staff.state.focus, Some(Focus::Chunk(0)));
    let third = staff.state.search.rows().nth(1);
    assert_eq!(third, Some(&at("3", 30, 45)));
    // The reader who scrolls up sees them, too.
    staff.learns(news(vec![at("5", 50, 50)]));
    assert_eq!(staff.state.search.hidden_news(), Some(1));
    staff.sees_top(true);
    assert!(staff.sleeps() <= SECOND);
    assert_eq!(staff.state.search.hidden_news(), None);
    assert_eq!(staff.numbers()[0], "5");
}

#[test]
fn a_list_grows_by_a_page_at_most_and_is_read_again() {
    let mut staff = Staff::following();
    let new = |from: i64| {
        (from..from + 150)
            .map(|n| at(&n.to_string(), n, n))
            .collect()
    };
    staff.learns(news(new(1_000)));
    assert_eq!(staff.state.search.count(), 152);
    staff.learns(news(new(2_000)));
    assert_eq!(staff.state.search.count(), 152);
    let (call, request) = staff.sent.remove(0);
    assert!(matches!(request, Request::Search(_)) && staff.unattended.contains(&call));
    staff.answers(call, Ok(Answer::Page(page(new(2_000)))));
    assert_eq!(staff.state.search.count(), 150);
    staff.learns(news(new(3_000)));
    assert_eq!(staff.state.search.count(), 300);
}

#[test]
fn what_comes_while_the_list_is_read_is_not_lost() {
    let mut staff = Staff::following();
    staff.does(Event::ReloadPressed);
    let old = at("0", 1, 31);
    staff.learns(news(vec![at("3", 30, 30), at("1", 10, 11), old]));
    // The answer is from before.
    let listed = vec![at("2", 20, 20), waiting(at("1", 10, 10))];
    staff.hears(Ok(Answer::Page(page(listed))));
    assert_eq!(staff.numbers(), ["3", "2", "1"]);
    assert_eq!(staff.state.search.rows().nth(2), Some(&at("1", 10, 11)));
}

#[test]
fn another_search_is_repeated_quietly_where_nobody_is_disturbed() {
    let mut staff = Staff::following();
    staff.types(Field::Text, "ORD-1");
    staff.does(Event::SearchPressed);
    staff.hears(Ok(Answer::Page(page(vec![at("2", 20, 20)]))));
    let said = staff.state.announcement.clone();
    staff.learns(news(vec![at("3", 30, 30)]));
    staff.learns(news(vec![at("4", 40, 40)]));
    assert_eq!(staff.numbers(), ["2"]);
    let [(call, Request::Search(query))] = &staff.sent[..] else {
        panic!("{:?}", staff.sent);
    };
    assert!(query.q == "ORD-1" && staff.unattended.contains(call));
    staff.hears(Ok(Answer::Page(page(vec![
        at("3", 30, 30),
        at("2", 20, 20),
    ]))));
    assert_eq!(staff.numbers(), ["3", "2"]);
    assert_ne!(staff.said(), Some(&Announcement::Found));
    assert_ne!(staff.state.announcement, said);
    // The second one came while the first search ran; it is repeated no sooner than after two seconds.
    staff.passes(2 * SECOND);
    staff.does(Event::Woke);
    assert_eq!(staff.sent.len(), 1);
    staff.hears(Ok(Answer::Page(page(vec![at("2", 20, 20)]))));

    staff.does(Event::Selected(0, 0));
    staff.learns(news(vec![at("5", 50, 50)]));
    assert!(staff.sent.is_empty());
    assert_eq!(staff.state.search.hidden_news(), Some(0));
    staff.does(Event::NewsPressed);
    let (call, _) = staff.sent[0];
    assert!(!staff.unattended.contains(&call) && staff.state.search.running);
}

#[test]
fn a_quiet_answer_does_not_disturb_who_scrolled_meanwhile() {
    let mut staff = Staff::following();
    staff.learns(missed());
    staff.sees_top(false);
    staff.hears(Ok(Answer::Page(page(vec![at("9", 90, 90)]))));
    assert_eq!(staff.numbers(), ["2", "1"]);
    assert_eq!(staff.state.search.hidden_news(), Some(0));
    staff.sees_top(true);
    staff.passes(2 * SECOND);
    staff.does(Event::Woke);
    staff.hears(Err(FailureKind::Server.into()));
    // A quiet failure says nothing, and is repeated later.
    assert_eq!(staff.state.search.failure, None);
    staff.passes(29 * SECOND);
    staff.does(Event::Woke);
    assert!(staff.sent.is_empty());
    staff.passes(SECOND);
    staff.does(Event::Woke);
    staff.hears(Ok(Answer::Page(page(vec![at("9", 90, 90)]))));
    assert_eq!(staff.numbers(), ["9"]);
}

#[test]
fn the_shown_operation_is_read_again_unless_a_dialog_is_open() {
    let mut staff = Staff::following();
    let open = Event::Opened(Page::Operation(Reference::of(&row("2"))));
    staff.does(open);
    staff.hears(Ok(Answer::Details(Box::new(details(
        at("2", 20, 20),
        10_000,
    )))));
    staff.learns(news(vec![at("1", 10, 11)]));
    assert!(staff.asks().is_empty());
    staff.learns(news(vec![at("2", 20, 21)]));
    let (call, request) = staff.sent[0].clone();
    assert!(matches!(request, Request::Details(_)) && staff.unattended.contains(&call));
    staff.hears(Ok(Answer::Details(Box::new(details(
        at("2", 20, 21),
        10_000,
    )))));
    staff.does(Event::Asked(Ask::GiveBack(Way::Refund)));
    staff.learns(news(vec![at("2", 20, 22)]));
    assert!(staff.asks().is_empty() && staff.state.dialog.is_some());
    staff.does(Event::Closed);
    assert_eq!(staff.asks().len(), 1);
}

#[test]
fn an_operation_that_changed_under_a_dialog_about_the_account_is_read_after_it() {
    let mut staff = Staff::following();
    staff.does(Event::Opened(Page::Operation(Reference::of(&row("2")))));
    let read = |changed| Answer::Details(Box::new(details(at("2", 20, changed), 10_000)));
    staff.hears(Ok(read(20)));
    staff.does(Event::Asked(Ask::Enrolment));
    staff.learns(news(vec![at("2", 20, 21)]));
    assert!(staff.asks().is_empty() && staff.state.dialog.is_some());
    staff.does(Event::Closed);
    assert!(matches!(staff.asks()[..], [Request::Details(_)]));
}

#[test]
fn exceptions_are_read_again_when_their_number_or_a_row_says_so() {
    let mut staff = Staff::following();
    staff.does(Event::Opened(Page::Exceptions));
    let none = || {
        Ok(Answer::Exceptions(Exceptions {
            counts: Vec::new(),
            exceptions: Vec::new(),
        }))
    };
    staff.hears(none());
    let said = staff.state.announcement.clone();
    let with = |exceptions, operations| News {
        exceptions,
        ..news(operations)
    };
    staff.learns(with(Some(0), Vec::new()));
    staff.learns(with(None, vec![at("2", 20, 21)]));
    assert!(staff.asks().is_empty());
    let flagged = OperationRow {
        exceptions: vec![ExceptionKind::Blocked],
        ..at("2", 20, 22)
    };
    staff.learns(with(Some(0), vec![flagged.clone()]));
    assert_eq!(staff.asks(), [&Request::Exceptions]);
    assert!(staff.unattended.contains(&staff.sent[0].0));
    staff.hears(none());
    staff.learns(with(Some(0), vec![flagged.clone()]));
    assert!(staff.asks().is_empty());
    // As many, but another.
    let flagged = OperationRow {
        exceptions: vec![ExceptionKind::PaidLate],
        ..flagged
    };
    staff.learns(with(None, vec![flagged]));
    staff.hears(none());
    staff.learns(with(Some(1), Vec::new()));
    assert_eq!(staff.asks(), [&Request::Exceptions]);
    // A quiet failure leaves the list as it is.
    staff.hears(Err(FailureKind::Server.into()));
    assert_eq!(staff.state.exceptions.failure, None);
    assert_eq!(staff.state.announcement, said);
}

#[test]
fn what_came_is_said_in_one_sentence_and_not_too_often() {
    let mut staff = Staff::following();
    let before = staff.said().cloned();
    assert!(!matches!(before, Some(Announcement::News(..))));
    staff.learns(news(vec![waiting(at("3", 30, 30)), at("1", 10, 31)]));
    assert_eq!(staff.said(), Some(&Announcement::News(1, 1)));
    staff.learns(news(vec![at("3", 30, 32)]));
    staff.learns(news(vec![at("4", 40, 40)]));
    assert_eq!(staff.said(), Some(&Announcement::News(1, 1)));
    staff.does(Event::Asked(Ask::Enrolment));
    staff.passes(10 * SECOND);
    staff.does(Event::Woke);
    assert!(staff.state.dialog.is_some());
    // A dialog begins without what was said before it.
    assert_eq!(staff.said(), None);
    staff.does(Event::Closed);
    assert_eq!(staff.said(), Some(&Announcement::News(1, 2)));
    // A payment of long ago that is settled now was not paid now.
    staff.learns(news(vec![at("0", 1, 60)]));
    staff.passes(20 * SECOND);
    staff.does(Event::Woke);
    assert_eq!(staff.said(), Some(&Announcement::News(1, 2)));
}

#[test]
fn sound_and_title_tell_what_came_since_they_were_switched_on() {
    let mut staff = Staff::following();
    staff.learns(news(vec![at("3", 30, 30)]));
    assert!(!staff.state.news.rings);
    staff.does(Event::SoundPressed);
    staff.does(Event::MarkPressed);
    // A proof.
    assert!(std::mem::take(&mut staff.state.news.rings));
    let flagged = OperationRow {
        exceptions: vec![ExceptionKind::Blocked],
        ..at("2", 20, 35)
    };
    staff.learns(news(vec![at("4", 40, 40), at("1", 10, 41), flagged]));
    assert!(std::mem::take(&mut staff.state.news.rings));
    assert_eq!(staff.state.news.marked, 0);
    staff.does(Event::Hidden);
    staff.sleeps();
    staff.learns(news(vec![at("5", 50, 50), at("4", 40, 51)]));
    assert_eq!(staff.state.news.marked, 1);
    assert!(std::mem::take(&mut staff.state.news.rings));
    staff.learns(news(vec![at("4", 40, 52)]));
    assert!(!staff.state.news.rings);
    let old = OperationRow {
        exceptions: vec![ExceptionKind::Blocked],
        ..at("0", 1, 1)
    };
    staff.learns(news(vec![old]));
    assert!(!staff.state.news.rings);
    // Exceptions come also without a change of the state, and of operations that are not listed.
    let late = OperationRow {
        exceptions: vec![ExceptionKind::NotSettled],
        ..at("4", 40, 52)
    };
    staff.learns(news(vec![late.clone()]));
    assert_eq!(staff.state.news.marked, 2);
    staff.learns(news(vec![late]));
    assert_eq!(staff.state.news.marked, 2);
    staff.state.exceptions.running = false;
    staff.learns(News {
        exceptions: Some(1),
        ..news(Vec::new())
    });
    assert_eq!(staff.state.news.marked, 3);
    assert!(std::mem::take(&mut staff.state.news.rings));
    staff.does(Event::Appeared);
    assert_eq!(staff.state.news.marked, 0);
    staff.does(Event::SoundPressed);
    assert!(!staff.state.news.rings);
    staff.passes(SECOND);
    staff.does(Event::Woke);
    staff.learns(news(vec![OperationRow {
        outcome: Some(Outcome::Paid),
        ..at("6", 60, 60)
    }]));
    assert!(!staff.state.news.rings);
}

#[test]
fn an_operation_outside_of_a_search_is_new_once() {
    let mut staff = Staff::following();
    staff.types(Field::Text, "ORD-1");
    staff.does(Event::SearchPressed);
    staff.hears(Ok(Answer::Page(page(vec![at("2", 20, 20)]))));
    staff.learns(news(vec![
        waiting(at("3", 30, 30)),
        waiting(at("0", 1, 31)),
    ]));
    assert_eq!(staff.said(), Some(&Announcement::News(1, 0)));
    let said = staff.state.announcement.clone();
    staff.learns(news(vec![waiting(at("3", 30, 32))]));
    staff.passes(10 * SECOND);
    staff.does(Event::Woke);
    assert_eq!(staff.state.announcement, said);
}
