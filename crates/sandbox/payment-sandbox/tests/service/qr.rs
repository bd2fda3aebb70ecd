//! Codes in the merchant-presented form of EMVCo, right and wrong on purpose.

use crate::support::{Harness, PUBLIC_URL, Reply, authorize_body, read_qr, scan};
use payment_model::Currency;
use qr_verdict::{Expected, Mismatch, Verdict, judge};
use serde_json::{Value, json};

async fn with_emvco() -> Harness {
    let harness = Harness::new();
    let change = json!({"qr_form": "emvco"});
    let reply = harness.control("PUT", "/settings", &change).await;
    assert_eq!(reply.at("/qr_form"), "emvco", "{}", reply.text);
    harness
}

async fn authorize(harness: &Harness, amount: &str, currency: &str) -> Reply {
    let mut body = authorize_body(amount, "QR");
    body["payment_details"]["amount"] = json!(amount);
    body["payment_details"]["currency"] = json!(currency);
    let reply = harness.service("POST", "/charges", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply
}

fn verdict(reply: &Reply, amount_cents: u64, currency: &str) -> Verdict {
    let currency = Currency::new(currency);
    let expected = Expected {
        amount_cents,
        currency: &currency,
    };
    judge(&read_qr(reply), expected)
}

fn right(merchant_name: Option<&str>) -> Verdict {
    Verdict::Right {
        merchant_name: merchant_name.map(str::to_owned),
    }
}

#[tokio::test]
async fn a_code_names_amount_currency_and_payee_in_the_currencys_decimals() {
    let harness = with_emvco().await;
    for (amount, cents, currency, decimal) in [
        ("62000", 62_000, "PEN", "620.00"),
        ("62005", 62_005, "604", "620.05"),
        ("7", 7, "USD", "0.07"),
        ("150000", 150_000, "CLP", "150000"),
        ("1234", 1_234, "BHD", "1.234"),
    ] {
        let reply = authorize(&harness, amount, currency).await;
        let expected = right(Some("Retama & Cumbre"));
        assert_eq!(verdict(&reply, cents, currency), expected, "{amount}");
        let field = format!("54{:02}{decimal}58", decimal.len());
        assert!(scan(&reply).contains(&field), "{field}");
    }
    // Another merchant's payee is its code, cut to what the form takes.
    let mut body = authorize_body("8", "QR");
    body["merchant_code"] = json!("una-botica-de-la-calle-Ñuflo-7");
    let reply = harness.service("POST", "/charges", &body).await;
    let expected = right(Some("una-botica-de-la-calle-Ñu"));
    assert_eq!(verdict(&reply, 12_990, "PEN"), expected);
}

#[tokio::test]
async fn the_wallet_finds_the_charge_by_the_whole_text() {
    let harness = with_emvco().await;
    let reply = authorize(&harness, "62000", "PEN").await;
    let content = scan(&reply);
    let shown = harness.control("GET", "/operations/62000", &Value::Null);
    assert_eq!(shown.await.at("/qr_content"), content);
    let form = [("qr", content.as_str())];
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish();
    let page = harness.get(&format!("/phone?{query}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("S/\u{a0}620.00"), "{}", page.text);
}

#[tokio::test]
async fn a_code_keeps_its_form_and_a_currency_without_decimals_has_an_address() {
    let harness = with_emvco().await;
    let address = format!("{PUBLIC_URL}/phone?qr=");
    let points = authorize(&harness, "1", "puntos").await;
    assert!(scan(&points).starts_with(&address));
    let reply = authorize(&harness, "62000", "PEN").await;
    let change = json!({"qr_form": "address"});
    harness.control("PUT", "/settings", &change).await;
    let shown = harness.control("GET", "/operations/62000", &Value::Null);
    assert_eq!(shown.await.at("/qr_content"), scan(&reply));
    let later = authorize(&harness, "63000", "PEN").await;
    assert!(scan(&later).starts_with(&address));
    assert_eq!(verdict(&later, 63_000, "PEN"), Verdict::Unknown);
    let change = json!({"qr_form": "svg"});
    let reply = harness.control("PUT", "/settings", &change).await;
    assert_eq!(reply.status, 400);
    assert!(reply.text.contains("qr_form"), "{}", reply.text);
}

#[tokio::test]
async fn a_fault_draws_a_wrong_code_while_the_service_knows_better() {
    let wrong = |mismatch| Verdict::Wrong { mismatch };
    for form in ["address", "emvco"] {
        let harness = Harness::new();
        let change = json!({ "qr_form": form });
        harness.control("PUT", "/settings", &change).await;
        let all = [
            ("checksum", "PEN", wrong(Mismatch::Checksum)),
            ("currency", "PEN", wrong(Mismatch::Currency)),
            ("currency", "USD", wrong(Mismatch::Currency)),
            ("amount", "PEN", wrong(Mismatch::Amount)),
            ("no_name", "PEN", right(None)),
            ("other_form", "PEN", Verdict::Unknown),
        ];
        let faults = all
            .iter()
            .map(|(what, ..)| json!({"kind": "qr", "wrong": what}));
        harness.faults(faults.collect()).await;
        // A query has no picture, and uses no such fault up.
        harness.query("none", "none").await;
        for (at, (what, currency, expected)) in all.into_iter().enumerate() {
            let cents = 62_000 + at as u64;
            let reply = authorize(&harness, &cents.to_string(), currency).await;
            assert_eq!(verdict(&reply, cents, currency), expected, "{form} {what}");
            assert_eq!(reply.at("/transaction/amount"), cents.to_string());
        }
        let usual = authorize(&harness, "70000", "PEN").await;
        let shown = harness.control("GET", "/operations/70000", &Value::Null);
        assert_eq!(shown.await.at("/qr_content"), scan(&usual));
        let faults = harness.journal().await;
        let faults = faults.iter().filter(|entry| entry["fault"] == "qr");
        assert_eq!(faults.count(), 6);
    }
}

#[tokio::test]
async fn a_fault_of_codes_says_what_is_wrong_and_comes_after_the_work() {
    let harness = Harness::new();
    for (fault, named) in [
        (json!({"kind": "qr"}), "[0].wrong must be checksum"),
        (json!({"kind": "qr", "wrong": "name"}), "wrong"),
        (
            json!({"kind": "qr", "wrong": "amount", "when": "before"}),
            "[0].when",
        ),
    ] {
        let reply = harness.control("PUT", "/faults", &json!([fault])).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text.contains(named), "{}", reply.text);
    }
}
