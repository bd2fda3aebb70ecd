//! Payers and staff, who repeat a request until they have an answer that they can use.

use super::scene::{Scene, in_short};
use crate::answer::Answer;
use crate::calls;
use crate::request::Request;
use crate::settings::CLERK;
use anyhow::{Result, bail};
use serde_json::{Value, json};

/// A payer's browser with an order.
#[derive(Clone)]
pub(super) struct Payer {
    cookie: String,
    pub(super) order_id: String,
}

impl Payer {
    pub(super) async fn orders(scene: &Scene) -> Result<Self> {
        scene.step("a payer orders").await?;
        let mut cookie = String::new();
        let ask = async || {
            let order = calls::order(2).with_cookie(&cookie);
            let answer = scene.ask(&order).await?.success()?;
            if cookie.is_empty() {
                answer.cookie().clone_into(&mut cookie);
            }
            Ok(answer)
        };
        let answer = scene.insist("the order", ask, |_| true).await?;
        let order_id = answer.field("/order_id");
        Ok(Self { cookie, order_id })
    }

    async fn asks(&self, scene: &Scene, request: Request) -> Result<Answer> {
        scene.ask(&request.with_cookie(&self.cookie)).await
    }

    /// Chooses a method under a key, in place of the code with a number, and repeats the request with the same key
    /// until it has a number.
    pub(super) async fn authorizes(
        &self,
        scene: &Scene,
        key: &str,
        method: &str,
        replaced: Option<&str>,
    ) -> Result<String> {
        scene.step(&format!("the payer chooses {method}")).await?;
        let order = json!({"order_id": self.order_id});
        let request = calls::charge(&order, method, key, replaced);
        let ask = async || self.asks(scene, request.clone()).await;
        let wanted = |answer: &Answer| answer.status == 200;
        let answer = scene.insist(method, ask, wanted).await?;
        let number = answer.field("/merchant_operation_number");
        scene.log.tell(&format!("the payer sees {number}"));
        Ok(number)
    }

    /// Asks once for another code, whatever the answer is.
    pub(super) async fn asks_anew(&self, scene: &Scene) {
        let order = json!({"order_id": self.order_id});
        let asked = self
            .asks(scene, calls::charge(&order, "QR", "anew", None))
            .await;
        tell(scene, "another code", &asked);
    }

    /// Pays a code that the server showed.
    pub(super) async fn pays(&self, scene: &Scene, number: &str) -> Result<()> {
        scene.step("the payer pays").await?;
        if !scene.service.drive(number, "pay").await? {
            bail!("the server showed {number}, which the payer cannot pay");
        }
        Ok(())
    }

    /// Cancels a code until the server says that it has ended.
    pub(super) async fn cancels(&self, scene: &Scene, number: &str) -> Result<()> {
        scene.step("the payer cancels").await?;
        let ask = async || self.asks(scene, calls::cancel(number)).await;
        let has_ended = |answer: &Answer| {
            let state = "/operation/transactions/0/state";
            answer.field(state) == "CANCELADO" || answer.field("/operation/state") == "CANCELADO"
        };
        scene.insist("the cancellation", ask, has_ended).await?;
        Ok(())
    }

    /// Polls until the order is paid.
    pub(super) async fn sees_paid(&self, scene: &Scene) -> Result<()> {
        scene.step("the payer waits for the result").await?;
        let ask = async || self.asks(scene, self.look()).await;
        let is_paid = |answer: &Answer| answer.field("/state") == "paid";
        scene.insist("the result", ask, is_paid).await?;
        Ok(())
    }

    /// The state of the order, as the payer reads it now.
    pub(super) async fn reads_state(&self, scene: &Scene) -> Result<String> {
        Ok(self.asks(scene, self.look()).await?.field("/state"))
    }

    fn look(&self) -> Request {
        Request::new("GET", &format!("/api/orders/{}", self.order_id))
    }
}

fn tell(scene: &Scene, what: &str, answer: &Result<Answer>) {
    let told = match answer {
        Ok(answer) => in_short(answer),
        Err(error) => format!("no answer ({error:#})"),
    };
    scene.log.tell(&format!("{what}: {told}"));
}

/// A member of staff who may cancel and refund.
pub(super) struct Staff {
    scene: Scene,
    cookie: String,
}

impl Staff {
    /// Signs in.
    pub(super) async fn signs_in(scene: &Scene) -> Result<Self> {
        let mut staff = Self {
            scene: scene.clone(),
            cookie: String::new(),
        };
        let ask = async || staff.sign_in().await;
        scene.insist("the sign-in", ask, |_| true).await?;
        Ok(staff)
    }

    async fn sign_in(&mut self) -> Result<Answer> {
        let answer = self.scene.ask(&calls::sign_in(CLERK)).await?.success()?;
        answer.cookie().clone_into(&mut self.cookie);
        Ok(answer)
    }

    /// Sends a request. A session that is over, as after a jump of the clock, is begun anew before the request is
    /// repeated.
    async fn asks(&mut self, request: Request) -> Result<Answer> {
        let answer = self.scene.ask(&request.with_cookie(&self.cookie)).await?;
        if answer.status == 401 {
            self.sign_in().await?;
        }
        Ok(answer)
    }

    /// Begins a step, and repeats a request until its answer is the wanted one.
    async fn insists(
        &mut self,
        step: &str,
        request: Request,
        wanted: impl Fn(&Answer) -> bool,
    ) -> Result<Answer> {
        let scene = self.scene.clone();
        scene.step(&format!("staff {step}")).await?;
        let ask = async || self.asks(request.clone()).await;
        scene.insist(step, ask, wanted).await
    }

    /// Refunds a part, and repeats the request with the same key until its end is known or in doubt.
    pub(super) async fn refunds(&mut self, key: &str, number: &str, cents: u64) -> Result<()> {
        let has_ended = |answer: &Answer| {
            // A rule may refuse a later part while the first one is in doubt.
            answer.status == 422
                || answer.status == 409 && answer.field("/type").ends_with("refund-refused")
                || answer.status == 200 && answer.field("/results/0/attempt/state") != "sending"
        };
        let (step, request) = (format!("refund {cents}"), calls::refund(number, cents, key));
        let answer = self.insists(&step, request, has_ended).await?;
        let end = answer.field("/results/0/attempt/state");
        self.scene.log.tell(&format!("the refund is {end:?}"));
        Ok(())
    }

    /// Gives a whole payment back before its settlement.
    pub(super) async fn reverses(&mut self, number: &str) -> Result<()> {
        let request = calls::staff_ends(number, "reverse");
        self.insists("reverse", request, Answer::is_success).await?;
        Ok(())
    }

    /// Tries once to give a payment back, by either way and whatever the answers are.
    pub(super) async fn gives_back(&mut self, number: &str) {
        let reversed = self.asks(calls::staff_ends(number, "reverse")).await;
        tell(&self.scene, "a reversal", &reversed);
        let refund = calls::refund(number, 100, &format!("back-{number}"));
        let refunded = self.asks(refund).await;
        tell(&self.scene, "a refund", &refunded);
    }

    /// The numbers of the operations on the list of exceptions.
    pub(super) async fn exceptions(&mut self) -> Result<Vec<String>> {
        let list = Request::new("GET", "/api/staff/exceptions");
        let list = self.asks(list).await?.success()?.json();
        let number = |entry: &Value| {
            let number = entry["operation"]["merchant_operation_number"].as_str();
            number.unwrap_or_default().to_owned()
        };
        let list = list["exceptions"].as_array();
        Ok(list.into_iter().flatten().map(number).collect())
    }
}
