//! What a mail to a customer needs and no event stores: the address of the page and the cash code. Both are
//! added when `order.waiting` is sent, and are gone when the payer's data was removed.

use crate::db::{Db, DbError, DueEvent};
use crate::orders::PayLinks;
use payment_rules::event::EventKind;
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use serde_json::{Value, json};

/// Adds the details to an event's body.
#[derive(Clone)]
pub(super) struct WaitingDetails {
    pub(super) db: Db,
    pub(super) links: PayLinks,
    /// The receiver asked for cash codes, which are as good as money.
    pub(super) with_cash_code: bool,
}

impl WaitingDetails {
    /// The body to send. An event of another type, and one that cannot be read, stays as it is.
    pub(super) async fn add(&self, event: &mut DueEvent) -> Result<(), DbError> {
        if event.kind != EventKind::OrderWaiting.as_str() {
            return Ok(());
        }
        let Ok(mut body) = serde_json::from_str::<Value>(&event.body) else {
            return Ok(());
        };
        let text = |name: &str| body["data"][name].as_str().map(str::to_owned);
        let (order_id, code) = (text("order_id"), text("merchant_code"));
        let number = text("merchant_operation_number");
        let (Some(order_id), Some(code), Some(number)) = (order_id, code, number) else {
            return Ok(());
        };
        let link = self.links.of(&FullOrderId::new(&*code, order_id)).await?;
        body["data"]["pay_url"] = json!(link.map(|link| link.url));
        if self.with_cash_code {
            let key = OperationKey::new(code, number);
            let record = self.db.operation(&key).await?;
            let cash_code = record.and_then(|record| record.payers_number("cip"));
            body["data"]["cash_code"] = json!(cash_code);
        }
        event.body = body.to_string();
        Ok(())
    }
}
