//! The payment service, whose journal is the truth about the money.

use crate::answer::{Answer, send};
use anyhow::{Context as _, Result};
use payment_model::TransactionState;
use payment_sandbox::{Sandbox, Setup};
use reqwest::{Client, Method};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The token that the server shows to the payment service.
pub(crate) const TOKEN: &str = "torture-access-token";

/// An operation as the payment service has it.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// Its number.
    pub(crate) number: String,
    /// Its state.
    pub(crate) state: TransactionState,
    /// What its payer pays.
    pub(crate) amount_cents: u64,
}

impl Operation {
    fn read(view: &Value) -> Result<Self> {
        let operation = &view["operation"];
        let number = operation["merchant_operation_number"].as_str();
        let state = operation["state"].as_str();
        let amount = operation["transactions"][0]["amount"].as_str();
        Ok(Self {
            number: number.context("no number")?.to_owned(),
            state: TransactionState::from(state.context("no state")?),
            amount_cents: amount.context("no amount")?.parse()?,
        })
    }
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
    ///
    /// # Errors
    /// A socket cannot be opened.
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
    ///
    /// # Errors
    /// It is refused.
    pub(crate) async fn control(&self, method: Method, path: &str) -> Result<String> {
        let request = self.client.request(method, format!("{}{path}", self.url));
        Ok(send(request, None).await?.text().await?)
    }

    /// Moves an operation on as payers, lenders and banks do. False if its state does not allow it.
    ///
    /// # Errors
    /// There is no answer.
    pub(crate) async fn drive(&self, number: &str, step: &str) -> Result<bool> {
        let path = format!("{}/sandbox/operations/{number}/{step}", self.url);
        let answer = Answer::of(self.client.post(path), None).await?;
        Ok(answer.status == 200)
    }

    /// The operations that it has, the newest first.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) async fn operations(&self) -> Result<Vec<Operation>> {
        let list = self.control(Method::GET, "/sandbox/operations").await?;
        let list: Vec<Value> = serde_json::from_str(&list)?;
        list.iter().map(Operation::read).collect()
    }

    /// Every request that it got.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub(crate) async fn journal(&self) -> Result<Vec<Value>> {
        let text = self.control(Method::GET, "/sandbox/journal").await?;
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
