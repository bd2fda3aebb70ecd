//! A payer's browser: what the pages in its tabs share, and what outlives them.

use checkout_flow::Snapshot;
use payment_model::Timestamp;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A payer's browser. Clones share it.
#[derive(Clone)]
pub(super) struct Browser(Rc<RefCell<Kept>>);

/// What outlives a page.
struct Kept {
    cookie: String,
    /// What each tab keeps of each order, as JSON. Tabs do not see what another one keeps.
    storage: BTreeMap<(usize, String), String>,
    /// By how much the wall clock is ahead of the time of the world.
    ahead: Duration,
    random: fastrand::Rng,
}

impl Browser {
    pub(super) fn new(seed: u64, ahead: Duration) -> Self {
        Self(Rc::new(RefCell::new(Kept {
            cookie: String::new(),
            storage: BTreeMap::new(),
            ahead,
            random: fastrand::Rng::with_seed(seed),
        })))
    }

    pub(super) fn cookie(&self) -> String {
        self.0.borrow().cookie.clone()
    }

    pub(super) fn set_cookie(&self, cookie: &str) {
        cookie.clone_into(&mut self.0.borrow_mut().cookie);
    }

    /// What the flow of the tab at this place keeps of an order. Data in another form counts as nothing.
    pub(super) fn load(&self, place: usize, order: &str) -> Option<Snapshot> {
        let kept = self.0.borrow();
        let text = kept.storage.get(&(place, order.to_owned()))?;
        serde_json::from_str(text).ok()
    }

    pub(super) fn save(&self, place: usize, order: &str, snapshot: &Snapshot) {
        if let Ok(text) = serde_json::to_string(snapshot) {
            let mut kept = self.0.borrow_mut();
            kept.storage.insert((place, order.to_owned()), text);
        }
    }

    pub(super) fn forget(&self, place: usize, order: &str) {
        let mut kept = self.0.borrow_mut();
        kept.storage.remove(&(place, order.to_owned()));
    }

    /// The wall clock, which may be wrong, at this time of the world.
    pub(super) fn wall(&self, wall: SystemTime) -> Timestamp {
        let wall = wall + self.0.borrow().ahead;
        let since = wall.duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::default().saturating_add(since)
    }

    /// Random bits, which follow from the seed.
    pub(super) fn entropy(&self) -> u128 {
        self.0.borrow_mut().random.u128(..)
    }
}
