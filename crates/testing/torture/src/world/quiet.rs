//! What holds once the troubles are over and the server had time to learn what became of everything.

use super::acts::{ORDER, PRICE_CENTS, People};
use super::network::LATE;
use super::tab_oracles;
use super::truth::Sent;
use crate::request::Request;
use crate::service::{Operation, is_paid};
use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::sleep;

/// A payment that the service takes back by itself is noticed within an hour.
const LONGEST_QUIET: Duration = Duration::from_mins(80);
/// How often the people look whether everything is right.
const LOOK_PAUSE: Duration = Duration::from_secs(20);

/// How often a program asks for the events until it gets them.
const READS: u32 = 10;
/// The keys of a payer who tries to pay after all. The answer that a payment was given back is final for its key, and
/// another one pays.
const AFTER_ALL: [&str; 12] = ["l", "m", "n", "o", "q", "v", "w", "x", "y", "z", "aa", "bb"];

/// Waits until everything is right, and returns what is not right at the end.
pub(super) async fn broken(people: &People) -> Result<Vec<String>> {
    let world = &people.world;
    world.network().heal();
    let begun = world.passed();
    // What is late has to arrive before the end.
    sleep(LATE + LOOK_PAUSE).await;
    let mut wrong = wrong(people).await?;
    while !wrong.is_empty() && world.passed() - begun < LONGEST_QUIET {
        sleep(LOOK_PAUSE).await;
        wrong = self::wrong(people).await?;
    }
    if !people.was_restored() {
        wrong.extend(tab_oracles::at_the_end(world, &people.tabs).await?);
        let sent = world.truth().sent();
        wrong.extend(tab_oracles::at_any_moment(&people.tabs, &sent));
    }
    wrong.extend(of_money(people).await?);
    wrong.extend(of_telling(people).await?);
    wrong.extend(of_ways_on(people).await?);
    // A page that saw an operation which a restored backup lacks goes on asking for it until it is reloaded.
    if !people.was_restored() {
        wrong.extend(tab_oracles::of_ways_on(world, &people.tabs).await);
    }
    wrong.extend(world.truth().broken());
    Ok(wrong)
}

/// What the server may still put right by itself.
async fn wrong(people: &People) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let told = people.world.truth().told();
    let operations = people.world.operations().await?;
    let payable = operations
        .iter()
        .filter(|one| one.state == "PENDIENTE" && !is_lost(people, &one.number))
        .filter(|one| !people.world.truth().is_hidden(&one.number));
    if payable.count() > 1 {
        wrong.push("two operations of one order can be paid".to_owned());
    }
    for operation in &operations {
        let Operation { number, state, .. } = operation;
        let Some(details) = people.details(number).await else {
            // A backup lacks what began later. People find it in the service's statement.
            if is_lost(people, number) {
                continue;
            }
            wrong.push(format!("{number}, which the service has, is unknown here"));
            continue;
        };
        let is_looked_at = people.was_resolved(number) || people.world.truth().is_hidden(number);
        if is_looked_at || !list_of(&details, "exceptions").is_empty() {
            continue;
        }
        let own = details["row"]["state"].as_str().unwrap_or("no state");
        if own != state {
            wrong.push(format!(
                "{number} is {state} at the service and {own} here, and staff see no exception"
            ));
        }
        let mut about = told.iter().filter(|told| told.number == *number);
        let is_told = about
            .clone()
            .any(|told| told.kind.starts_with("order.paid"));
        if is_paid(state) && !is_told {
            wrong.push(format!("{number} is paid, and the shop got no event"));
        }
        let takes_back = about.any(|told| told.kind == "order.reversed");
        // A restored database lacks this payment, and people compare the service's reversals with the orders.
        let mut payments = told.iter().filter(|told| told.number == *number);
        let is_forgotten = payments.any(|told| people.world.has_forgotten(told.at));
        if operation.is_reversed() && is_told && !takes_back && !is_forgotten {
            wrong.push(format!(
                "{number} was given back, and the shop was not told"
            ));
        }
    }
    Ok(wrong)
}

fn list_of<'a>(details: &'a Value, name: &str) -> &'a [Value] {
    details[name].as_array().map_or(&[], Vec::as_slice)
}

/// No more money leaves than came, and none that no person wanted to leave.
async fn of_money(people: &People) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    let sent = people.world.truth().sent();
    let operations = people.world.operations().await?;
    let refunds = |number: Option<&str>| -> u64 {
        let accepted = sent
            .iter()
            .filter(|one| one.is_refund() && one.is_accepted());
        let of_number = accepted.filter(|one| number.is_none() || one.number.as_deref() == number);
        of_number.filter_map(|one| one.cents).sum()
    };
    let mut all_out = people.returned() + refunds(None);
    let mut all_in = 0;
    for operation in &operations {
        let amount = cents_of(&sent, &operation.number);
        // What the service takes back by itself is not the server's doing.
        let gave_back = sent
            .iter()
            .any(|one| one.gave_back && one.number.as_ref() == Some(&operation.number));
        let reversed = if gave_back { amount } else { 0 };
        let came = operation.payments * amount;
        all_out += reversed;
        all_in += came;
        let out = refunds(Some(&operation.number)) + reversed;
        if out > came {
            let number = &operation.number;
            broken.push(format!("{number}: {out} cents left, and {came} came"));
        }
        // The server also cancels what no payer ever saw, to settle a doubt, and staff do not see that.
        let was_cancelled = people.was_shown(&operation.number)
            && sent.iter().any(|one| {
                let is_own = one.number.as_ref() == Some(&operation.number);
                is_own && one.is_cancellation() && one.is_accepted()
            });
        if was_cancelled
            && let Some(details) = people.details(&operation.number).await
            && list_of(&details, "reversals").is_empty()
            && !people.was_restored()
        {
            let number = &operation.number;
            broken.push(format!("{number} was cancelled without a reservation"));
        }
        if operation.is_reversed() && reversals_are_denied(people, &operation.number).await {
            let number = &operation.number;
            broken.push(format!(
                "{number} was given back, and staff read that no reversal was carried out"
            ));
        }
    }
    if all_out > all_in {
        broken.push(format!("{all_out} cents left, and {all_in} came"));
    }
    if refunds(None) > people.refunds_wanted() {
        let (made, wanted) = (refunds(None), people.refunds_wanted());
        broken.push(format!(
            "{made} cents were refunded, and {wanted} were wanted"
        ));
    }
    Ok(broken)
}

/// True if staff read of every request to give the payment back that it was not carried out.
async fn reversals_are_denied(people: &People, number: &str) -> bool {
    let Some(details) = people
        .details(number)
        .await
        .filter(|_| !people.was_restored())
    else {
        return false;
    };
    let reversals = list_of(&details, "reversals");
    let sent = people.world.truth().sent();
    let gave_back = |one: &Sent| one.gave_back && one.number.as_deref() == Some(number);
    sent.iter().any(gave_back) && reversals.iter().all(|one| one["state"] == "not_done")
}

/// True if the operation began after the backup that took the place of the database.
fn is_lost(people: &People, number: &str) -> bool {
    let Some(restored_to) = people.world.restored_to() else {
        return false;
    };
    let sent = people.world.truth().sent();
    let mut charges = sent.iter().filter(|one| one.is_charge());
    charges.any(|one| one.number.as_deref() == Some(number) && one.left >= restored_to)
}

fn cents_of(sent: &[Sent], number: &str) -> u64 {
    let mut charges = sent.iter().filter(|one| one.is_charge());
    let charge = charges.find(|one| one.number.as_deref() == Some(number));
    charge.and_then(|one| one.cents).unwrap_or_default()
}

/// The shop is told once, and never of money that is on its way back.
async fn of_telling(people: &People) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    let truth = people.world.truth();
    let (sent, told) = (truth.sent(), truth.told());
    let operations = people.world.operations().await?;
    for operation in &operations {
        let number = &operation.number;
        let mut ids: BTreeSet<&str> = BTreeSet::new();
        let paid = told.iter().filter(|told| {
            told.number == *number && matches!(&*told.kind, "order.paid" | "order.paid_late")
        });
        for told in paid {
            ids.insert(&told.id);
            // A payer may pay a code again after its reversal. The shop gets an event of that second payment, too.
            let on_its_way = sent.iter().any(|one| {
                operation.payments < 2
                    && one.is_cancellation()
                    && one.number.as_ref() == Some(number)
                    && one.left < told.at
                    && one.gave_back
            });
            if on_its_way {
                broken.push(format!(
                    "the shop was told of {number}, whose money was on its way back"
                ));
            }
        }
        if ids.len() as u64 > operation.payments.max(1) && !people.was_restored() {
            broken.push(format!("{number}: {} events of one payment", ids.len()));
        }
    }
    if !people.was_restored() && !people.events_read().is_empty() {
        let mut reads = 0;
        while !people.reads_events().await && reads < READS {
            reads += 1;
            sleep(LOOK_PAUSE).await;
        }
        let read = people.events_read();
        for told in &told {
            if !read.contains(&told.id) {
                broken.push(format!(
                    "a program that reads all events misses {}",
                    told.kind
                ));
            }
        }
    }
    Ok(broken)
}

/// Staff who may only look see every exception, and a payer who may pay can.
async fn of_ways_on(people: &People) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    let listed = Request::new("GET", "/api/staff/exceptions");
    let listed = people.staff(2, listed).await;
    let listed = listed.map(|answer| answer.json()).unwrap_or_default();
    let counts = list_of(&listed, "counts").iter();
    let counted: u64 = counts.filter_map(|one| one["count"].as_u64()).sum();
    let found = list_of(&listed, "exceptions").len();
    if u64::try_from(found) != Ok(counted) {
        broken.push(format!(
            "staff find {found} exceptions in a list of {counted}"
        ));
    }
    let mut is_calm = true;
    let operations = people.world.operations().await?;
    for Operation { number, .. } in &operations {
        let Some(details) = people.details(number).await else {
            continue;
        };
        for exception in list_of(&details, "exceptions") {
            is_calm = false;
            let is_listed = list_of(&listed, "exceptions").iter().any(|one| {
                one["kind"] == exception["kind"]
                    && one["operation"]["merchant_operation_number"] == **number
            });
            // The list has what is older than a restore only until its state is known.
            if !is_listed && exception["kind"] != "restored" {
                let kind = &exception["kind"];
                broken.push(format!(
                    "{number}: staff do not find its exception {kind} in the list"
                ));
            }
        }
    }
    let live = |one: &Operation| one.state == "PENDIENTE" || one.is_paid();
    let may_pay = is_calm
        && !operations.iter().any(live)
        && !people.may_be_closed()
        && !people.was_restored();
    if may_pay && !operations.is_empty() {
        // The price of the first attempt stays.
        let sent = people.world.truth().sent();
        let first = sent.iter().find(|one| one.is_charge());
        let price = first.and_then(|first| first.cents);
        let shop = people.world.shop();
        shop.set_price(ORDER, price.unwrap_or(PRICE_CENTS));
        let mut begun = false;
        for key in AFTER_ALL {
            people.act(people.last_way_to_pay(key)).await;
            let now = people.world.operations().await?;
            begun = now.first().is_some_and(|one| one.state == "PENDIENTE");
            if begun {
                break;
            }
            // The server notices within an hour that the service took a payment back. The wait above leaves out
            // operations of which staff resolved an exception.
            let is_last_but_one = AFTER_ALL.get(AFTER_ALL.len() - 2) == Some(&key);
            sleep(if is_last_but_one {
                LONGEST_QUIET
            } else {
                LOOK_PAUSE
            })
            .await;
        }
        if !begun {
            let last = people.lines().pop().unwrap_or_default();
            broken.push(format!(
                "the payer cannot pay, and staff see no exception: {last}"
            ));
        }
    }
    Ok(broken)
}
