//! What people do in a story, act by act.

use super::people::{self, Keys};
use super::press::Press;
use super::stage::{MERCHANT, World};
use super::tabs::Tabs;
use super::truth::Look;
use crate::answer::Answer;
use anyhow::Result;
use axum::body::Bytes;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
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

/// One act of a person or of the payment service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Act {
    /// The payer asks for a payment by a method, under this key.
    Begins(&'static str, &'static str),
    /// The same, and the payer agrees to the end of the newest operation.
    BeginsInstead(&'static str, &'static str),
    /// The payer's page asks for the state of the newest operation.
    Looks,
    /// The payer cancels the newest operation.
    Cancels,
    /// The page of the server is opened.
    PageIsOpened,
    /// The form of that page is sent so often, with this key.
    PageBegins(&'static str, u32),
    /// The newest operation moves at the service: pay, decline, expire, settle, reverse.
    Service(&'static str),
    /// The newest operation is paid after it has ended.
    PaidLate,
    /// A member of staff cancels the newest operation while it waits.
    StaffCancels(usize),
    /// A member of staff gives the newest payment back.
    StaffReverses(usize),
    /// A member of staff refunds so many cents, under this key.
    StaffRefunds(usize, u64, &'static str),
    /// A member of staff records that so many cents were given back by hand, under this key.
    StaffReturns(usize, u64, &'static str),
    /// A member of staff releases what is in doubt.
    StaffReleases(usize),
    /// A member of staff resolves the exceptions that can be resolved.
    StaffResolves(usize),
    /// A member of staff who may only look tries to give the newest payment back.
    ViewerTries,
    /// A program of the shop reads the order and the events.
    ShopReads,
    /// A program of the shop closes the order.
    ShopCloses,
    /// A program of the shop, with the first or the second API key, refunds some cents or everything, under this key.
    ShopRefunds(usize, Option<u64>, &'static str),
    /// The shop changes the price.
    ShopPrices(u64),
    /// The operator stops the server and starts it again.
    Restarts,
    /// The server is killed, and starts again.
    IsKilled,
    /// The operator makes a backup.
    BacksUp,
    /// The server is killed, and the operator restores the backup.
    IsRestored,
    /// The operator has compared everything after a restore.
    Compares,
    /// The wall clock of the server jumps by so many seconds.
    ClockJumps(i64),
    /// Nothing happens for so many seconds.
    Waits(u64),
    /// A payer opens the page with the order in this tab, where it may have been open before. The tabs 0 and 1 are of one
    /// browser, and 2 is of another one.
    TabOpens(usize),
    /// The payer presses this in the tab as soon as it is offered.
    TabPresses(usize, Press),
    /// The tab is lost.
    TabCloses(usize),
    /// The payer reloads the page in the tab.
    TabReloads(usize),
    /// The payer turns away from the tab.
    TabIsHidden(usize),
    /// The payer looks at the tab again.
    TabIsShown(usize),
}

/// What the people of a story remember.
#[derive(Clone)]
pub(super) struct People {
    pub(super) world: World,
    pub(super) keys: Rc<RefCell<Keys>>,
    pub(super) tabs: Tabs,
    memory: Rc<RefCell<Memory>>,
}

#[derive(Default)]
struct Memory {
    cookie: String,
    lines: Vec<String>,
    /// The operation that an idempotency key of the payer got.
    of_key: BTreeMap<String, String>,
    /// The cents that were wanted back by refunds, of each key.
    refunds: BTreeMap<String, u64>,
    /// The cents that people gave back by hand, of each key.
    returned: BTreeMap<String, u64>,
    /// The address of the server's own page.
    page: Option<String>,
    /// Where the program of the shop reads the events on.
    cursor: Option<String>,
    /// The ids of the events that it read.
    read: Vec<String>,
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

    pub(super) fn is_closed(&self) -> bool {
        self.world.truth().is_closed(ORDER)
    }

    /// True if a backup took the place of the database.
    pub(super) fn was_restored(&self) -> bool {
        self.world.restored_to().is_some()
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
            Act::Begins(method, key) => self.begin(method, key, None).await,
            Act::BeginsInstead(method, key) => {
                let newest = self.newest().await?;
                self.begin(method, key, newest.as_deref()).await
            }
            Act::PageIsOpened => self.open_page().await,
            Act::PageBegins(key, times) => self.page_begins(key, times).await,
            Act::ShopReads => self.shop_reads().await,
            Act::ShopCloses => {
                let path = format!("/orders/{ORDER}/cancel");
                let answer = self.program(0, Method::POST, &path, None, None).await;
                if answer.as_ref().is_some_and(|answer| answer.is_success()) {
                    world.truth().closes(ORDER);
                }
                Ok(said(answer.as_ref()))
            }
            Act::ShopRefunds(program, cents, key) => self.shop_refunds(program, cents, key).await,
            Act::ShopPrices(cents) => {
                world.shop().set_price(ORDER, Some(cents));
                Ok(String::new())
            }
            Act::Restarts => world.stop_for(&[]).await.map(|()| String::new()),
            Act::IsKilled => {
                world.network().kill();
                Ok(String::new())
            }
            Act::BacksUp => world.back_up().map(|()| String::new()),
            Act::IsRestored => {
                world.network().kill_and_restore();
                Ok(String::new())
            }
            Act::Compares => {
                world.stop_for(&["restored", "--compared"]).await?;
                Ok(String::new())
            }
            Act::ClockJumps(seconds) => {
                world.network().ahead().jump(seconds * 1_000);
                Ok(String::new())
            }
            Act::Waits(_) => Ok(String::new()),
            Act::TabOpens(place) | Act::TabReloads(place) => {
                self.tabs.open(place);
                Ok(String::new())
            }
            Act::TabPresses(place, press) => Ok(self.tabs.press(place, press).await),
            Act::TabCloses(place) => {
                self.tabs.close(place);
                Ok(String::new())
            }
            Act::TabIsHidden(place) => {
                self.tabs.turns(place, false);
                Ok(String::new())
            }
            Act::TabIsShown(place) => {
                self.tabs.turns(place, true);
                Ok(String::new())
            }
            about => match self.newest().await? {
                Some(number) => self.about_newest(about, &number).await,
                None => Ok("there is no operation".to_owned()),
            },
        }
    }

    async fn about_newest(&self, act: Act, number: &str) -> Result<String> {
        let world = &self.world;
        let cookie = self.memory.borrow().cookie.clone();
        let path = format!("/charges/{MERCHANT}/{number}");
        let answer = match act {
            Act::Looks => {
                let from = world.passed();
                let answer = world
                    .asked(people::about(Method::GET, number, &cookie))
                    .await;
                self.saw(from, answer.as_ref());
                answer
            }
            Act::Cancels => {
                world
                    .asked(people::about(Method::DELETE, number, &cookie))
                    .await
            }
            Act::Service(step) => {
                let path = format!("/sandbox/operations/{number}/{step}");
                let moved = world.control("POST", &path, None).await;
                return Ok(moved.map_or("the service refuses", |_| "done").to_owned());
            }
            Act::PaidLate => {
                let path = format!("/sandbox/operations/{number}/pay");
                let late = json!({"late": true});
                let moved = world.control("POST", &path, Some(&late)).await;
                return Ok(moved.map_or("the service refuses", |_| "done").to_owned());
            }
            Act::StaffCancels(person) => {
                self.staff(
                    person,
                    Method::DELETE,
                    &format!("{path}?intent=cancel"),
                    None,
                    None,
                )
                .await
            }
            Act::StaffReverses(person) => {
                self.staff(
                    person,
                    Method::DELETE,
                    &format!("{path}?intent=reverse"),
                    None,
                    None,
                )
                .await
            }
            Act::StaffRefunds(person, cents, key) => {
                self.memory
                    .borrow_mut()
                    .refunds
                    .insert(key.to_owned(), cents);
                let item = json!({"type": "PARTIAL", "merchant_operation_number": number,
                    "refund_amount": cents.to_string()});
                let body = json!({"merchant_code": MERCHANT, "operations": [item]});
                self.staff(person, Method::POST, "/refund", Some(key), Some(&body))
                    .await
            }
            Act::StaffReturns(person, cents, key) => self.by_hand(person, cents, key, number).await,
            Act::StaffReleases(person) => return self.release(person, number).await,
            Act::StaffResolves(person) => return self.resolve(person, number).await,
            Act::ViewerTries => {
                let answer = self
                    .staff(
                        2,
                        Method::DELETE,
                        &format!("{path}?intent=reverse"),
                        None,
                        None,
                    )
                    .await;
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

    async fn begin(&self, method: &str, key: &str, replaces: Option<&str>) -> Result<String> {
        let cookie = self.memory.borrow().cookie.clone();
        let from = self.world.passed();
        let request = people::begin(ORDER, &cookie, method, &long(key), replaces);
        let answer = self.world.asked(request).await;
        let Some(answer) = answer else {
            return Ok(said(None));
        };
        if !answer.cookie().is_empty() {
            answer
                .cookie()
                .clone_into(&mut self.memory.borrow_mut().cookie);
        }
        self.saw(from, Some(&answer));
        let number = answer.json()["merchant_operation_number"]
            .as_str()
            .map(str::to_owned);
        if let Some(number) = number.filter(|_| answer.is_success()) {
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
        let operation = if body["operation"].is_null() {
            &body
        } else {
            &body["operation"]
        };
        let number = operation["merchant_operation_number"].as_str();
        let transaction = match operation["transactions"][0].is_null() {
            true => &operation["transaction"],
            false => &operation["transactions"][0],
        };
        if let (Some(number), Some(state)) = (number, transaction["state"].as_str()) {
            self.world.truth().looks(Look {
                from,
                until: self.world.passed(),
                number: number.to_owned(),
                state: state.to_owned(),
            });
        }
    }

    async fn open_page(&self) -> Result<String> {
        let path = self.page().await?;
        let world = &self.world;
        world.truth().reads(true);
        let answer = world
            .asked(people::request(Method::GET, &format!("/pay{path}"), None))
            .await;
        world.truth().reads(false);
        Ok(answer.map_or("no answer".to_owned(), |answer| answer.status.to_string()))
    }

    async fn page_begins(&self, key: &str, times: u32) -> Result<String> {
        let path = self.page().await?;
        let key = long(key);
        let mut sent = Vec::new();
        for _ in 0..times {
            let world = self.world.clone();
            let form = people::form(&path, &[("key", &key), ("method", "QR")]);
            sent.push(spawn_local(async move { world.asked(form).await }));
        }
        let mut statuses = String::new();
        for answer in sent {
            let answer = answer.await.ok().flatten();
            let status = answer.map_or("no answer".to_owned(), |answer| answer.status.to_string());
            statuses = format!("{statuses} {status}");
        }
        Ok(statuses)
    }

    /// The address of the page under `/pay`, which a program of the shop asks for.
    async fn page(&self) -> Result<String> {
        if let Some(page) = self.memory.borrow().page.clone() {
            return Ok(page);
        }
        let world = &self.world;
        world.truth().says(ORDER, PRICE_CENTS);
        let facts = json!({"order_id": ORDER, "amount": PRICE_CENTS, "currency": "PEN",
            "products": [{"sku": ORDER, "name": "Mochila", "quantity": 1, "unit_price": PRICE_CENTS}]});
        let answer = self
            .program(0, Method::POST, "/orders", None, Some(&facts))
            .await;
        let said = said(answer.as_ref());
        let url = answer.map(|answer| answer.json()["pay_url"].as_str().map(str::to_owned));
        let url = url
            .flatten()
            .ok_or_else(|| anyhow::anyhow!("no page: {said}"))?;
        let path = url.rsplit('/').next().map(|handle| format!("/{handle}"));
        self.memory.borrow_mut().page.clone_from(&path);
        Ok(path.unwrap_or_default())
    }

    async fn shop_reads(&self) -> Result<String> {
        let path = format!("/orders/{ORDER}");
        let order = self.program(0, Method::GET, &path, None, None).await;
        let mut lines = said(order.as_ref());
        if let Some(order) = order {
            lines = format!("{lines} {}", order.json()["outcome"]);
        }
        let after = self.memory.borrow().cursor.clone();
        let path = after.map_or("/events".to_owned(), |after| {
            format!("/events?after={after}")
        });
        let events = self.program(1, Method::GET, &path, None, None).await;
        if let Some(events) = events.filter(|events| events.is_success()) {
            let body = events.json();
            let mut memory = self.memory.borrow_mut();
            memory.cursor = body["next"].as_str().map(str::to_owned);
            for event in body["events"].as_array().into_iter().flatten() {
                let id = event["event"]["data"]["id"].as_str().unwrap_or_default();
                memory.read.push(id.to_owned());
            }
        }
        Ok(lines)
    }

    async fn shop_refunds(&self, program: usize, cents: Option<u64>, key: &str) -> Result<String> {
        let wanted = cents.unwrap_or(PRICE_CENTS);
        self.memory
            .borrow_mut()
            .refunds
            .insert(key.to_owned(), wanted);
        let mut body = json!({"order_id": ORDER});
        if let Some(cents) = cents {
            body["amount"] = json!(cents.to_string());
        }
        let answer = self
            .program(
                program,
                Method::POST,
                "/refunds",
                Some(&long(key)),
                Some(&body),
            )
            .await;
        Ok(said(answer.as_ref()))
    }

    async fn by_hand(&self, person: usize, cents: u64, key: &str, number: &str) -> Option<Answer> {
        let body = json!({"merchant_code": MERCHANT, "merchant_operation_number": number,
            "amount": cents, "reason": "in cash"});
        let reserved = self
            .staff(person, Method::POST, "/returns", Some(key), Some(&body))
            .await?;
        if !reserved.is_success() {
            return Some(reserved);
        }
        let body = reserved.json();
        let id = body["return_id"].as_str().unwrap_or_default();
        // The person gives the money only after the server reserved it.
        self.memory
            .borrow_mut()
            .returned
            .insert(key.to_owned(), cents);
        let path = format!("/returns/{id}/done");
        let reason = json!({"reason": "given in cash"});
        self.staff(person, Method::POST, &path, None, Some(&reason))
            .await
    }

    async fn release(&self, person: usize, number: &str) -> Result<String> {
        let Some(details) = self.details(number).await else {
            return Ok("no details".to_owned());
        };
        let reason = json!({"reason": "the service has no trace"});
        let mut lines = String::new();
        let of = |list: &Value, id: &str| -> Vec<String> {
            let list = list.as_array().into_iter().flatten();
            let in_doubt = list.filter(|one| one["state"] == "in_doubt");
            in_doubt
                .filter_map(|one| one[id].as_str().map(str::to_owned))
                .collect()
        };
        let mut paths = Vec::new();
        for id in of(&details["attempts"], "attempt_id") {
            paths.push(format!("/refund-attempts/{id}/release"));
        }
        for id in of(&details["reversals"], "reversal_id") {
            paths.push(format!("/reversals/{id}/release"));
        }
        paths.push(format!("/operations/{MERCHANT}/{number}/release"));
        for path in paths {
            let answer = self
                .staff(person, Method::POST, &path, None, Some(&reason))
                .await;
            lines = format!("{lines} {}", said(answer.as_ref()));
        }
        Ok(lines)
    }

    async fn resolve(&self, person: usize, number: &str) -> Result<String> {
        let Some(details) = self.details(number).await else {
            return Ok("no details".to_owned());
        };
        let mut lines = String::new();
        for exception in details["exceptions"].as_array().into_iter().flatten() {
            let body = json!({"merchant_code": MERCHANT, "merchant_operation_number": number,
                "kind": exception["kind"], "reason": "looked at"});
            let path = "/exceptions/resolve";
            let answer = self
                .staff(person, Method::POST, path, None, Some(&body))
                .await;
            lines = format!("{lines} {} {}", exception["kind"], said(answer.as_ref()));
        }
        Ok(lines)
    }

    /// What staff see of an operation; `None` if the server has no such operation or is away.
    pub(super) async fn details(&self, number: &str) -> Option<Value> {
        let path = format!("/operations/{MERCHANT}/{number}");
        let answer = self.staff(0, Method::GET, &path, None, None).await?;
        answer.is_success().then(|| answer.json())
    }

    /// Sends a request of a member of staff, who signs in again when the session has ended.
    pub(super) async fn staff(
        &self,
        person: usize,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let key = key.map(long);
        let request =
            |cookie: &str| people::staff(cookie, method.clone(), path, key.as_deref(), body);
        let cookie = self.keys.borrow().staff.get(person).cloned()?;
        let answer = self.world.asked(request(&cookie)).await?;
        if answer.status != 401 {
            return Some(answer);
        }
        let (name, _) = super::stage::STAFF.get(person)?;
        let cookie = people::sign_in(&self.world, name).await.ok()?;
        if let Some(own) = self.keys.borrow_mut().staff.get_mut(person) {
            own.clone_from(&cookie);
        }
        self.world.asked(request(&cookie)).await
    }

    async fn program(
        &self,
        program: usize,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let secret = self.keys.borrow().programs.get(program).cloned()?;
        let request: Request<Bytes> = people::program(&secret, method, path, key, body);
        self.world.asked(request).await
    }
}

/// A key that is as long as the server wants it.
fn long(key: &str) -> String {
    format!("idempotency-key-{key}")
}

fn said(answer: Option<&Answer>) -> String {
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
