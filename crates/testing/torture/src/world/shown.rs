//! What a payer saw on the screen, and when.

use super::press::{Press, offered};
use crate::service::Operation;
use checkout_flow::{Screen, View};
use payment_model::{Outcome, ProcessorResponse};
use std::time::Duration;

/// A screen that a payer saw.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) at: Duration,
    /// When another screen took its place, or the page was lost.
    pub(super) until: Option<Duration>,
    pub(super) kind: String,
    /// The operation in front.
    pub(super) number: Option<String>,
    /// What the payer can pay with: a picture, a link or a code.
    pub(super) pays_with: Option<String>,
    pub(super) outcome: Option<Outcome>,
    pub(super) presses: Vec<Press>,
    /// When this page first asked for the newest attempt.
    pub(super) asked: Option<Duration>,
    /// The operations that the service had when the screen appeared, the newest first.
    pub(super) service: Vec<Operation>,
}

impl Shown {
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let all = |one: &Self| {
            let pays_with = one.pays_with.clone();
            (one.kind.clone(), one.number.clone(), pays_with, one.outcome)
        };
        all(self) == all(other) && self.presses == other.presses
    }

    /// What a payer sees now.
    pub(super) fn now(view: &View<'_>, at: Duration, asked: Option<Duration>) -> Self {
        let pays_with = match &view.screen {
            Screen::Qr(picture) => Some(picture.as_str().to_owned()),
            Screen::Continue { url, .. } => Some(url.as_str().to_owned()),
            Screen::Waiting(transaction) => match &transaction.processor_response {
                Some(ProcessorResponse::CashCode(response)) => response.cip.clone(),
                _ => None,
            },
            _ => None,
        };
        let outcome = match &view.screen {
            Screen::Ended(end) => Some(end.outcome),
            _ => None,
        };
        let kind = match &view.screen {
            Screen::Failed(code) => format!("failed: {}", code.as_str()),
            Screen::Ended(end) => format!("ended: {:?}", end.outcome),
            screen => {
                let text = format!("{screen:?}");
                let word = text.split(|c: char| !c.is_alphanumeric()).next();
                word.unwrap_or_default().to_owned()
            }
        };
        let number = view
            .operation
            .map(|one| one.merchant_operation_number.as_str());
        Self {
            at,
            until: None,
            kind,
            number: number.map(str::to_owned),
            pays_with,
            outcome,
            presses: offered(view, false),
            asked,
            service: Vec::new(),
        }
    }
}
