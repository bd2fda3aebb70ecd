use super::operation_page::Due;
use super::{Effect, Page, Purpose, Request, StaffState};
use payment_model::Timestamp;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
/// The element does not wake more often than this.
const SHORTEST: Duration = Duration::from_millis(50);

impl StaffState {
    /// Asks about what can change by itself, when that is due.
    pub(super) fn poll(&mut self, at: Timestamp) {
        if !self.is_looked_at() {
            return;
        }
        let Some(page) = &mut self.operation else {
            return;
        };
        let reference = page.reference.clone();
        match page.poll(at) {
            Some(Due::Refunds) => self.send(Purpose::Poll, Request::Refunds(reference)),
            Some(Due::State) => self.load_details(),
            None => {}
        }
    }

    /// Has itself woken when there is something to do.
    pub(super) fn plan_waking(&mut self, at: Timestamp) {
        let page = self.operation.as_ref().filter(|_| self.is_looked_at());
        let due = page.and_then(|page| page.due);
        // The button for a fresh query comes back by itself.
        let free = page.and_then(|page| page.query_free_at(at));
        // The wait that is on the screen goes down, and is over once.
        let blocked = self.sign_in.blocked_for(at);
        let second = blocked.map(|_| at.saturating_add(SECOND));
        let next = [due, free, second].into_iter().flatten().min();
        let wake = next.map(|due| due.duration_since(at).max(SHORTEST));
        self.effects.push(Effect::Wake(wake));
    }

    /// True when a signed-in person looks at an operation.
    fn is_looked_at(&self) -> bool {
        !self.hidden && matches!(self.page, Page::Operation(_)) && !self.sign_in.asks()
    }
}
