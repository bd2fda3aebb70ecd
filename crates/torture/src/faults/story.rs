//! Short stories of a payer and of staff, act by act, against a real server.

use crate::answer::Answer;
use crate::payer::{MERCHANT, Payer};
use crate::stack::{CLERK, Stack};
use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};

/// One act of a person, or of the payment service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// The payer asks for a code, under this key.
    Qr(&'static str),
    /// The payer asks for instalments, under this key.
    Instalments(&'static str),
    /// The payer pays the newest operation at the service.
    Pays,
    /// The service settles the newest operation.
    Settles,
    /// The payer's page asks for the state.
    Looks,
    /// The payer cancels the newest operation.
    Cancels,
    /// Staff cancel the newest operation while it waits.
    StaffCancel,
    /// Staff give the newest payment back before it is settled.
    StaffReverse,
    /// Staff refund this many cents, under this key.
    StaffRefund(u64, &'static str),
}
use Act::{Cancels, Instalments, Looks, Pays, Qr, Settles, StaffCancel, StaffRefund, StaffReverse};

/// The stories, with their names.
pub(super) const STORIES: [(&str, &[Act]); 12] = [
    ("pays a code", &[Qr("a"), Pays, Looks]),
    ("pays a code unseen", &[Qr("a"), Pays]),
    ("asks twice with one key", &[Qr("a"), Qr("a"), Pays, Looks]),
    ("asks twice with two keys", &[Qr("a"), Qr("b"), Pays, Looks]),
    (
        "cancels and pays anew",
        &[Qr("a"), Looks, Cancels, Qr("b"), Pays, Looks],
    ),
    ("cancels what is paid", &[Qr("a"), Pays, Cancels, Looks]),
    (
        "pays what staff cancel",
        &[Qr("a"), StaffCancel, Pays, Looks],
    ),
    (
        "staff cancel what is paid",
        &[Qr("a"), Pays, StaffCancel, Looks],
    ),
    (
        "is given back before the settlement",
        &[Instalments("a"), Pays, Looks, StaffReverse, Looks],
    ),
    (
        "is given back twice",
        &[
            Instalments("a"),
            Pays,
            Looks,
            StaffReverse,
            StaffReverse,
            Looks,
        ],
    ),
    (
        "is refunded",
        &[
            Instalments("a"),
            Pays,
            Settles,
            Looks,
            StaffRefund(100, "r"),
            StaffRefund(100, "r"),
        ],
    ),
    (
        "is refunded and given back",
        &[
            Instalments("a"),
            Pays,
            Settles,
            Looks,
            StaffRefund(100, "r"),
            StaffReverse,
        ],
    ),
];

/// What the people of a story saw.
pub(super) struct Played {
    pub(super) lines: Vec<String>,
    /// The amount of the order.
    pub(super) order_cents: String,
    /// Cents that staff may have refunded at most: each key once.
    pub(super) refunds_wanted: u64,
}

/// Lets the acts happen, one after the other. A person who gets no answer goes on with the next act.
pub(super) async fn play(stack: &Stack, acts: &[Act]) -> Result<Played> {
    let payer = stack.payer().await?;
    let staff = stack.sign_in(CLERK).await?;
    let mut played = Played {
        lines: Vec::new(),
        order_cents: payer.order_cents().await?,
        refunds_wanted: 0,
    };
    let mut keys = Vec::new();
    for act in acts {
        let seen = match act {
            Qr(key) => begin(&payer, "QR", json!({}), key).await?.to_string(),
            Instalments(key) => {
                let details = json!({"redirect_url": stack.shop_page()});
                begin(&payer, "INSTALLMENT", details, key)
                    .await?
                    .to_string()
            }
            other => {
                if let StaffRefund(cents, key) = other
                    && !keys.contains(key)
                {
                    keys.push(key);
                    played.refunds_wanted += cents;
                }
                match newest(stack).await? {
                    Some(number) => about(stack, &payer, &staff, *other, &number).await?,
                    None => "there is no operation".to_owned(),
                }
            }
        };
        played.lines.push(format!("{act:?}: {seen}"));
    }
    Ok(played)
}

async fn begin(payer: &Payer, method: &str, details: Value, key: &str) -> Result<Answer> {
    payer.authorize(method, details, key).await
}

/// The number of the newest operation at the service.
async fn newest(stack: &Stack) -> Result<Option<String>> {
    let operations = stack.operations().await?;
    let number = operations.first().map(|one| one.number.clone());
    Ok(number)
}

async fn about(
    stack: &Stack,
    payer: &Payer,
    staff: &str,
    act: Act,
    number: &str,
) -> Result<String> {
    let path = format!("/charges/{MERCHANT}/{number}");
    let answer = match act {
        Pays | Settles => {
            let step = if act == Pays { "pay" } else { "settle" };
            let path = format!("/sandbox/operations/{number}/{step}");
            let moved = stack.control(Method::POST, &path).await;
            return Ok(moved.map_or("the service refuses", |_| "done").to_owned());
        }
        Looks => payer.ask(Method::GET, &format!("{path}/-")).await?,
        Cancels => payer.ask(Method::DELETE, &path).await?,
        StaffCancel | StaffReverse => {
            let intent = if act == StaffCancel {
                "cancel"
            } else {
                "reverse"
            };
            let path = format!("/staff{path}?intent={intent}");
            stack
                .as_staff(staff, Method::DELETE, &path, None, None)
                .await?
        }
        StaffRefund(cents, key) => {
            let item = json!({"type": "PARTIAL", "merchant_operation_number": number,
                "refund_amount": cents.to_string()});
            let body = json!({"merchant_code": MERCHANT, "operations": [item]});
            stack
                .as_staff(staff, Method::POST, "/staff/refund", Some(key), Some(&body))
                .await?
        }
        Qr(_) | Instalments(_) => return Ok(String::new()),
    };
    Ok(answer.to_string())
}
