use crate::support::payer::qr;
use crate::support::stack::Stack;
use reqwest::Method;

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_can_do_nothing() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let body = qr(&payer.order_id).to_string();
    let check = async |headers: &[(&str, &str)], passes: bool| {
        let mut all = vec![("idempotency-key", "k")];
        all.extend(headers);
        let answer = payer.send(Method::POST, "/charges", &all, &body).await;
        if passes {
            answer.number();
        } else {
            assert_eq!(
                (answer.status, answer.problem().as_str()),
                (403, "cross-site-request"),
                "{headers:?}"
            );
        }
    };
    check(&[("sec-fetch-site", "cross-site")], false).await;
    check(
        &[
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
        ],
        false,
    )
    .await;
    check(&[("origin", "https://evil.example")], false).await;
    check(&[("origin", "null")], false).await;
    assert!(stack.seen("POST").await.is_empty());
    check(
        &[
            ("sec-fetch-site", "same-origin"),
            ("origin", "http://127.0.0.1:8080"),
        ],
        true,
    )
    .await;
    // The merchant's own pages, behind a proxy or on another origin.
    check(
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://shop.example"),
        ],
        true,
    )
    .await;
    check(
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://pages.example"),
        ],
        true,
    )
    .await;
    check(&[], true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn configured_origins_may_read_answers_and_others_may_not() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let preflight = async |origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            (
                "access-control-request-headers",
                "content-type,idempotency-key,if-none-match,prefer,checkout-token",
            ),
        ];
        payer.send(Method::OPTIONS, "/charges", &headers, "").await
    };
    let allowed = preflight("https://pages.example").await;
    assert_eq!(
        allowed.header("access-control-allow-origin"),
        "https://pages.example"
    );
    assert_eq!(allowed.header("access-control-allow-credentials"), "true");
    for name in [
        "idempotency-key",
        "if-none-match",
        "prefer",
        "checkout-token",
        "checkout-replaces",
        "content-type",
    ] {
        assert!(
            allowed
                .header("access-control-allow-headers")
                .contains(name),
            "{name}"
        );
    }
    assert!(!allowed.header("access-control-max-age").is_empty());
    for origin in [
        "https://evil.example",
        "null",
        "https://pages.example.evil.example",
    ] {
        assert_eq!(
            preflight(origin)
                .await
                .header("access-control-allow-origin"),
            ""
        );
    }
    // Other origins can read refusals too, with the headers for back-off.
    let headers = [("origin", "https://pages.example")];
    let refused = payer
        .send(Method::GET, "/charges/a/b/c", &headers, "")
        .await;
    assert_eq!(
        refused.header("access-control-allow-origin"),
        "https://pages.example"
    );
    for name in [
        "age",
        "date",
        "etag",
        "order-state",
        "operation-end",
        "retry-after",
        "preference-applied",
    ] {
        assert!(
            refused
                .header("access-control-expose-headers")
                .contains(name),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_addresses_refuse_every_other_origin_and_a_payers_page() {
    let stack = Stack::start().await;
    let refunder = crate::support::roles::refunder(&stack).await;
    for origin in ["https://pages.example", "https://shop.example"] {
        let answer = refunder.send_from(origin, "same-site", Method::POST).await;
        assert_eq!(answer.problem(), "cross-site-request", "{origin}");
        // A download would be on the refunder's record.
        for site in ["same-site", "cross-site"] {
            let answer = refunder.send_from(origin, site, Method::GET).await;
            let allowed = answer.headers.get("access-control-allow-origin");
            assert_eq!(allowed, None, "{origin}");
            assert_eq!(answer.problem(), "cross-site-request", "{origin}");
        }
    }
    // Older browsers say the origin only.
    let (_, host) = stack
        .base()
        .split_once("://")
        .map(|(a, b)| (a, b.to_owned()))
        .unwrap();
    let own = format!("https://{}", host.split('/').next().unwrap());
    for (origin, status) in [("https://shop.example", 403), ("null", 403), (&own, 200)] {
        let answer = refunder.get_from(origin).await;
        assert_eq!(answer.status, status, "{origin}");
    }
    let answer = refunder
        .send_from("https://shop.example", "same-origin", Method::POST)
        .await;
    assert_ne!(answer.problem(), "cross-site-request");
    for site in ["same-origin", "none"] {
        let answer = refunder
            .send_from("https://shop.example", site, Method::GET)
            .await;
        assert_eq!(
            (answer.status, answer.header("cross-origin-resource-policy")),
            (200, "same-origin")
        );
    }
}
