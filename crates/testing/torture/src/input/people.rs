//! Those who send requests, each with what proves who they are.

use super::scene::Scene;
use crate::calls;
use crate::request::{Request, value_of};
use crate::settings::{CLERK, SECOND_CLERK, VIEWER};
use crate::stack::Stack;
use anyhow::Result;

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    /// A browser with the session of the order.
    Payer,
    /// A browser that comes back from a lender, with the token of that address.
    Returned,
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
    /// Every sender, and how often: a missing check of a permission lets those pass who may only look.
    pub(super) const WEIGHTED: [(Self, usize); 8] = [
        (Self::Payer, 1),
        (Self::Returned, 1),
        (Self::Stranger, 1),
        (Self::Staff, 1),
        (Self::SecondStaff, 1),
        (Self::Viewer, 3),
        (Self::Program, 1),
        (Self::Reader, 3),
    ];
}

/// The secrets of staff and of the shop's programs.
#[derive(Debug)]
pub(super) struct People {
    staff: String,
    second_staff: String,
    viewer: String,
    program: String,
    reader: String,
}

impl People {
    pub(super) async fn arrive(stack: &Stack) -> Result<Self> {
        Ok(Self {
            staff: stack.sign_in(CLERK).await?,
            second_staff: stack.sign_in(SECOND_CLERK).await?,
            viewer: stack.sign_in(VIEWER).await?,
            program: stack.api_key("erp", "order,read,cancel,refund").await?,
            reader: stack.api_key("reports", "read").await?,
        })
    }

    /// Signs those in again whom a generated request signed out.
    pub(super) async fn return_to_work(&mut self, stack: &Stack) -> Result<()> {
        let accounts = [
            (CLERK, &mut self.staff),
            (SECOND_CLERK, &mut self.second_staff),
            (VIEWER, &mut self.viewer),
        ];
        for (name, cookie) in accounts {
            let request = Request::new("GET", "/api/staff/session").with("cookie", cookie);
            if stack.send(&request).await?.status != 200 {
                *cookie = stack.sign_in(name).await?;
            }
        }
        Ok(())
    }

    /// The header by which the server recognizes a sender.
    pub(super) fn proof(&self, sender: Sender, scene: &Scene) -> Option<(&'static str, String)> {
        let cookie = match sender {
            Sender::Stranger => return None,
            Sender::Program => return Some(calls::bearer(&self.program)),
            Sender::Reader => return Some(calls::bearer(&self.reader)),
            Sender::Returned => {
                let token = scene.facts.get("checkout_token");
                return Some(("checkout-token", token.to_owned()));
            }
            Sender::Payer => &scene.cookie,
            Sender::Staff => &self.staff,
            Sender::SecondStaff => &self.second_staff,
            Sender::Viewer => &self.viewer,
        };
        Some(("cookie", cookie.clone()))
    }

    /// True when a request proves that its sender may cancel or refund any payment.
    pub(super) fn may_give_back(&self, text: &str) -> bool {
        let secrets = [&self.staff, &self.second_staff, &self.program];
        let mut secrets = secrets.into_iter().map(|secret| value_of(secret));
        secrets.any(|secret| text.contains(secret))
    }
}
