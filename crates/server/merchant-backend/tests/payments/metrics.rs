//! The figures for Prometheus.

use crate::support::event_receiver::{Receiver, Reply};
use crate::support::fault::Fault;
use crate::support::sales::waiting_qr;
use crate::support::stack::Stack;
use crate::support::wait::{until, until_some};
use serde_json::json;

pub(crate) async fn figures(stack: &Stack) -> String {
    let url = stack.base().replace("/api", "/metrics");
    let answer = stack.client.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let kind = answer.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    answer.text().await.unwrap()
}

/// The value of a line that begins like this.
pub(crate) fn value(text: &str, line: &str) -> f64 {
    let found = text.lines().find_map(|found| found.strip_prefix(line));
    found.map_or(0.0, |value| value.trim().parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_a_proxy_nor_a_site_publishes_the_figures_of_this_machine() {
    let stack = Stack::start().await;
    let url = stack.base().replace("/api", "/metrics");
    for (name, value) in [
        ("x-forwarded-for", "198.51.100.7"),
        ("forwarded", "for=198.51.100.7"),
        // A site whose name leads to this machine, in a browser on it.
        ("host", "site.example:8081"),
    ] {
        let request = stack.client.get(&url).header(name, value);
        assert_eq!(request.send().await.unwrap().status(), 404, "{name}");
    }
    figures(&stack).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_attempts_doubts_and_events_and_name_no_person() {
    let receiver = Receiver::start().await;
    receiver.reply(&[Reply::Status(500); 50]);
    let stack = Stack::start_telling(&receiver.url()).await;
    let (payer, number) = waiting_qr(&stack).await;
    payer.pay_by_qr("k").await.number();
    stack.drive(&number, "pay").await;
    let text = until_some("the event waits", async || {
        payer.status(&number).await;
        let text = figures(&stack).await;
        let failed = value(
            &text,
            "payments_event_deliveries_total{receiver=\"default\",answered=\"No\"}",
        );
        // The gauges are read from the database now and then.
        let waiting = value(&text, "payments_events_waiting{receiver=\"default\"}");
        (failed >= 1.0 && waiting >= 1.0).then_some(text)
    })
    .await;
    assert_eq!(
        value(&text, "payments_attempts_total{result=\"Operation\"}"),
        2.0
    );
    let sent = "payments_service_requests_total{kind=\"authorize\",answered=\"Yes\"}";
    assert_eq!(value(&text, sent), 1.0);
    assert_eq!(
        value(&text, "payments_events_waiting{receiver=\"default\"}"),
        1.0
    );
    assert_eq!(value(&text, "payments_doubts"), 0.0);

    let other = stack.payer().await;
    // Neither the request nor the question about it gets an answer.
    let dropped = |method: &str| Fault::drop().on(method, "/charges").always();
    stack
        .with_faults([dropped("POST"), dropped("DELETE")])
        .await;
    other.pay_by_qr("k").await;
    let text = figures(&stack).await;
    assert!(value(&text, "payments_doubts") >= 1.0, "{text}");
    until("the doubt gets older", async || {
        let text = figures(&stack).await;
        value(&text, "payments_oldest_doubt_seconds") >= 1.0
    })
    .await;
    assert!(
        value(&text, "payments_exceptions{kind=\"in_doubt\"}") >= 1.0,
        "{text}"
    );
    for secret in [number.as_str(), &payer.order_id, "anary", "example.com"] {
        assert!(!text.contains(secret), "{text}");
    }
    // A proxy passes `/api` on, and the figures are not there.
    let hidden = stack
        .client
        .get(format!("{}/metrics", stack.base()))
        .send()
        .await
        .unwrap();
    assert_eq!(hidden.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_without_an_order_counts_as_turned_away() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let nothing = json!({"order_id": "unknown", "payment_method": {"method_name": "QR"}});
    assert_eq!(payer.authorize("k", &nothing).await.status, 404);
    let text = figures(&stack).await;
    assert_eq!(
        value(&text, "payments_attempts_total{result=\"TurnedAway\"}"),
        1.0
    );
    assert_eq!(
        value(&text, "payments_attempts_total{result=\"Refused\"}"),
        0.0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_alert_is_explained_and_rests_on_figures_that_the_server_has() {
    const ALERTS: &str = include_str!("../../../../../deploy/alerts.yml");
    const ON_CALL: &str = include_str!("../../../../../docs/on-call.md");
    const FIGURES: &str = include_str!("../../../../../docs/production.md");
    // Figures of a receiver are there if it is.
    let receiver = Receiver::start().await;
    let told = figures(&Stack::start_telling(&receiver.url()).await).await;
    let lines = ALERTS.lines().map(str::trim);
    let alerts: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("- alert: "))
        .collect();
    assert!(!alerts.is_empty());
    for alert in alerts {
        assert!(ON_CALL.contains(&format!("| `{alert}` |")), "{alert}");
    }
    let words = ALERTS.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    for figure in words.filter(|word| word.starts_with("payments_")) {
        let family = figure.strip_suffix("_total").unwrap_or(figure);
        assert!(told.contains(&format!("# TYPE {family} ")), "{figure}");
    }
    for line in told.lines() {
        if let Some(family) = line.strip_prefix("# TYPE ") {
            let family = family.split(' ').next().unwrap();
            assert!(FIGURES.contains(&format!("`{family}")), "{family}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_for_the_readers_of_the_setting_and_others_find_nothing() {
    let mut stack = Stack::start().await;
    let url = format!("{}/metrics", stack.base().trim_end_matches("/api"));
    let read = async |stack: &Stack| stack.client.get(&url).send().await.unwrap().status();
    assert_eq!(read(&stack).await, 200);
    stack
        .change_to(|config| config.metrics_from = vec!["10.0.0.0/8".parse().unwrap()])
        .await;
    assert_eq!(read(&stack).await, 404);
    stack
        .change_to(|config| config.metrics_from = vec!["127.0.0.1/32".parse().unwrap()])
        .await;
    assert_eq!(read(&stack).await, 200);
}
