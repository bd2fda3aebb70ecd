use serde_json::Value;
use std::collections::{HashSet, VecDeque};

/// How many events the inbox keeps; it forgets older ones.
const MOST: usize = 10_000;

/// The events that arrived, each once.
#[derive(Default)]
pub(crate) struct Inbox {
    /// True when the receiver answers deliveries as a system that is down.
    pub(crate) is_down: bool,
    events: VecDeque<(String, Value)>,
    ids: HashSet<String>,
}

impl Inbox {
    /// Keeps an event; `false` when it has come before.
    pub(crate) fn add(&mut self, id: &str, event: Value) -> bool {
        if !self.ids.insert(id.to_owned()) {
            return false;
        }
        self.events.push_front((id.to_owned(), event));
        while self.events.len() > MOST {
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
