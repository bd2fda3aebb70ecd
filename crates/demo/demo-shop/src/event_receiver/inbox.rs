use serde_json::Value;
use std::collections::{HashSet, VecDeque};

/// Older events are removed.
const MAX_EVENTS: usize = 10_000;

/// The received events, without repeated deliveries.
#[derive(Default)]
pub(crate) struct Inbox {
    /// True while the receiver answers deliveries with 503.
    pub(crate) is_down: bool,
    events: VecDeque<(String, Value)>,
    ids: HashSet<String>,
}

impl Inbox {
    /// Adds an event; `false` if it was received before.
    pub(crate) fn add(&mut self, id: &str, event: Value) -> bool {
        if !self.ids.insert(id.to_owned()) {
            return false;
        }
        self.events.push_front((id.to_owned(), event));
        while self.events.len() > MAX_EVENTS {
            if let Some((id, _)) = self.events.pop_back() {
                self.ids.remove(&id);
            }
        }
        true
    }

    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Value> {
        self.events.iter().map(|(_, event)| event)
    }
}
