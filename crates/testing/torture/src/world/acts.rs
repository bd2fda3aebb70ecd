//! What people do in a story, act by act.

use super::act::Act;
use super::people::Keys;
use super::shop::order_fields;
use super::stage::World;
use super::tabs::Tabs;
use super::truth::Look;
use crate::answer::Answer;
use crate::calls;
use crate::request::Request;
use anyhow::Result;
use serde_json::json;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;
use tokio::task::spawn_local;
use tokio::time::{sleep, timeout};

/// The order of every story.
pub(super) const ORDER: &str = "order-1";
/// What it costs at first.
pub(super) const PRICE_CENTS: u64 = 12_990;
/// A person who gets no answer for so long does the next thing. The request is still on its way.
const PATIENCE: Duration = Duration::from_secs(3);
/// For how long troubles happen while everybody waits.
const WATCHED_WAIT: Duration = Duration::from_secs(5);
/// The time between two acts.
const BETWEEN_ACTS: Duration = Duration::from_millis(700);

/// What the people of a story remember.
#[derive(Clone)]
pub(super) struct People {
    pub(super) world: World,
    pub(super) keys: Rc<RefCell<Keys>>,
    pub(super) tabs: Tabs,
    pub(super) memory: Rc<RefCell<Memory>>,
}

#[derive(Default)]
pub(super) struct Memory {
    pub(super) cookie: String,
    pub(super) lines: Vec<String>,
    /// The operation that an idempotency key of the payer got.
    pub(super) of_key: BTreeMap<String, String>,
    /// The shop asked to close the order.
    pub(super) closes: bool,
    /// The operations of which a person resolved an exception.
    pub(super) resolved: BTreeSet<String>,
    /// The cents that were wanted back by refunds, of each key.
    pub(super) refunds: BTreeMap<String, u64>,
    /// The cents that people gave back by hand, of each key.
    pub(super) returned: BTreeMap<String, u64>,
    /// The address of the server's own page.
    pub(super) page: Option<String>,
    /// Where the program of the shop reads the events on.
    pub(super) cursor: Option<String>,
    /// The ids of the events that it read.
    pub(super) read: Vec<String>,
}

impl People {
    pub(super) fn new(world: World, keys: Keys) -> Self {
        Self {
            tabs: Tabs::new(&world, ORDER),
            world,
            keys: Rc::new(RefCell::new(keys)),
            memory: Rc::default(),
        }
    }

    /// What happened, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = self.memory.borrow().lines.clone();
        lines.extend(self.tabs.lines());
        lines
    }

    /// The cents that people wanted back by refunds.
    pub(super) fn refunds_wanted(&self) -> u64 {
        self.memory.borrow().refunds.values().sum()
    }

    /// The cents that people gave back by hand.
    pub(super) fn returned(&self) -> u64 {
        self.memory.borrow().returned.values().sum()
    }

    /// True if the shop asked to close the order, also if it got no answer.
    pub(super) fn may_be_closed(&self) -> bool {
        self.memory.borrow().closes
    }

    /// True if a backup took the place of the database.
    pub(super) fn was_restored(&self) -> bool {
        self.world.restored_to().is_some()
    }

    /// True if a person has looked at an exception of this operation, and resolved it.
    pub(super) fn was_resolved(&self, number: &str) -> bool {
        self.memory.borrow().resolved.contains(number)
    }

    /// True if the payer's page got this operation.
    pub(super) fn was_shown(&self, number: &str) -> bool {
        let memory = self.memory.borrow();
        memory.of_key.values().any(|shown| shown == number)
    }

    /// How the payer begins to pay: on the page of the server, if the order was made for it.
    pub(super) fn last_way_to_pay(&self, key: &'static str) -> Act {
        match self.memory.borrow().page {
            Some(_) => Act::PageBegins(key, 1),
            None => Act::Begins("QR", key),
        }
    }

    pub(super) fn events_read(&self) -> Vec<String> {
        self.memory.borrow().read.clone()
    }

    fn say(&self, line: &str) {
        let at = self.world.passed().as_secs_f32();
        self.memory
            .borrow_mut()
            .lines
            .push(format!("{at:.1} s: {line}"));
    }

    /// Lets an act begin, and waits for its end as long as a person does.
    pub(super) async fn act(&self, act: Act) {
        let people = self.clone();
        let acting = spawn_local(async move {
            let seen = match people.perform(act).await {
                Ok(seen) => seen,
                Err(error) => format!("{error:#}"),
            };
            people.say(&format!("{act:?}: {seen}"));
        });
        if let Act::Waits(seconds) = act {
            let seconds = Duration::from_secs(seconds);
            let watched = seconds.min(WATCHED_WAIT);
            sleep(watched).await;
            // Nothing but polls happens in a long wait. Troubles at each of them would be thousands.
            self.world.network().rest(true);
            sleep(seconds.saturating_sub(watched)).await;
            self.world.network().rest(false);
        }
        // Whoever has no patience leaves the request on its way.
        let _ = timeout(PATIENCE, acting).await;
        sleep(BETWEEN_ACTS).await;
    }

    async fn perform(&self, act: Act) -> Result<String> {
        let world = &self.world;
        match act {
            Act::Begins(method, key) => return self.begin(method, key, None).await,
            Act::BeginsInstead(method, key) => {
                let newest = self.newest().await?;
                return self.begin(method, key, newest.as_deref()).await;
            }
            Act::PageIsOpened => return self.open_page().await,
            Act::PageBegins(key, times) => return self.page_begins(key, times).await,
            Act::ShopReads => return self.shop_reads().await,
            Act::ShopCloses => return Ok(self.shop_closes().await),
            Act::ShopRefunds(program, cents, key) => {
                return Ok(self.shop_refunds(program, cents, key).await);
            }
            Act::ShopPrices(cents) => world.shop().set_price(ORDER, cents),
            Act::Restarts => world.stop_for(&[]).await?,
            Act::IsKilled => world.network().kill(),
            Act::BacksUp => world.back_up()?,
            Act::IsRestored => world.network().kill_and_restore(),
            Act::Compares => world.stop_for(&["restored", "--compared"]).await?,
            Act::ClockJumps(seconds) => world.network().ahead().jump(seconds * 1_000),
            Act::Waits(_) => {}
            Act::TabOpens(place) | Act::TabReloads(place) => self.tabs.open(place),
            Act::TabPresses(place, press) => return Ok(self.tabs.press(place, press).await),
            Act::TabCloses(place) => self.tabs.close(place),
            Act::TabIsHidden(place) => self.tabs.turns(place, false),
            Act::TabIsShown(place) => self.tabs.turns(place, true),
            about => match self.newest().await? {
                Some(number) => return self.about_newest(about, &number).await,
                None => return Ok("there is no operation".to_owned()),
            },
        }
        Ok(String::new())
    }

    async fn about_newest(&self, act: Act, number: &str) -> Result<String> {
        let world = &self.world;
        let answer = match act {
            Act::Looks => {
                let from = world.passed();
                let answer = self.payer(calls::status(number)).await;
                self.saw(from, answer.as_ref());
                answer
            }
            Act::Cancels => self.payer(calls::cancel(number)).await,
            Act::Service(_) | Act::PaidLate => {
                let (step, body) = match act {
                    Act::Service(step) => (step, None),
                    _ => ("pay", Some(json!({"late": true}))),
                };
                let path = format!("/sandbox/operations/{number}/{step}");
                let moved = world.control("POST", &path, body.as_ref()).await;
                return Ok(moved.map_or("the service refuses", |_| "done").to_owned());
            }
            Act::StaffCancels(person) => {
                self.staff(person, calls::staff_ends(number, "cancel"))
                    .await
            }
            Act::StaffReverses(person) => {
                self.staff(person, calls::staff_ends(number, "reverse"))
                    .await
            }
            Act::StaffRefunds(person, cents, key) => {
                let wanted = (key.to_owned(), cents);
                self.memory.borrow_mut().refunds.extend([wanted]);
                let refund = calls::refund(number, cents, &long(key));
                self.staff(person, refund).await
            }
            Act::StaffReturns(person, cents, key) => self.by_hand(person, cents, key, number).await,
            Act::StaffReleases(person) => return self.release(person, number).await,
            Act::StaffResolves(person) => return self.resolve(person, number).await,
            Act::ViewerTries => {
                let answer = self.staff(2, calls::staff_ends(number, "reverse")).await;
                if answer.as_ref().is_some_and(|answer| answer.is_success()) {
                    let what = "somebody who may only look gave a payment back";
                    world.truth().breaks(what.to_owned());
                }
                answer
            }
            _ => None,
        };
        Ok(said(answer.as_ref()))
    }

    /// The number of the newest operation at the service.
    pub(super) async fn newest(&self) -> Result<Option<String>> {
        let operations = self.world.operations().await?;
        Ok(operations.first().map(|one| one.number.clone()))
    }

    /// Sends a request of the payer's browser.
    async fn payer(&self, request: Request) -> Option<Answer> {
        let cookie = self.memory.borrow().cookie.clone();
        self.world.asked(request.with_cookie(&cookie)).await
    }

    async fn begin(&self, method: &str, key: &str, replaces: Option<&str>) -> Result<String> {
        let request = calls::charge(&order_fields(ORDER), method, &long(key), replaces);
        let answer = self.payer(request).await;
        let Some(answer) = answer else {
            return Ok(said(None));
        };
        if !answer.cookie().is_empty() {
            answer
                .cookie()
                .clone_into(&mut self.memory.borrow_mut().cookie);
        }
        let number = answer.field("/merchant_operation_number");
        if answer.is_success() && !number.is_empty() {
            let earlier = self
                .memory
                .borrow_mut()
                .of_key
                .insert(key.to_owned(), number.clone());
            let changed = earlier.is_some_and(|earlier| earlier != number);
            if changed && !self.was_restored() {
                let what = format!("the key {key} got two operations");
                self.world.truth().breaks(what);
            }
        }
        Ok(said(Some(&answer)))
    }

    /// Notes what a payer reads of an operation.
    fn saw(&self, from: Duration, answer: Option<&Answer>) {
        let Some(answer) = answer.filter(|answer| answer.is_success()) else {
            return;
        };
        let body = answer.json();
        let operation = &body["operation"];
        let number = operation["merchant_operation_number"].as_str();
        let transaction = &operation["transactions"][0];
        if let (Some(number), Some(state)) = (number, transaction["state"].as_str()) {
            self.world.truth().looks(Look {
                from,
                until: self.world.passed(),
                number: number.to_owned(),
                state: state.to_owned(),
            });
        }
    }
}

/// A key that is as long as the server wants it.
pub(super) fn long(key: &str) -> String {
    format!("idempotency-key-{key}")
}

pub(super) fn said(answer: Option<&Answer>) -> String {
    let Some(answer) = answer else {
        return "no answer".to_owned();
    };
    let body = answer.json();
    let kind = body["type"]
        .as_str()
        .and_then(|kind| kind.rsplit('/').next());
    let state = [&body["state"], &body["result"], &body["outcome"]];
    let state = state.into_iter().find_map(|state| state.as_str());
    format!("{} {}", answer.status, kind.or(state).unwrap_or_default())
}
