//! The list of payment links.

use super::super::super::{Announcement, Answer, Event, FailureKind, Focus, Page, Reference};
use super::super::Staff;
use super::super::news::news;
use super::super::second_factor::fails;
use super::{link, links_after, page, seller};
use staff_model::{LinkState, News, PaymentLink, PaymentLinks};
use std::time::Duration;

#[test]
fn more_links_follow_those_that_are_shown() {
    let mut staff = Staff::on_links(seller("ana"));
    staff.does(Event::ReloadPressed);
    staff.hears(page(&["L3", "L2"], Some("c")));
    staff.does(Event::MorePressed);
    staff.does(Event::MorePressed);
    staff.state.focus = None;
    assert_eq!(staff.hears(page(&["L1"], None)), links_after("c"));
    assert_eq!(staff.state.focus, Some(Focus::Heading));
    staff.does(Event::MorePressed);
    assert!(staff.sent.is_empty());
    let list = staff.state.links.list.as_ref().unwrap();
    let ids: Vec<_> = list.iter().map(|link| link.order_id.as_str()).collect();
    assert_eq!(ids, ["L3", "L2", "L1"]);
    staff.does(Event::ReloadPressed);
    staff.hears(fails(FailureKind::Server));
    assert!(staff.state.links.failure.is_some() && !staff.state.links.running);
    assert_eq!(staff.announced(), Some(Announcement::Failed));
}

#[test]
fn a_state_of_a_newer_server_is_kept_as_unknown() {
    let mut json = serde_json::json!(link("L1", LinkState::Paid));
    json["state"] = "refunded".into();
    let read: PaymentLink = serde_json::from_value(json).unwrap();
    assert_eq!(read.state, LinkState::Unknown);
}

#[test]
fn the_way_back_from_an_operation_leads_to_the_links() {
    let mut staff = Staff::on_links(seller("ana"));
    staff.does(Event::Opened(Page::Operation(Reference {
        merchant_code: "100000001".to_owned(),
        number: "1".to_owned(),
    })));
    staff.sent.clear();
    staff.does(Event::BackPressed);
    assert_eq!(staff.state.page, Page::Links);
    assert_eq!(staff.sent[0].1, links_after(""));
}

#[test]
fn links_that_changed_are_renewed_in_their_places() {
    let mut staff = Staff::on_links(seller("ana"));
    staff.does(Event::ReloadPressed);
    staff.hears(page(&["L2", "L1"], Some("c")));
    let said = staff.announced();
    let changed = News {
        links: true,
        ..news(Vec::new())
    };
    staff.learns(changed.clone());
    staff.learns(changed.clone());
    let (call, request) = staff.sent[0].clone();
    assert_eq!((request, staff.sent.len()), (links_after(""), 1));
    assert!(staff.unattended.contains(&call) && !staff.state.links.running);
    let paid = PaymentLinks {
        links: vec![
            link("L3", LinkState::NotOpened),
            link("L1", LinkState::Paid),
        ],
        next_cursor: None,
    };
    staff.hears(Ok(Answer::Links(paid)));
    let list = staff.state.links.list.as_ref().unwrap();
    let ids: Vec<_> = list.iter().map(|link| link.order_id.as_str()).collect();
    assert_eq!(ids, ["L3", "L2", "L1"]);
    assert_eq!(list[2].state, LinkState::Paid);
    assert_eq!(staff.state.links.next.as_deref(), Some("c"));
    // Nobody asked for what fails here.
    staff.learns(changed);
    staff.hears(fails(FailureKind::Server));
    assert!(staff.state.links.failure.is_none());
    assert_eq!(staff.announced(), said);
    // It is asked for again, but not while there is no connection.
    staff.fails(FailureKind::Network);
    staff.passes(Duration::from_secs(10));
    staff.does(Event::Woke);
    assert!(staff.sent.is_empty());
    staff.learns(news(Vec::new()));
    assert_eq!(staff.sent[0].1, links_after(""));
}
