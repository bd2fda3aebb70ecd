//! Every address of the server, with a request that it accepts.
//!
//! A word in `<…>` stands for a fact of an order, which the sender fills in.

use super::scene::{Scene, Stage};

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    /// A browser with the session of the order.
    Payer,
    /// Somebody without any right.
    Stranger,
    /// A member of staff who may cancel and refund.
    Staff,
    /// Another one, for what takes two.
    SecondStaff,
    /// A member of staff who may only look.
    Viewer,
    /// A program of the shop whose key may do everything.
    Program,
    /// A program of the shop whose key may only read.
    Reader,
}

impl Sender {
    /// Those who may only look send more often: a missing check of a permission lets them pass.
    pub(super) const WEIGHTED: [Self; 11] = [
        Self::Payer,
        Self::Stranger,
        Self::Staff,
        Self::SecondStaff,
        Self::Viewer,
        Self::Viewer,
        Self::Viewer,
        Self::Program,
        Self::Reader,
        Self::Reader,
        Self::Reader,
    ];
}

/// An address and a valid request to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address {
    pub(super) sender: Sender,
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) headers: &'static [(&'static str, &'static str)],
    pub(super) body: &'static str,
}

impl Address {
    /// True where a valid request begins, cancels or gives back a payment.
    pub(super) fn moves_money(&self) -> bool {
        let money = ["/charges", "/refund", "/returns", "/pay/", "/cancel"];
        self.method != "GET" && money.iter().any(|word| self.path.contains(word))
    }

    /// True where the request has a password.
    pub(super) fn signs_in(&self) -> bool {
        self.method == "POST" && self.path.ends_with("/session")
    }

    /// True where a valid request about the payment of this scene has an effect, if it moves money at all.
    pub(super) fn fits(&self, scene: &Scene) -> bool {
        if self.path.contains("/refund") {
            scene.installments && scene.stage >= Stage::Settled
        } else if self.path.contains("/returns") {
            !scene.installments && scene.is_paid()
        } else if self.path.contains("reverse") {
            scene.stage == Stage::Paid
        } else if self.method == "DELETE" || self.path.contains("cancel") {
            scene.stage == Stage::Waiting
        } else {
            !scene.is_paid()
        }
    }
}

const fn of(
    sender: Sender,
    method: &'static str,
    path: &'static str,
    headers: &'static [(&'static str, &'static str)],
    body: &'static str,
) -> Address {
    Address {
        sender,
        method,
        path,
        headers,
        body,
    }
}

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const KEY: (&str, &str) = ("idempotency-key", "\"<key>\"");
const ORIGIN: (&str, &str) = ("origin", "null");

use Sender::{Payer, Program, SecondStaff, Staff, Stranger, Viewer};

#[rustfmt::skip]
pub(super) const ADDRESSES: &[Address] = &[
    // Payers.
    of(Payer, "POST", "/api/charges", &[JSON, KEY], r#"{"order_id":"<order_id>","payment_method":{"method_name":"QR","method_details":{}}}"#),
    of(Payer, "POST", "/api/charges", &[JSON, KEY], r#"{"order_id":"<order_id>","payment_method":{"method_name":"INSTALLMENT","method_details":{"redirect_url":"https://shop.example/back?a=b#c"}}}"#),
    of(Payer, "POST", "/api/charges", &[JSON, KEY, ("checkout-replaces", "\"<merchant_operation_number>\"")], r#"{"order_id":"<order_id>","payment_method":{"method_name":"CASHCODE"}}"#),
    of(Stranger, "POST", "/api/charges", &[JSON, KEY], r#"{"pay_link":"<handle>","payment_method":{"method_name":"QR"}}"#),
    of(Stranger, "POST", "/api/charges", &[JSON, KEY], r#"{"order":"<signed>","payment_method":{"method_name":"QR"}}"#),
    of(Payer, "POST", "/api/charges/live", &[JSON], r#"{"order_id":"<order_id>"}"#),
    of(Stranger, "POST", "/api/charges/live", &[JSON], r#"{"pay_link":"<handle>"}"#),
    of(Stranger, "POST", "/api/charges/live", &[JSON], r#"{"order":"<signed>"}"#),
    of(Payer, "GET", "/api/charges/<merchant_code>/<merchant_operation_number>/<transaction_id>", &[], ""),
    of(Payer, "GET", "/api/charges/<merchant_code>/<merchant_operation_number>/-", &[("prefer", "wait=5"), ("if-none-match", "\"x\"")], ""),
    of(Stranger, "GET", "/api/charges/<merchant_code>/<merchant_operation_number>/-", &[("checkout-token", "<checkout_token>")], ""),
    of(Payer, "DELETE", "/api/charges/<merchant_code>/<merchant_operation_number>", &[], ""),
    of(Stranger, "POST", "/api/notifications/<token>", &[JSON], r#"{"transaction_id":"<transaction_id>"}"#),
    // The demo's shop.
    of(Payer, "POST", "/api/orders", &[JSON], r#"{"items":[{"sku":"cafe-250","quantity":2}],"customer":{"first_name":"A","email":"a@example.com","phone":{"country_code":"51","subscriber":"999"}}}"#),
    of(Payer, "GET", "/api/orders/<order_id>", &[], ""),
    of(Stranger, "GET", "/api/catalog", &[], ""),
    // The operator.
    of(Stranger, "GET", "/api/healthz", &[], ""),
    of(Stranger, "GET", "/api/readyz", &[], ""),
    of(Stranger, "GET", "/healthz", &[], ""),
    of(Stranger, "GET", "/readyz", &[], ""),
    of(Stranger, "GET", "/metrics", &[], ""),
    // The page of an order.
    of(Stranger, "GET", "/api/pay/<handle>?lang=en", &[], ""),
    of(Stranger, "POST", "/api/pay/<handle>", &[FORM, ORIGIN], "key=<key>&method=QR"),
    of(Stranger, "POST", "/api/pay/<handle>", &[FORM, ORIGIN], "key=<key>&method=CASHCODE&replaces=<merchant_operation_number>"),
    of(Stranger, "GET", "/api/pay/<handle>/cancel", &[], ""),
    of(Stranger, "POST", "/api/pay/<handle>/cancel", &[FORM, ORIGIN], "number=<merchant_operation_number>"),
    of(Stranger, "GET", "/api/pay/<handle>/qr.png", &[], ""),
    of(Stranger, "POST", "/api/pay", &[FORM, ORIGIN], "order=<signed>"),
    of(Stranger, "GET", "/api/pay/element-page.js", &[], ""),
    of(Stranger, "GET", "/api/pay/element/element.js", &[], ""),
    // Staff.
    of(Stranger, "POST", "/api/staff/session", &[JSON], r#"{"name":"<apprentice>","password":"<password>"}"#),
    of(Staff, "GET", "/api/staff/session", &[], ""),
    of(Stranger, "DELETE", "/api/staff/session", &[], ""),
    of(Viewer, "GET", "/api/staff/operations?q=<merchant_operation_number>&state=PENDIENTE%20none&method=QR&amount_min=1&amount_max=99999&from=2026-01-01T00:00:00Z&to=2199-01-01T00:00:00Z&sort=-amount&limit=5", &[], ""),
    of(Viewer, "GET", "/api/staff/operations?limit=1&cursor=<cursor>", &[], ""),
    of(Viewer, "GET", "/api/staff/operations.csv?merchant_code=<merchant_code>&q=<order_id>", &[], ""),
    of(Viewer, "GET", "/api/staff/operations/<merchant_code>/<merchant_operation_number>", &[], ""),
    of(Staff, "POST", "/api/staff/operations/<merchant_code>/<merchant_operation_number>/release", &[JSON], r#"{"reason":"the payer waits"}"#),
    of(Viewer, "GET", "/api/staff/exceptions", &[], ""),
    of(Staff, "POST", "/api/staff/exceptions/resolve", &[JSON], r#"{"merchant_code":"<merchant_code>","merchant_operation_number":"<merchant_operation_number>","kind":"paid_twice","reason":"spoke to the payer"}"#),
    of(Viewer, "GET", "/api/staff/charges/<merchant_code>/<merchant_operation_number>/<transaction_id>", &[], ""),
    of(Staff, "DELETE", "/api/staff/charges/<merchant_code>/<merchant_operation_number>?intent=cancel", &[], ""),
    of(Staff, "DELETE", "/api/staff/charges/<merchant_code>/<merchant_operation_number>?intent=reverse", &[], ""),
    of(Staff, "POST", "/api/staff/refund", &[JSON, KEY], r#"{"merchant_code":"<merchant_code>","operations":[{"type":"PARTIAL","merchant_operation_number":"<merchant_operation_number>","refund_amount":"7"}]}"#),
    of(Staff, "POST", "/api/staff/refund", &[JSON, KEY], r#"{"merchant_code":"<merchant_code>","operations":[{"type":"TOTAL","merchant_operation_number":"<merchant_operation_number>","refund_amount":"<amount>"}]}"#),
    of(Viewer, "GET", "/api/staff/refund/<merchant_code>/<merchant_operation_number>", &[], ""),
    of(SecondStaff, "POST", "/api/staff/refund-attempts/<attempt_id>/release", &[JSON], r#"{"reason":"asked on the phone"}"#),
    of(Staff, "POST", "/api/staff/returns", &[JSON, KEY], r#"{"merchant_code":"<merchant_code>","merchant_operation_number":"<merchant_operation_number>","amount":3,"reason":"slip 7"}"#),
    of(Staff, "POST", "/api/staff/returns/<return_id>/done", &[JSON], r#"{"reason":"slip 7"}"#),
    of(SecondStaff, "POST", "/api/staff/returns/<return_id>/given-up", &[JSON], r#"{"reason":"slip 7"}"#),
    of(Staff, "POST", "/api/staff/reversals/<reversal_id>/release", &[JSON], r#"{"reason":"asked on the phone"}"#),
    // Programs of the shop.
    of(Program, "GET", "/api/shop/events?after=<event_cursor>", &[], ""),
    of(Program, "POST", "/api/shop/events/<event_id>/resend?receiver=x", &[], ""),
    of(Program, "POST", "/api/shop/orders", &[JSON], r#"{"order_id":"new-<key>","amount":<amount>,"currency":"PEN","label":"R 1","payer":{"first_name":"A","email":"a@example.com"},"products":[{"sku":"c","name":"C","quantity":1,"unit_price":<amount>}],"pay_until":"2199-01-01T00:00:00Z"}"#),
    of(Program, "GET", "/api/shop/orders?after=<order_cursor>", &[], ""),
    of(Program, "GET", "/api/shop/orders/<order_id>?fresh", &[], ""),
    of(Program, "POST", "/api/shop/orders/<order_id>/cancel", &[], ""),
    of(Program, "POST", "/api/shop/orders/<order_id>/link", &[JSON], r#"{"action":"renew","pay_until":4102444800}"#),
    of(Program, "POST", "/api/shop/refunds", &[JSON, KEY], r#"{"order_id":"<order_id>","amount":5,"merchant_operation_number":"<merchant_operation_number>"}"#),
    of(Program, "GET", "/api/shop/refunds/<refund_id>", &[], ""),
];

#[cfg(test)]
mod tests {
    use super::ADDRESSES;
    use std::collections::BTreeSet;

    /// The addresses of the contract, each with its method and in the form of this file.
    fn contract() -> BTreeSet<String> {
        let text = include_str!("../../../../docs/openapi.yaml");
        let (_, paths) = text.split_once("\npaths:\n").unwrap();
        let mut found = BTreeSet::new();
        let mut path = "";
        for line in paths.lines() {
            let word = line.trim_end().trim_end_matches(':');
            if let Some(rest) = word.strip_prefix("  /") {
                path = rest;
            }
            let method = word.strip_prefix("    ").unwrap_or_default();
            if ["get", "post", "put", "delete", "patch"].contains(&method) {
                let path = path.replace('{', "<").replace('}', ">");
                found.insert(format!("{} /api/{path}", method.to_uppercase()));
            }
        }
        found
    }

    #[test]
    fn every_address_of_the_contract_gets_requests() {
        let has_request = |listed: &String| {
            ADDRESSES.iter().any(|address| {
                let path = address.path.split('?').next().unwrap();
                // A hyphen stands for whichever transaction the operation has.
                let path = path.replace("/-", "/<transaction_id>");
                *listed == format!("{} {path}", address.method)
            })
        };
        let contract = contract();
        assert!(contract.len() > 35, "{contract:?}");
        let without: Vec<_> = contract
            .iter()
            .filter(|listed| !has_request(listed))
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
