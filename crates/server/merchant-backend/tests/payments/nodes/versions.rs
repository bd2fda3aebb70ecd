//! Two versions of the server on one database, as while an update restarts its nodes one by one. The step `versions`
//! of `cargo xtask test` runs this, and names the program of an earlier commit.

use super::WaitingPayers;
use super::fleet::{Fleet, NODES, Shopper, installments};
use crate::support::accounts::REFUNDER;
use crate::support::database::{documents, edit, values};
use crate::support::event_receiver::{Delivery, Receiver};
use crate::support::fault::Fault;
use crate::support::notification::{lose_all, notify};
use crate::support::program::merchant_backend;
use crate::support::staff_client::{StaffClient, part};
use crate::support::wait::until;
use reqwest::Method;
use serde_json::{Value, json};
use std::process::Command;

/// What happens to the payments of a node that began them, and their states in the end.
const ENDS: [(&str, &str); 4] = [
    ("polled", "AUTORIZADO"),
    ("notified", "AUTORIZADO"),
    ("cancelled", "CANCELADO"),
    ("refunded", "LIQUIDADO"),
];

fn earlier(_: usize) -> Command {
    let program = std::env::var_os("TEST_EARLIER_SERVER");
    Command::new(program.expect("run `cargo xtask test --only versions`"))
}

/// Payments and a refund that one node began. A payment has the number of its operation.
struct Begun {
    name: &'static str,
    payments: Vec<(Shopper, String)>,
    staff: StaffClient,
}

impl Begun {
    async fn at(fleet: &Fleet, base: &str, staff: &StaffClient, name: &'static str) -> Self {
        // The operation whose answer is lost has an unknown outcome, and another one takes its place.
        lose_all(
            &fleet.stack,
            &[Fault::drop().on("POST", "/charges").after()],
        )
        .await;
        let mut payments = Vec::new();
        for (end, _) in ENDS {
            let mut shopper = fleet.shopper_at(base, &format!("{name}-{end}"));
            let answer = match end {
                "refunded" => shopper.asks_for("k", &installments()).await,
                _ => shopper.asks("k").await,
            };
            payments.push((shopper, answer.number()));
        }
        let (shopper, refunded) = &payments[3];
        fleet.stack.drive(refunded, "pay").await;
        shopper.waits_for(refunded, "AUTORIZADO").await;
        fleet.stack.drive(refunded, "settle").await;
        let mut staff = staff.clone();
        base.clone_into(&mut staff.base);
        let begun = Self {
            name,
            payments,
            staff,
        };
        begun.refund(&begun.staff, 100).await;
        begun
    }

    /// Refunds with a key that belongs to the amount; returns the id of the refund.
    async fn refund(&self, staff: &StaffClient, amount: u64) -> Value {
        let key = format!("{}-{amount}", self.name);
        let answer = staff
            .refund(&key, &[part(&self.payments[3].1, amount)])
            .await;
        let id = answer.json()["operations"][0]["refund_id"].clone();
        assert!(id.is_string(), "{} {}", answer.status, answer.text);
        id
    }

    /// Another node goes on with what the first one began, and both see it.
    async fn goes_on(&self, fleet: &Fleet, base: &str) {
        let stack = &fleet.stack;
        for ((first, number), (end, state)) in self.payments.iter().zip(ENDS) {
            let mut shopper = first.clone();
            base.clone_into(&mut shopper.payer.base);
            let seen = shopper.payer.status(number).await;
            assert_eq!(seen.status, 200, "{}-{end}: {}", self.name, seen.text);
            match end {
                "cancelled" => drop(shopper.payer.cancel(number).await.state()),
                "refunded" => self.refunds_go_on(fleet, base).await,
                _ => stack.drive(number, "pay").await,
            }
            if end == "notified" {
                notify(stack, &shopper.payer, number).await;
            }
            for shopper in [&shopper, first] {
                shopper.waits_for(number, state).await;
            }
        }
    }

    async fn refunds_go_on(&self, fleet: &Fleet, base: &str) {
        let mut staff = self.staff.clone();
        base.clone_into(&mut staff.base);
        for amount in [100, 200] {
            let id = self.refund(&staff, amount).await;
            let path = format!("/sandbox/refunds/{}/resolve", id.as_str().unwrap());
            fleet.stack.control(Method::POST, &path, None).await;
        }
        for staff in [&staff, &self.staff] {
            until(&format!("both refunds of {}", self.name), async || {
                let refunds = staff.refunds(&self.payments[3].1).await.json();
                let refunds = refunds["operations"].as_array().unwrap();
                assert_eq!(refunds.len(), 2);
                refunds.iter().all(|refund| refund["state"] == "RESOLVED")
            })
            .await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_versions_go_on_with_each_others_payments_while_nodes_are_restarted_one_by_one() {
    let receiver = Receiver::start().await;
    let mut fleet = Fleet::start_with(Some(receiver.url()), earlier).await;
    let (old, new, proxy) = (fleet.base_of(0), fleet.base_of(1), fleet.base.clone());
    let staff = StaffClient::sign_in_at(&fleet.stack, &old, REFUNDER).await;
    let early = Begun::at(&fleet, &old, &staff, "early").await;
    fleet.program = |_| merchant_backend();
    for node in 1..NODES {
        fleet.restart_node(node).await;
    }
    early.goes_on(&fleet, &new).await;
    let to_new = Begun::at(&fleet, &old, &staff, "to-new").await;
    to_new.goes_on(&fleet, &new).await;

    let to_old = Begun::at(&fleet, &new, &staff, "to-old").await;
    let places = ["", "/operation", "/attempts/0", "/attempts/0/requester"];
    let refunded = &to_old.payments[3].1;
    edit(&fleet.stack, |number, document| {
        for place in places.iter().filter(|_| number == refunded) {
            document.pointer_mut(place).unwrap()["later"] = json!(place);
        }
    })
    .await;
    to_old.goes_on(&fleet, &old).await;
    let mut stored = documents(&fleet.stack).await.into_iter();
    let (_, stored) = stored.find(|(number, _)| number == refunded).unwrap();
    assert!(stored["attempts"][1].is_object(), "{stored}");
    for place in places {
        let kept = stored.pointer(&format!("{place}/later"));
        assert_eq!(kept, Some(&json!(place)), "{stored}");
    }

    let spread = Begun::at(&fleet, &proxy, &staff, "spread").await;
    spread.goes_on(&fleet, &proxy).await;
    let late = Begun::at(&fleet, &old, &staff, "late").await;
    let waiting = WaitingPayers::at(&fleet).await;
    let payers = waiting.numbers.len();
    fleet.restart_node(0).await;
    // From here on the service notifies the proxy itself.
    fleet.stack.without_faults().await;
    waiting.pay(&fleet).await;
    late.goes_on(&fleet, &new).await;

    let paid = |order: String| ("order.paid".to_owned(), order);
    let mut told: Vec<_> = (0..payers)
        .map(|payer| paid(format!("A-{payer}")))
        .collect();
    let all = [early, to_new, to_old, spread, late];
    for begun in &all {
        for ((shopper, number), (end, state)) in begun.payments.iter().zip(ENDS) {
            assert_eq!(fleet.stack.state_of(number).await, state);
            assert_eq!(shopper.payer.status(number).await.state(), state);
            let order = format!("{}-{end}", begun.name);
            if end == "refunded" {
                let resolved = ("refund.resolved".to_owned(), order.clone());
                told.extend([resolved.clone(), resolved]);
            }
            if end != "cancelled" {
                told.push(paid(order));
            }
        }
    }
    told.sort();
    until("each event", async || {
        receiver.deliveries().len() >= told.len()
    })
    .await;
    let mut heard: Vec<_> = receiver.deliveries().iter().map(Delivery::told).collect();
    heard.sort();
    assert_eq!(heard, told);
    // One payment of each node had to be authorized twice.
    let authorized = fleet.authorized().await.len();
    assert_eq!(authorized, payers + all.len() * (ENDS.len() + 1));
    let refunds = fleet.stack.seen_at("POST", "/refund").await;
    assert_eq!(refunds.len(), all.len() * 2);
    let doubts = "SELECT count(*) FROM operations WHERE phase <> 'known'";
    assert_eq!(values::<i64>(&fleet.stack, doubts).await, [0]);
    let exceptions = staff.get("/exceptions").await.json();
    assert_eq!(exceptions["exceptions"], json!([]));
    assert_eq!(fleet.complaints(), Vec::<String>::new());
}
