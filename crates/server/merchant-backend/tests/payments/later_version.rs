//! A node of a later version has written payments that this one does not wholly understand.

use crate::support::database::{documents, edit};
use crate::support::roles::{canceler, refunder};
use crate::support::sales::{paid_by_qr, waiting_qr};
use crate::support::stack::{MERCHANT, Stack};
use crate::support::wait::until;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_a_later_version_is_left_to_it() {
    let stack = Stack::start().await;
    let (refunder, canceler) = (refunder(&stack).await, canceler(&stack).await);
    let (payer, number) = waiting_qr(&stack).await;
    let phase = async |word: &str| {
        edit(&stack, |edited, document| {
            if edited == number {
                document["operation"]["phase"] = json!(word);
            }
        })
        .await;
    };
    phase("postponed").await;
    for refused in [
        payer.status(&number).await,
        payer.cancel(&number).await,
        canceler.cancel(&number, "cancel").await,
        refunder
            .get(&format!("/operations/{MERCHANT}/{number}"))
            .await,
    ] {
        let problem = (refused.status, refused.problem());
        assert_eq!(problem, (503, "not-ready".to_owned()), "{}", refused.text);
        assert!(!refused.header("retry-after").is_empty());
    }
    assert!(stack.seen("DELETE").await.is_empty());
    // It is still found, and other payments go on.
    let found = refunder.search(&format!("q={number}")).await;
    assert_eq!(found, [number.as_str()]);
    paid_by_qr(&stack).await;
    phase("known").await;
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_later_version_added_to_a_payment_stays_when_this_one_writes_it() {
    let stack = Stack::start().await;
    let (payer, number) = waiting_qr(&stack).await;
    edit(&stack, |_, document| {
        document["later"] = json!({"risk": 7});
        document["operation"]["later"] = json!([1, 2]);
    })
    .await;
    stack.drive(&number, "pay").await;
    payer.until_paid().await;
    let stored = async || documents(&stack).await.remove(0).1;
    until("stored", async || {
        let state = stored().await;
        state
            .pointer("/operation/announced_at")
            .is_some_and(Value::is_number)
    })
    .await;
    let stored = stored().await;
    assert_eq!(stored["later"], json!({"risk": 7}));
    assert_eq!(stored["operation"]["later"], json!([1, 2]));
}
