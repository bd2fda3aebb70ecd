//! Values that no honest program sends.

use crate::request::Request;
use fastrand::Rng;

/// Parts the values of a list; none of them has it.
const BETWEEN: char = '¦';

/// Texts that are odd in any place.
const TEXTS: &str = "¦ ¦0¦-¦-1¦null¦NaN¦1e400¦18446744073709551615¦18446744073709551616¦-9223372036854775808\
    ¦9007199254740993¦0.1¦1,5¦00000000000000000000000000000000000000001¦..¦../../../etc/passwd¦' OR '1'='1\
    ¦\"; DROP TABLE orders; --¦%¦_¦*¦{order_id}¦<script>alert(1)</script>¦\u{feff}¦ñandú 🦙¦\u{202e}live¦e\u{301}\
    ¦PENDIENTE¦AUTORIZADO¦javascript:alert(1)¦https://evil.example/¦https://shop.example@evil.example/\
    ¦https://shop.example/\\evil¦//shop.example¦2026-02-30T25:61:61Z¦9999999999999¦true¦a\nb¦a\tb¦__proto__";

/// Parts of a path and values of a query that are odd.
const SEGMENTS: &str = "¦.¦..¦-¦..%2f¦%2e%2e%2f¦%00¦a%00b¦%¦%zz¦%ff¦%ff%fe¦%c3%28¦%F0%9F%A6%99¦%0d%0aX:%20y¦%20¦+¦*\
    ¦~¦a;b¦a,b¦%25¦%252e¦%2F¦%5c¦null¦0¦-1¦99999999999999999999999999¦{x}¦%22¦'¦%7f¦a@b¦a:b¦A=b&c¦1-¦1-2-3¦x¦%F0\
    ¦9223372036854775807-9223372036854775807¦--amount¦none%20none¦reverse¦1";

/// Queries that are odd as a whole.
const QUERIES: &str =
    "?¦?a=b¦?%00¦?a=%00¦?a=%ff¦?%¦?=¦?&&¦?q=a&q=b¦?fresh=&fresh=¦?from=x&to=y¦?lang=xx";

/// Pieces of JSON, also wrong ones, that take the place of a value.
const JSON: &str = r#"null¦true¦false¦0¦-0¦-1¦1¦1.0¦0.1¦1e400¦-1e400¦1e-400¦1E2¦18446744073709551615¦18446744073709551616
¦9223372036854775808¦9007199254740993¦100000000000000000000000000000000¦01¦+1¦.5¦NaN¦Infinity¦""¦" "¦"\u0000"
¦"\ud800"¦"\ud83e\udd99"¦"\x"¦"\u202e"¦[]¦{}¦[[]]¦[null]¦{"":0}¦{"a":1,"a":2}¦undefined¦'a'¦"unterminated¦"1"
¦"12.30"¦"-5"¦"1e3"¦{"$gt":0}"#;

/// Stands where a header names the server itself.
const OWN_HOST: &str = "<host>";

/// Headers that change how a request is read, with values for each.
#[rustfmt::skip]
const HEADERS: &[(&str, &str)] = &[
    ("idempotency-key", "¦\"\"¦k¦\"k¦\"k\" \"l\"¦\"\\\"\"¦a b¦\"\u{1}\"¦\"ñ\"¦\"k\";a=b"),
    ("prefer", "wait=1¦wait=-1¦wait=0¦wait=99999999999999999999¦wait=1;wait=2¦wait¦respond-async, wait=1¦=,;=¦wait=1.5"),
    ("if-none-match", "*¦\"\"¦W/\"x\"¦\"a\", \"b\"¦a¦,¦\"¦W/"),
    ("checkout-replaces", "¦\"\"¦\"0\"¦0¦\"¦*¦-¦\"1\",\"2\""),
    ("checkout-token", "¦a.b.c.d.e¦....¦a¦YQ.YQ.YQ.1.YQ¦YQ.YQ.YQ.99999999999999999999.YQ"),
    ("content-type", "¦text/plain¦application/json; charset=utf-7¦application/jsonx¦multipart/form-data¦APPLICATION/JSON¦;\
        ¦application/x-www-form-urlencoded¦application/json, text/plain¦multipart/form-data; boundary=x"),
    ("origin", "null¦https://evil.example¦https://pages.example¦¦https://pages.example.evil.example¦http://<host>"),
    ("sec-fetch-site", "cross-site¦same-origin¦same-site¦none¦¦x"),
    ("sec-fetch-mode", "navigate¦cors¦x"),
    ("referer", "https://evil.example/¦\u{1}¦"),
    ("cookie", "¦=¦;;;¦a¦a=b=c; a=b¦session=¦session=x.y.z¦staff=; staff=¦__Host-session=x"),
    ("authorization", "¦Bearer¦Bearer ¦Bearer shopkey_¦Basic YTpi¦bearer  x¦Bearer a b"),
    ("accept-language", "¦*¦en;q=x¦es-419, en;q=0¦xx¦-"),
    ("accept", "¦text/html¦*/*;q=0"),
    ("accept-encoding", "gzip;q=0¦br¦identity;q=0, *;q=0"),
    ("content-encoding", "gzip¦br¦x"),
    ("content-length", "0¦1¦99999999999¦-1¦x"),
    ("transfer-encoding", "chunked¦x"),
    ("x-forwarded-for", "¦unknown¦::1¦1.2.3.4, 5.6.7.8¦[::1¦999.1.1.1"),
    ("x-http-method-override", "DELETE"),
    ("access-control-request-method", "DELETE¦x¦"),
    ("access-control-request-headers", "x¦¦idempotency-key, *"),
    ("host", "¦evil.example¦a b¦<host>"),
    ("range", "bytes=0-1¦bytes=-1¦x"),
    ("expect", "100-continue¦x"),
    ("upgrade", "websocket¦h2c"),
    ("x-odd", "x"),
];

/// One of the values of a list.
fn one_of(list: &'static str, random: &mut Rng) -> &'static str {
    let values: Vec<&str> = list.split(BETWEEN).collect();
    random.choice(values).unwrap_or_default()
}

/// A text that is odd in any place.
pub(super) fn text(random: &mut Rng) -> String {
    match random.usize(..12) {
        0 => "x".repeat(1 + random.usize(..70_000)),
        1 => "🦙".repeat(1 + random.usize(..600)),
        _ => one_of(TEXTS, random).to_owned(),
    }
}

/// A part of a path, or a value of a query.
pub(super) fn segment(random: &mut Rng) -> String {
    match random.usize(..12) {
        0 => "a".repeat(1 + random.usize(..9_000)),
        1 => "%f0%9f%a6%99".repeat(1 + random.usize(..300)),
        _ => one_of(SEGMENTS, random).to_owned(),
    }
}

/// A query with an odd value of one of these names, or one that is odd as a whole.
pub(super) fn query(names: &[&str], random: &mut Rng) -> String {
    match random.choice(names).filter(|_| random.u8(..4) > 0) {
        Some(name) => format!("?{name}={}", segment(random)),
        None => one_of(QUERIES, random).to_owned(),
    }
}

/// A header with an odd value, half of the time one that is sent already; some name the host of the server.
pub(super) fn header(request: &Request, host: &str, random: &mut Rng) -> (String, Vec<u8>) {
    let any = random.bool();
    let is_sent = |name: &str| request.headers.iter().any(|(own, _)| own == name);
    let drawn = |(name, _): &&(&str, &str)| any || is_sent(name);
    let headers: Vec<_> = HEADERS.iter().filter(drawn).collect();
    let (name, values) = random.choice(headers).copied().unwrap_or(("x-odd", "x"));
    let value = match random.usize(..8) {
        0 => vec![0xff, 0xfe, b'a'],
        1 => b"z".repeat(1 + random.usize(..9_000)),
        _ => one_of(values, random).replace(OWN_HOST, host).into_bytes(),
    };
    (name.to_owned(), value)
}

/// A piece in place of a JSON value.
pub(super) fn json(random: &mut Rng) -> String {
    match random.usize(..14) {
        0 => nested(2 + random.usize(..300)),
        1 => format!("\"{}\"", "y".repeat(1 + random.usize(..70_000))),
        2 => serde_json::Value::from(text(random)).to_string(),
        3 => format!("[{}0]", "0,".repeat(random.usize(..2_000))),
        _ => one_of(JSON, random).trim_end().to_owned(),
    }
}

/// Lists or objects within each other.
pub(super) fn nested(depth: usize) -> String {
    match depth % 2 {
        0 => format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
        _ => format!("{}0{}", "{\"a\":".repeat(depth), "}".repeat(depth)),
    }
}
