use crate::support::{Harness, PUBLIC_URL, authorize_body, scan};
use serde_json::json;

#[tokio::test]
async fn a_scanned_qr_is_paid_in_the_wallet() {
    let harness = Harness::new();
    let reply = harness.authorize("1", "QR").await;
    let content = scan(&reply);
    let path = content.strip_prefix(PUBLIC_URL).unwrap();
    let page = harness.get(path).await;
    assert_eq!(page.status, 200);
    for text in [
        "S/\u{a0}129.90",
        "Retama &amp; Cumbre",
        ">Pagar S/\u{a0}129.90</button>",
        ">Rechazar</button>",
        "Quedan 15 min 0 s",
    ] {
        assert!(page.text.contains(text), "{text} is not in {}", page.text);
    }
    let id = reply.at("/transaction/transaction_id");
    let id = id.as_str().unwrap();
    let pay = format!("/phone/{id}/pay");
    assert!(page.text.contains(&pay));
    let paid = harness.post(&pay).await;
    assert_eq!(
        (paid.status.as_u16(), paid.location()),
        (303, format!("/phone/{id}").as_str())
    );
    assert!(
        harness
            .get(paid.location())
            .await
            .text
            .contains("<h1>Pago realizado</h1>")
    );
    assert_eq!(harness.state("1").await, "AUTORIZADO");
    // A second click changes nothing.
    assert_eq!(harness.post(&pay).await.status, 303);
    assert_eq!(harness.state("1").await, "AUTORIZADO");
}

#[tokio::test]
async fn the_wallet_lists_what_can_be_paid_the_newest_first() {
    let harness = Harness::new();
    assert!(
        harness
            .get("/phone")
            .await
            .text
            .contains("No hay cobros pendientes")
    );
    harness.authorize("one", "QR").await;
    harness.authorize("two", "QR").await;
    harness.authorize("elsewhere", "INSTALLMENT").await;
    harness.create("gone", "QR", "CANCELADO").await;
    let page = harness.get("/phone").await.text;
    assert!(page.contains("<h1>Tu billetera</h1>"));
    assert!(page.find("</span>two").unwrap() < page.find("</span>one").unwrap());
    assert!(!page.contains("elsewhere") && !page.contains("gone"));
}

#[tokio::test]
async fn only_what_was_created_a_moment_ago_is_marked_so() {
    let harness = Harness::new();
    let marks = async || {
        let page = harness.get("/phone").await.text;
        page.matches("recién creado").count()
    };
    harness.authorize("one", "QR").await;
    assert_eq!(marks().await, 1);
    harness.move_clock(120).await;
    assert_eq!(marks().await, 0);
    harness.authorize("two", "QR").await;
    assert_eq!(marks().await, 1);
    let page = harness.get("/phone").await.text;
    let (newest, others) = page.split_once("Otros cobros").unwrap();
    assert!(newest.contains("recién creado") && newest.contains("</span>two"));
    assert!(others.contains("</span>one"));
}

#[tokio::test]
async fn a_payer_who_came_from_the_shop_gets_back_to_its_page() {
    let harness = Harness::new();
    let shop = "http://127.0.0.1:8080/?order=7&lang=en";
    let back = "back=http%3A%2F%2F127.0.0.1%3A8080%2F%3Forder%3D7%26lang%3Den";
    let link = r#"<a class="button primary" href="http://127.0.0.1:8080/?order=7&amp;lang=en">Volver a la tienda</a>"#;
    harness.authorize("1", "QR").await;
    let cip = harness.authorize("2", "CASHCODE").await;
    let cip = cip.at("/transaction/processor_response/cip");
    let desk = format!("/agent/{}", cip.as_str().unwrap());
    for (start, number) in [("/phone/1", "1"), (desk.as_str(), "2")] {
        let page = harness.get(&format!("{start}?{back}")).await.text;
        assert!(!page.contains(shop), "{page}");
        let (_, action) = page.split_once("action=\"").unwrap();
        let (action, _) = action.split_once('"').unwrap();
        assert!(action.ends_with(back), "{action}");
        let paid = harness.post(action).await;
        assert_eq!(paid.status, 303);
        assert_eq!(harness.state(number).await, "AUTORIZADO");
        let page = harness.get(paid.location()).await.text;
        assert!(page.contains(link), "{page}");
    }
    // Nowhere else, and nothing without it.
    for query in [
        "",
        "?back=https%3A%2F%2Fshop.example%2F",
        "?back=javascript:alert(1)",
    ] {
        let page = harness.get(&format!("/phone/1{query}")).await.text;
        assert!(!page.contains("Volver a la tienda"), "{query}");
        assert!(page.contains("Ya puedes volver a ella."), "{query}");
    }
}

#[tokio::test]
async fn a_number_stands_in_groups_and_is_copied_without_them() {
    let harness = Harness::new();
    harness.authorize("482193017", "QR").await;
    for path in ["/phone", "/phone/482193017"] {
        let page = harness.get(path).await.text;
        let number = r#"<span class="group">4821</span><span class="group">930</span><span class="group">17</span>"#;
        assert!(page.contains(number), "{path}: {page}");
    }
}

#[tokio::test]
async fn the_wallet_can_say_no() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    assert_eq!(harness.post("/phone/1/reject").await.status, 303);
    assert_eq!(harness.state("1").await, "DENEGADO");
    assert!(
        harness
            .get("/phone/1")
            .await
            .text
            .contains("Pago rechazado")
    );
}

#[tokio::test]
async fn what_cannot_be_paid_has_a_page_too() {
    let harness = Harness::new();
    for (state, heading) in [
        ("EXPIRADO", "Este cobro venció"),
        ("CANCELADO", "Este cobro fue anulado"),
        ("INVALIDO", "Este cobro no es válido"),
        ("EXTORNADO", "Pago devuelto"),
        ("LIQUIDADO", "Pago realizado"),
        ("REGISTRADO", "Este cobro aún no está listo"),
        ("NUEVO", "Este cobro aún no está listo"),
    ] {
        harness.create(state, "QR", state).await;
        let page = harness.get(&format!("/phone/{state}")).await;
        assert_eq!(page.status, 200);
        assert!(
            page.text.contains(heading) && !page.text.contains("/pay"),
            "{state}"
        );
    }
    for path in [
        "/phone/unknown",
        "/phone?qr=unknown",
        "/lender/unknown",
        "/agent?cip=1",
    ] {
        let page = harness.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text.contains("No encontramos este cobro"), "{path}");
    }
}

#[tokio::test]
async fn installments_sum_to_the_whole() {
    let harness = Harness::new();
    let asked = json!({
        "merchant_operation_number": "1", "method_name": "INSTALLMENT", "amount": "10000",
    });
    harness.control("POST", "/operations", &asked).await;
    let page = harness.get("/lender/1").await;
    for (each, first) in [
        ("3 × S/\u{a0}33.33", "primera S/\u{a0}33.34"),
        ("6 × S/\u{a0}16.66", "primera S/\u{a0}16.70"),
        ("18 × S/\u{a0}5.55", "primera S/\u{a0}5.65"),
    ] {
        let plan = format!("<span>{each}</span><small>{first}</small>");
        assert!(page.text.contains(&plan), "{plan}: {}", page.text);
    }
    harness.authorize("2", "INSTALLMENT").await;
    let page = harness.get("/lender/2").await.text;
    let even = "<span>3 × S/\u{a0}43.30</span></label>";
    assert!(page.contains(even), "{page}");
}

#[tokio::test]
async fn pages_trust_nobody() {
    let harness = Harness::new();
    let mut body = authorize_body("<img src=x onerror=alert(1)>", "INSTALLMENT");
    body["merchant_code"] = json!("\"><script>alert(1)</script>");
    let reply = harness.service("POST", "/charges", &body).await;
    let id = reply.at("/transaction/transaction_id");
    let page = harness
        .get(&format!("/lender/{}", id.as_str().unwrap()))
        .await;
    assert!(!page.text.contains("<img") && !page.text.contains("<script"));
    assert!(!page.text.contains("style="));
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'self'; "),
        "{policy}"
    );
    assert!(
        policy.contains("form-action 'self' https://shop.example;"),
        "{policy}"
    );
    assert_eq!(page.header("cache-control"), "no-store");
    let style = harness.get("/pages/style.css").await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
}

#[tokio::test]
async fn pages_speak_english_when_asked() {
    let harness = Harness::new();
    let id = harness
        .authorize("1", "QR")
        .await
        .at("/transaction/transaction_id");
    let id = id.as_str().unwrap();
    let list = harness.get("/phone?lang=en").await.text;
    assert!(list.contains("<h1>Your wallet</h1>") && list.contains("<html lang=\"en\">"));
    assert!(list.contains(&format!("/phone/{id}?lang=en")));
    let reply = harness.post(&format!("/phone/{id}/pay?lang=en")).await;
    assert_eq!(reply.location(), format!("/phone/{id}?lang=en"));
}
