//! The page that shows the received events to people.

use super::Receiver;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{
    ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, REFRESH,
    X_CONTENT_TYPE_OPTIONS,
};
use serde_json::Value;
use std::fmt::Write;
use std::sync::Arc;

/// Allows only the style sheet, and prevents framing by other pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = "body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.5rem; text-align: start; overflow-wrap: anywhere; }
td.amount, th.amount { text-align: end; white-space: nowrap; }
";

/// The texts of the page in one language.
struct Words {
    language: &'static str,
    title: &'static str,
    nothing: &'static str,
    columns: [&'static str; 5],
}

const SPANISH: Words = Words {
    language: "es",
    title: "Eventos recibidos",
    nothing: "Todavía no llegó ninguno.",
    columns: ["Fecha (UTC)", "Evento", "Pedido", "Operación", "Monto"],
};

const ENGLISH: Words = Words {
    language: "en",
    title: "Events that arrived",
    nothing: "None so far.",
    columns: ["Date (UTC)", "Event", "Order", "Operation", "Amount"],
};

pub(crate) async fn style() -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

pub(crate) async fn show(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
) -> ([(HeaderName, &'static str); 5], String) {
    let wanted = headers.get(ACCEPT_LANGUAGE);
    let wanted = wanted.and_then(|value| value.to_str().ok());
    let english = wanted.is_some_and(|language| language.starts_with("en"));
    let words = if english { &ENGLISH } else { &SPANISH };
    let page = draw(words, receiver.inbox().newest_first());
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // Reloads the page for new events, without a script.
        (REFRESH, "5"),
    ];
    (headers, page)
}

fn draw<'a>(words: &Words, events: impl Iterator<Item = &'a Value>) -> String {
    let Words {
        language, title, ..
    } = words;
    let mut rows = String::new();
    for event in events {
        let cells = cells(event).map(|cell| escaped(&cell));
        let [date, kind, order, number, amount] = cells;
        // Writing to a string cannot fail.
        let _ = writeln!(
            rows,
            "<tr><td>{date}<td>{kind}<td>{order}<td>{number}<td class=\"amount\">{amount}</tr>"
        );
    }
    let list = if rows.is_empty() {
        format!("<p>{}</p>", words.nothing)
    } else {
        let [date, kind, order, number, amount] = words.columns;
        format!(
            "<table><thead><tr><th>{date}<th>{kind}<th>{order}<th>{number}<th class=\"amount\">{amount}</tr></thead>\n<tbody>\n{rows}</tbody></table>"
        )
    };
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title><link rel=\"stylesheet\" href=\"/style.css\"></head>\n<body><main><h1>{title}</h1>\n{list}\n</main></body>\n</html>\n"
    )
}

/// Formats an event as a line for the terminal.
pub(crate) fn line(event: &Value) -> String {
    // Control characters in an event could manipulate the terminal.
    cells(event)
        .join("  ")
        .replace(char::is_control, "\u{fffd}")
}

fn cells(event: &Value) -> [String; 5] {
    let written = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let data = &event["data"];
    let cents = ["refund_amount", "amount"]
        .into_iter()
        .find_map(|name| data[name].as_str()?.parse::<u64>().ok());
    let amount = cents.map(|cents| format!("{}.{:02} ", cents / 100, cents % 100));
    [
        written(&event["timestamp"]),
        written(&event["type"]),
        written(&data["order_id"]),
        written(&data["merchant_operation_number"]),
        amount.unwrap_or_default() + &written(&data["currency"]),
    ]
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{ENGLISH, draw, line};
    use serde_json::json;

    #[test]
    fn what_an_event_says_stays_text() {
        let event = json!({"type": "<b>\u{1b}[2J", "data": {"amount": "1205", "currency": "PEN"}});
        let page = draw(&ENGLISH, [&event].into_iter());
        assert!(
            page.contains("&lt;b&gt;") && !page.contains("<b>"),
            "{page}"
        );
        assert!(page.contains("12.05 PEN"), "{page}");
        assert!(!line(&event).contains('\u{1b}'));
    }
}
