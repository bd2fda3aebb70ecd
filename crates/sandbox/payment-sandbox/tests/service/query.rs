use crate::support::Harness;
use payment_model::QueryResponse;
use serde_json::Value;

#[tokio::test]
async fn a_query_answers_the_operation_with_its_transaction() {
    let harness = Harness::new();
    let id = harness
        .authorize("1", "INSTALLMENT")
        .await
        .at("/transaction/transaction_id");
    let id = id.as_str().unwrap();
    let reply = harness.query("1", id).await;
    assert_eq!(reply.at("/success"), true);
    let answer: QueryResponse = serde_json::from_str(&reply.text).unwrap();
    let transaction = answer.operation.transaction(&id.into()).unwrap();
    assert!(transaction.continue_url.is_some() && transaction.expiration_date.is_some());
    assert!(answer.operation.created_at.is_some());
    harness.drive("1", "pay").await;
    let reply = harness.query("1", id).await;
    assert_eq!(reply.at("/operation/state"), "AUTORIZADO");
    assert_eq!(
        reply.at("/operation/transactions/0/continue_url"),
        Value::Null
    );
    assert_eq!(
        reply.at("/operation/transactions/0/expiration_date"),
        Value::Null
    );
    assert!(
        reply
            .at("/operation/transactions/0/processor_response")
            .is_object()
    );
}

#[tokio::test]
async fn the_image_of_a_qr_is_given_out_once() {
    let harness = Harness::new();
    let id = harness
        .authorize("1", "QR")
        .await
        .at("/transaction/transaction_id");
    let reply = harness.query("1", id.as_str().unwrap()).await;
    assert!(!reply.text.contains("qr_image"));
    harness.drive("1", "pay").await;
    let reply = harness.query("1", id.as_str().unwrap()).await;
    assert!(!reply.text.contains("qr_image"));
    assert!(
        reply
            .at("/operation/transactions/0/processor_response/qr_id")
            .is_string()
    );
}

#[tokio::test]
async fn no_part_of_a_path_may_be_left_out() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    for (method, path, status) in [
        ("GET", "/charges/shop/1", 405),
        ("GET", "/charges/shop/1/", 404),
        ("DELETE", "/charges/shop", 404),
        ("DELETE", "/charges/shop/", 404),
        ("GET", "/refund/shop", 404),
        ("GET", "/refund/shop/", 404),
    ] {
        let reply = harness.service(method, path, &Value::Null).await;
        assert_eq!(reply.status, status, "{method} {path}");
    }
    assert_eq!(harness.state("1").await, "PENDIENTE");
}

#[tokio::test]
async fn every_part_of_the_path_must_be_right() {
    let harness = Harness::new();
    let id = harness
        .authorize("a/b c", "QR")
        .await
        .at("/transaction/transaction_id");
    let id = id.as_str().unwrap();
    let status = async |path: String| {
        harness
            .service("GET", &path, &Value::Null)
            .await
            .status
            .as_u16()
    };
    assert_eq!(status(format!("/charges/shop/a%2Fb%20c/{id}")).await, 200);
    assert_eq!(status(format!("/charges/other/a%2Fb%20c/{id}")).await, 404);
    assert_eq!(status(format!("/charges/shop/unknown/{id}")).await, 404);
    assert_eq!(
        status("/charges/shop/a%2Fb%20c/unknown".to_owned()).await,
        404
    );
}
