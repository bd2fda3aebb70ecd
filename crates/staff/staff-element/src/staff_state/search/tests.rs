use super::{AmountProblem, Field, Filter, Search, Timestamp, Wrong};
use crate::staff_state::local_day::ZoneOffset;
use crate::staff_state::test_data::row;
use staff_model::SearchPage;

fn lima(zone: &str, _: Timestamp) -> Option<ZoneOffset> {
    (zone == "America/Lima").then_some(ZoneOffset::from_hours(-5))
}

#[test]
fn a_filter_becomes_a_query_of_instants_and_cents() {
    let filter = Filter {
        text: "  ORD-1 ".to_owned(),
        state: "LIQUIDADO".to_owned(),
        from: "2026-11-20".to_owned(),
        to: "2026-11-21".to_owned(),
        amount_min: "1,000.50".to_owned(),
        amount_max: "2.000,5".to_owned(),
        ..Filter::default()
    };
    let query = filter.query("America/Lima", lima).unwrap();
    assert_eq!(query.q, "ORD-1");
    assert_eq!(query.from, "2026-11-20T05:00:00Z");
    // The last day belongs to the search.
    assert_eq!(query.to, "2026-11-22T05:00:00Z");
    assert_eq!(
        (query.amount_min.as_str(), query.amount_max.as_str()),
        ("100050", "200050")
    );
    let empty = Filter::default().query("America/Lima", lima).unwrap();
    assert!(empty.from.is_empty() && empty.to.is_empty() && empty.amount_min.is_empty());
}

#[test]
fn a_number_is_found_as_it_is_shown() {
    let check = |typed: &str, expected: &str| {
        let text = typed.to_owned();
        let filter = Filter {
            text,
            ..Filter::default()
        };
        assert_eq!(filter.query("America/Lima", lima).unwrap().q, expected);
    };
    check(" 4821 9301 7756 ", "482193017756");
    check("482193017756", "482193017756");
    check("mesa 5", "mesa 5");
}

#[test]
fn every_wrong_field_is_named_at_once() {
    let filter = Filter {
        from: "2026-11-31".to_owned(),
        to: "yesterday".to_owned(),
        amount_min: "ten".to_owned(),
        amount_max: "1,234".to_owned(),
        ..Filter::default()
    };
    let no_number = Wrong::Amount(AmountProblem::NoNumber);
    assert_eq!(
        filter.query("America/Lima", lima).unwrap_err(),
        [
            (Field::From, Wrong::Day),
            (Field::To, Wrong::Day),
            (Field::AmountMin, no_number),
            (Field::AmountMax, no_number)
        ]
    );
    let filter = Filter {
        from: "2026-11-21".to_owned(),
        to: "2026-11-20".to_owned(),
        amount_min: "2".to_owned(),
        amount_max: "1".to_owned(),
        ..Filter::default()
    };
    assert_eq!(
        filter.query("America/Lima", lima).unwrap_err(),
        [(Field::To, Wrong::Days), (Field::AmountMax, Wrong::Amounts)]
    );
}

#[test]
fn pages_are_appended_and_earlier_ones_stay_as_they_are() {
    let page = |numbers: std::ops::Range<u32>, next: Option<&str>| SearchPage {
        operations: numbers.map(|n| row(&n.to_string())).collect(),
        next_cursor: next.map(str::to_owned),
    };
    let mut search = Search::default();
    search.take(page(0..200, Some("a")), true);
    let first = search.chunks[0].clone();
    for at in 1..50 {
        // One of them was on the page before already.
        search.take(page(at * 200 - 1..(at + 1) * 200, Some("a")), false);
    }
    assert_eq!(search.count(), 10_000);
    assert!(std::rc::Rc::ptr_eq(&first.rows, &search.chunks[0].rows));
    search.select(3, 7);
    search.select(0, 199);
    search.select(0, 200);
    let numbers = |search: &Search| -> Vec<String> {
        let selected = search.selected();
        selected
            .iter()
            .map(|row| row.merchant_operation_number.clone())
            .collect()
    };
    assert_eq!(numbers(&search), ["199", "607"]);
    search.select(0, 199);
    assert_eq!(numbers(&search), ["607"]);
    search.take(page(0..1, None), true);
    assert_eq!((search.count(), search.next.as_ref()), (1, None));
    assert!(search.selected().is_empty());
}
