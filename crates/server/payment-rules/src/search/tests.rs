use super::{Cursor, Engine, Search, Sort, SortBy, URL_SAFE_NO_PAD};
use payment_model::Timestamp;
use staff_model::SearchQuery;

#[test]
fn a_cursor_is_good_for_its_own_search() {
    let query = |state: &str, limit: &str| SearchQuery {
        state: state.to_owned(),
        limit: limit.to_owned(),
        ..SearchQuery::default()
    };
    let cursor = Cursor {
        value: 1_763_700_000_000,
        place: 42,
    };
    let text = cursor.write(&query("PENDIENTE", "10"));
    assert_eq!(Cursor::read(&text, &query("PENDIENTE", "50")), Some(cursor));
    assert_eq!(Cursor::read(&text, &query("AUTORIZADO", "10")), None);
    for odd in ["", "x", "MS4y", "MS4yLmEuYg", "💥"] {
        assert_eq!(Cursor::read(odd, &query("", "")), None, "{odd}");
    }
}

#[test]
fn each_criterion_belongs_to_the_search_and_spaces_around_it_do_not() {
    type Set = fn(&mut SearchQuery, &str);
    let criteria: [Set; 9] = [
        |query, value| query.q = value.to_owned(),
        |query, value| query.state = value.to_owned(),
        |query, value| query.method = value.to_owned(),
        |query, value| query.merchant_code = value.to_owned(),
        |query, value| query.from = value.to_owned(),
        |query, value| query.to = value.to_owned(),
        |query, value| query.amount_min = value.to_owned(),
        |query, value| query.amount_max = value.to_owned(),
        |query, value| query.sort = value.to_owned(),
    ];
    let cursor = Cursor { value: 1, place: 2 };
    let text = cursor.write(&SearchQuery::default());
    for (place, set) in criteria.into_iter().enumerate() {
        let mut query = SearchQuery::default();
        set(&mut query, " ");
        assert_eq!(Cursor::read(&text, &query), Some(cursor), "{place}");
        set(&mut query, "1");
        assert_eq!(Cursor::read(&text, &query), None, "{place}");
    }
}

#[test]
fn a_cursor_with_anything_behind_it_is_not_read() {
    let query = SearchQuery::default();
    let cursor = Cursor { value: 1, place: 2 };
    let plain = URL_SAFE_NO_PAD.decode(cursor.write(&query)).unwrap();
    let longer = [&plain, b".x".as_slice()].concat();
    assert_eq!(Cursor::read(&URL_SAFE_NO_PAD.encode(longer), &query), None);
}

type Set = fn(&mut SearchQuery, String);

#[test]
fn nothing_given_searches_everything() {
    let search = Search::read(&SearchQuery::default()).unwrap();
    let expected = Search {
        limit: 50,
        ..Search::default()
    };
    assert_eq!(search, expected);
}

#[test]
fn every_field_is_read() {
    let query = SearchQuery {
        q: " 123 ".to_owned(),
        state: "PENDIENTE none".to_owned(),
        method: "QR NUEVO".to_owned(),
        merchant_code: "shop".to_owned(),
        from: "2026-11-21T05:00:00Z".to_owned(),
        to: "2026-11-21T00:00:00-05:00".to_owned(),
        amount_min: "100".to_owned(),
        amount_max: "200".to_owned(),
        sort: " amount ".to_owned(),
        limit: "200".to_owned(),
        cursor: String::new(),
    };
    let search = Search::read(&query).unwrap();
    assert_eq!(search.q.as_deref(), Some("123"));
    assert_eq!(search.states, [Some("PENDIENTE".to_owned()), None]);
    assert_eq!(search.methods, ["QR", "NUEVO"]);
    assert_eq!(search.merchant_code.as_deref(), Some("shop"));
    assert_eq!(search.from, Some(Timestamp::from_secs(1_795_237_200)));
    assert_eq!(search.from, search.to);
    assert_eq!(
        (search.amount_min, search.amount_max),
        (Some(100), Some(200))
    );
    let by_amount = Sort {
        by: SortBy::Amount,
        ascending: true,
    };
    assert_eq!(search.sort, by_amount);
}

#[test]
fn a_wrong_field_is_refused_by_name() {
    let fields: [(&str, Set, &[&str]); 9] = [
        ("q", |q, v| q.q = v, &["a\u{7}"]),
        ("state", |q, v| q.state = v, &["pendiente", "PENDIENTE;"]),
        ("method", |q, v| q.method = v, &["qr", "'"]),
        (
            "from",
            |q, v| q.from = v,
            &["yesterday", "2026-11-21", "2026-11-21T05:00:00"],
        ),
        ("to", |q, v| q.to = v, &["0"]),
        ("amount_min", |q, v| q.amount_min = v, &["1.00", "-1"]),
        ("limit", |q, v| q.limit = v, &["0", "201", "x"]),
        ("sort", |q, v| q.sort = v, &["state", "+amount", "--amount"]),
        ("cursor", |q, v| q.cursor = v, &["x"]),
    ];
    for (name, set, wrong) in fields {
        for value in wrong {
            let mut query = SearchQuery::default();
            set(&mut query, (*value).to_owned());
            let fault = Search::read(&query).unwrap_err();
            assert_eq!(fault.field, name, "{value}");
        }
    }
}

#[test]
fn each_limit_is_allowed_and_one_more_is_refused_by_name() {
    let many = |count| vec!["QR"; count].join(" ");
    let upper = |count: usize| "X_".repeat(count / 2) + &"X".repeat(count % 2);
    let fields: [(&str, Set, String, String); 8] = [
        ("q", |q, v| q.q = v, "x".repeat(200), "x".repeat(201)),
        (
            "merchant_code",
            |q, v| q.merchant_code = v,
            "x".repeat(200),
            "x".repeat(201),
        ),
        ("method", |q, v| q.method = v, many(20), many(21)),
        ("method", |q, v| q.method = v, upper(40), upper(41)),
        ("state", |q, v| q.state = v, upper(40), upper(41)),
        ("limit", |q, v| q.limit = v, "1".to_owned(), "0".to_owned()),
        (
            "limit",
            |q, v| q.limit = v,
            "200".to_owned(),
            "201".to_owned(),
        ),
        (
            "amount_max",
            |q, v| q.amount_max = v,
            "0".to_owned(),
            "-0.1".to_owned(),
        ),
    ];
    for (name, set, right, wrong) in fields {
        let read = |value: String| {
            let mut query = SearchQuery::default();
            set(&mut query, value);
            Search::read(&query)
        };
        assert!(read(right.clone()).is_ok(), "{name} {right}");
        assert_eq!(read(wrong.clone()).unwrap_err().field, name, "{wrong}");
    }
}

#[test]
fn a_field_of_spaces_is_not_given() {
    let blank = || "  ".to_owned();
    let query = SearchQuery {
        q: blank(),
        state: blank(),
        method: blank(),
        merchant_code: blank(),
        from: blank(),
        to: blank(),
        amount_min: blank(),
        amount_max: blank(),
        sort: blank(),
        limit: blank(),
        cursor: blank(),
    };
    let nothing = Search::read(&SearchQuery::default());
    assert_eq!(Search::read(&query), nothing);
}

#[test]
fn a_page_goes_on_where_the_last_one_ended() {
    let mut query = SearchQuery::default();
    let cursor = Cursor { value: 1, place: 2 };
    query.cursor = format!(" {} ", cursor.write(&query));
    assert_eq!(Search::read(&query).unwrap().after, Some(cursor));
}
