//! Orders of 129.90 and how far their payments are.

use crate::support::payer::{Payer, installment};
use crate::support::stack::Stack;
use crate::support::wait::until_some;

/// A payment by installments, which the service can refund after its settlement.
pub(crate) struct Sale {
    pub(crate) order_id: String,
    pub(crate) number: String,
    pub(crate) amount: u64,
}

/// A payment by QR, which the service never refunds.
pub(crate) struct PaidByQr {
    pub(crate) payer: Payer,
    pub(crate) number: String,
    pub(crate) amount: u64,
}

/// A payer who sees a code and has not paid it, and the number of the operation. The payer's key is `k`.
pub(crate) async fn waiting_qr(stack: &Stack) -> (Payer, String) {
    let payer = stack.payer().await;
    let number = payer.pay_by_qr("k").await.number();
    (payer, number)
}

/// A paid code. The server knows of the payment.
pub(crate) async fn paid_by_qr(stack: &Stack) -> PaidByQr {
    let (payer, number) = waiting_qr(stack).await;
    stack.drive(&number, "pay").await;
    let shown = until_some("paid", async || {
        let shown = payer.shown().await;
        (shown["state"] == "paid").then_some(shown)
    })
    .await;
    let amount = shown["amount"].as_str().unwrap().parse().unwrap();
    PaidByQr {
        payer,
        number,
        amount,
    }
}

/// Paid installments that the service has not settled.
pub(crate) async fn paid_installments(stack: &Stack) -> Sale {
    let payer = stack.payer().await;
    let body = installment(&payer.order_id, "https://shop.example/back");
    let number = payer.authorize("k", &body).await.number();
    stack.drive(&number, "pay").await;
    let amount = payer.shown().await["amount"].as_str().unwrap().parse();
    Sale {
        order_id: payer.order_id,
        number,
        amount: amount.unwrap(),
    }
}

/// Paid installments that the service has settled, so that they can be refunded.
pub(crate) async fn settled_installments(stack: &Stack) -> Sale {
    let sale = paid_installments(stack).await;
    stack.drive(&sale.number, "settle").await;
    sale
}
