use crate::support::payer::{Payer, installment, qr};
use crate::support::sales::waiting_qr;
use crate::support::stack::{MERCHANT, Stack};
use reqwest::Method;

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_learns_nothing() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    let nobody = Payer {
        cookie: String::new(),
        ..payer.clone()
    };
    let forged = Payer {
        cookie: format!("{}x", payer.cookie),
        ..payer.clone()
    };
    let other = Payer {
        order_id: payer.order_id.clone(),
        ..stack.payer().await
    };
    let unknown = payer.status("000000000000").await.refusal();
    for stranger in [nobody, forged, other] {
        for answer in [
            stranger.status(&number).await,
            stranger.cancel(&number).await,
            stranger.authorize("s", &qr(&payer.order_id)).await,
            stranger
                .send(Method::GET, &format!("/orders/{}", payer.order_id), &[], "")
                .await,
        ] {
            assert_eq!((answer.status, answer.refusal()), (404, unknown.clone()));
        }
    }
    assert_eq!(stack.seen("POST").await.len(), 1);
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_and_transactions_cannot_be_mixed() {
    let stack = Stack::start().await;
    let mut payer = stack.payer().await;
    let one = payer.pay_by_qr("1").await;
    payer.order_again().await;
    let two = payer.pay_by_qr("2").await;
    let id = |answer: &crate::support::payer::Answer| {
        answer.json()["transaction"]["transaction_id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let read = payer.status_of(&one.number(), &id(&one), &[]).await;
    assert_eq!(read.state(), "PENDIENTE");
    assert_eq!(
        payer
            .status_of(&one.number(), &id(&two), &[])
            .await
            .problem(),
        "not-found"
    );
    let path = format!("/charges/another-shop/{}/-", one.number());
    assert_eq!(
        payer.send(Method::GET, &path, &[], "").await.problem(),
        "not-found"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkout_token_reads_its_operation_and_nothing_else() {
    let stack = Stack::start().await;
    let mut payer = stack.payer().await;
    let answer = payer
        .authorize("1", &installment(&payer.order_id, "https://shop.example/"))
        .await;
    let body = answer.json();
    let back = body["transaction"]["payment_method"]["method_details"]["redirect_url"]
        .as_str()
        .unwrap();
    let (_, token) = back.split_once("checkout=").unwrap();
    payer.order_again().await;
    let other = payer.pay_by_qr("2").await.number();
    let nobody = Payer {
        cookie: String::new(),
        ..payer
    };
    let header = [("checkout-token", token)];
    assert_eq!(
        nobody
            .status_of(&answer.number(), "-", &header)
            .await
            .state(),
        "PENDIENTE"
    );
    assert_eq!(
        nobody.status_of(&other, "-", &header).await.problem(),
        "not-found"
    );
    let own = format!("/charges/{MERCHANT}/{}", answer.number());
    assert_eq!(
        nobody
            .send(Method::DELETE, &own, &header, "")
            .await
            .problem(),
        "not-found"
    );
    let cut = [("checkout-token", &token[..token.len() - 2])];
    assert_eq!(
        nobody
            .status_of(&answer.number(), "-", &cut)
            .await
            .problem(),
        "not-found"
    );
    assert!(stack.seen("DELETE").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_value_reaches_another_endpoint_of_the_service() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    payer.pay_by_qr("k").await.number();
    let before = stack.seen("GET").await.len();
    for odd in [
        "..%2F..%2Frefund",
        "%2e%2e",
        "a%2Fb",
        "%00",
        "%ff",
        "x%3Fy",
        "%0d%0aX:y",
    ] {
        for path in [
            format!("/charges/{MERCHANT}/{odd}/-"),
            format!("/charges/{odd}/{odd}/{odd}"),
        ] {
            let answer = payer.send(Method::GET, &path, &[], "").await;
            assert_eq!(answer.problem(), "not-found", "{path}");
        }
        let answer = payer
            .send(
                Method::DELETE,
                &format!("/charges/{MERCHANT}/{odd}"),
                &[],
                "",
            )
            .await;
        assert!(
            matches!(answer.status, 404 | 405),
            "{odd}: {}",
            answer.status
        );
    }
    // The reconciler may have asked about the one real operation meanwhile.
    let strange = |entry: &&serde_json::Value| {
        !entry["path"]
            .as_str()
            .unwrap()
            .starts_with(&format!("/charges/{MERCHANT}/"))
    };
    assert_eq!(
        stack.seen("GET").await[before..]
            .iter()
            .filter(strange)
            .count(),
        0
    );
    assert!(stack.seen("DELETE").await.is_empty());
}
