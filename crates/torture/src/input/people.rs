//! Those who send requests, each with what proves who they are.

use super::addresses::Sender;
use super::scene::Scene;
use crate::request::{Request, value_of};
use crate::stack::{CLERK, SECOND_CLERK, Stack, VIEWER};
use anyhow::Result;

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
        let everything = ["order", "read", "cancel", "refund"];
        Ok(Self {
            staff: stack.sign_in(CLERK).await?,
            second_staff: stack.sign_in(SECOND_CLERK).await?,
            viewer: stack.sign_in(VIEWER).await?,
            program: stack.api_key("erp", &everything).await?,
            reader: stack.api_key("reports", &["read"]).await?,
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
        let bearer = |secret: &str| Some(("authorization", format!("Bearer {secret}")));
        let cookie = |cookie: &str| Some(("cookie", cookie.to_owned()));
        match sender {
            Sender::Payer => cookie(&scene.cookie),
            Sender::Stranger => None,
            Sender::Staff => cookie(&self.staff),
            Sender::SecondStaff => cookie(&self.second_staff),
            Sender::Viewer => cookie(&self.viewer),
            Sender::Program => bearer(&self.program),
            Sender::Reader => bearer(&self.reader),
        }
    }

    /// True when a request proves that its sender may cancel or refund any payment.
    pub(super) fn may_give_back(&self, text: &str) -> bool {
        let secrets = [&self.staff, &self.second_staff, &self.program];
        let mut secrets = secrets.into_iter().map(|secret| value_of(secret));
        secrets.any(|secret| text.contains(secret))
    }
}
