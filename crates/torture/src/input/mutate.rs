//! Small changes of a valid request. Most of them leave it nearly valid, since nonsense is refused early.

use super::raw::RawRequest;
use fastrand::Rng;
use serde_json::{Value, json};

/// Texts that parsers stumble over: as a value, a header or a part of a path.
const TEXTS: [&str; 22] = [
    "",
    " ",
    "-",
    "0",
    "-1",
    "1.5",
    "1e400",
    "99999999999999999999",
    "null",
    "true",
    "\u{202e}123",
    "\u{0}",
    "a\u{300}\u{200b}",
    "<img src=x onerror=1>",
    "..%2f..%2frefund",
    "%252e%252e",
    "%00",
    ";",
    "//",
    "'; DROP TABLE orders; --",
    "PENDIENTE",
    "\u{1f4b8}",
];

/// Headers that the server reads.
const HEADERS: [&str; 14] = [
    "idempotency-key",
    "checkout-replaces",
    "checkout-token",
    "prefer",
    "if-none-match",
    "content-type",
    "origin",
    "sec-fetch-site",
    "cookie",
    "accept-language",
    "authorization",
    "x-forwarded-for",
    "transfer-encoding",
    "expect",
];

const METHODS: [&str; 8] = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "get",
];

/// Changes one to three things.
pub(super) fn mutate(request: &mut RawRequest, random: &mut Rng) {
    for _ in 0..random.u8(1..=3) {
        match random.u8(0..12) {
            0..=5 => change_body(request, random),
            6..=8 => change_header(request, random),
            9 | 10 => change_path(request, random),
            _ => request.method = METHODS[random.usize(..METHODS.len())].to_owned(),
        }
    }
}

fn text(random: &mut Rng) -> String {
    match random.u8(0..12) {
        0 => "9".repeat(random.usize(1..400)),
        1 => "x".repeat(random.usize(1..20_000)),
        _ => TEXTS[random.usize(..TEXTS.len())].to_owned(),
    }
}

fn change_body(request: &mut RawRequest, random: &mut Rng) {
    let parsed = serde_json::from_slice::<Value>(&request.body);
    match parsed {
        Ok(mut body) if random.u8(0..8) > 0 => {
            change_value(&mut body, random);
            request.body = body.to_string().into_bytes();
        }
        _ => change_bytes(&mut request.body, random),
    }
}

/// Descends to a random member and replaces it, removes it, or puts another one beside it.
fn change_value(value: &mut Value, random: &mut Rng) {
    let children = match value {
        Value::Object(fields) => fields.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if children == 0 || random.u8(0..4) == 0 {
        if let Value::Object(fields) = value
            && random.bool()
        {
            fields.insert(text(random), odd(random));
            return;
        }
        *value = odd(random);
        return;
    }
    let at = random.usize(..children);
    let remove = random.u8(0..6) == 0;
    match value {
        Value::Object(fields) => {
            let Some(name) = fields.keys().nth(at).cloned() else {
                return;
            };
            if remove {
                fields.remove(&name);
            } else if let Some(child) = fields.get_mut(&name) {
                change_value(child, random);
            }
        }
        Value::Array(items) if remove => {
            items.remove(at);
        }
        Value::Array(items) => change_value(&mut items[at], random),
        _ => {}
    }
}

fn odd(random: &mut Rng) -> Value {
    match random.u8(0..11) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(1.5e300),
        5 => json!([]),
        6 => json!({}),
        7 => (0..random.u16(1..200)).fold(json!([]), |inner, _| json!([inner])),
        8 => json!(vec![text(random); random.usize(0..200)]),
        _ => json!(text(random)),
    }
}

fn change_bytes(body: &mut Vec<u8>, random: &mut Rng) {
    match random.u8(0..6) {
        0 => body.clear(),
        1 => body.truncate(random.usize(..=body.len())),
        2 => body.extend(std::iter::repeat_n(b'[', random.usize(1..10_000))),
        // The same field twice, in JSON and in a form.
        3 => *body = b"{\"order_id\":\"a\",\"order_id\":\"b\"}".to_vec(),
        4 => *body = b"act=pay&act=cancel&method=QR".to_vec(),
        _ => {
            for _ in 0..random.u8(1..8) {
                if !body.is_empty() {
                    let at = random.usize(..body.len());
                    body[at] = random.u8(..);
                }
            }
        }
    }
}

fn change_header(request: &mut RawRequest, random: &mut Rng) {
    let at = random.usize(..request.headers.len() + 1);
    if at < request.headers.len() && random.bool() {
        request.headers.remove(at);
        return;
    }
    let name = HEADERS[random.usize(..HEADERS.len())].to_owned();
    let own = request.headers.iter().find(|(own, _)| *own == name);
    let value = match own {
        // Twice the same header.
        Some((_, value)) if random.bool() => value.clone(),
        // A line break would end the header, and a control character the request.
        _ => text(random).replace(char::is_control, " "),
    };
    request.headers.push((name, value));
}

fn change_path(request: &mut RawRequest, random: &mut Rng) {
    let odd = text(random).replace(|letter: char| letter.is_control() || letter == ' ', "%20");
    let mut parts: Vec<&str> = request.path.split('/').collect();
    match random.u8(0..3) {
        // The first two parts lead to the server.
        0 if parts.len() > 3 => {
            let at = random.usize(3..parts.len());
            parts[at] = &odd;
            request.path = parts.join("/");
        }
        1 => request.path = format!("{}/{odd}", request.path),
        _ => {
            let sign = if request.path.contains('?') { '&' } else { '?' };
            request.path = format!("{}{sign}cursor={odd}&limit={odd}&q={odd}", request.path);
        }
    }
}
