//! The payment service, whose journal is the truth about the money.

use crate::answer::Answer;
use crate::settings::TOKEN;
use anyhow::{Context as _, Result};
use payment_model::TransactionState;
use payment_sandbox::{Sandbox, Setup};
use reqwest::{Client, Method};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// An operation as the payment service has it, which is the truth about a payment.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) number: String,
    pub(crate) state: String,
    /// What its payer pays.
    pub(crate) amount_cents: u64,
    /// How often it was paid: a code can be paid late, also after its payment was given back.
    pub(crate) payments: u64,
}

impl Operation {
    /// Reads the service's own list, the newest first.
    pub(crate) fn read_all(list: &str) -> Result<Vec<Self>> {
        let list: Vec<Value> = serde_json::from_str(list)?;
        list.iter()
            .map(|view| Self::read(&view["operation"]))
            .collect()
    }

    fn read(operation: &Value) -> Result<Self> {
        let transaction = &operation["transactions"][0];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let lifecycle = transaction["lifecycle"].as_array().into_iter().flatten();
        let mut payments = 0;
        let mut stood_paid = false;
        for entry in lifecycle {
            let stands_paid = entry["state"].as_str().is_some_and(is_paid);
            payments += u64::from(stands_paid && !stood_paid);
            stood_paid = stands_paid;
        }
        Ok(Self {
            number: text(&operation["merchant_operation_number"]).context("no number")?,
            state: text(&operation["state"]).context("no state")?,
            amount_cents: text(&transaction["amount"]).context("no amount")?.parse()?,
            payments,
        })
    }

    pub(crate) fn is_waiting(&self) -> bool {
        TransactionState::from(self.state.as_str()).is_waiting()
    }

    /// True if it was ever paid.
    pub(crate) fn was_paid(&self) -> bool {
        self.payments > 0
    }

    pub(crate) fn is_paid(&self) -> bool {
        is_paid(&self.state)
    }

    /// True if the payment was given back as a whole.
    pub(crate) fn is_reversed(&self) -> bool {
        self.was_paid() && !self.is_paid()
    }
}

/// True for the states in which the money is there.
pub(crate) fn is_paid(state: &str) -> bool {
    TransactionState::from(state).is_paid()
}

/// A payment service on a socket of its own. It ends with the value.
pub(crate) struct Service {
    /// Its address.
    pub(crate) url: String,
    client: Client,
    tasks: [JoinHandle<()>; 2],
}

impl Service {
    /// Starts it, after a change of its settings.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Setup) + Send) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let mut setup = Setup::new(TOKEN, url.clone());
        change(&mut setup);
        let sandbox = Sandbox::new(setup);
        let run = tokio::spawn(sandbox.clone().run());
        let serve = tokio::spawn(async move {
            // It ends only when its task is aborted.
            let _ = axum::serve(listener, payment_sandbox::app(sandbox)).await;
        });
        Ok(Self {
            url,
            client: Client::builder().build()?,
            tasks: [run, serve],
        })
    }

    /// Sends a request to its control interface.
    pub(crate) async fn control(&self, method: Method, path: &str) -> Result<String> {
        let request = self.client.request(method, format!("{}{path}", self.url));
        Ok(Answer::of(request).await?.success()?.text)
    }

    /// Moves an operation on as payers, lenders and banks do. False if its state does not allow it.
    pub(crate) async fn drive(&self, number: &str, step: &str) -> Result<bool> {
        let path = format!("{}/sandbox/operations/{number}/{step}", self.url);
        let answer = Answer::of(self.client.post(path)).await?;
        Ok(answer.status == 200)
    }

    /// The operations that it has, the newest first.
    pub(crate) async fn operations(&self) -> Result<Vec<Operation>> {
        Operation::read_all(&self.control(Method::GET, "/sandbox/operations").await?)
    }

    /// The requests that it got after the one of this number.
    pub(crate) async fn journal(&self, after: u64) -> Result<Vec<Value>> {
        let path = format!("/sandbox/journal?after={after}");
        let text = self.control(Method::GET, &path).await?;
        let entries = text.lines().map(serde_json::from_str);
        Ok(entries.collect::<Result<_, _>>()?)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}
