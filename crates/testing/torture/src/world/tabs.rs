//! The tabs of the payers of a story: two of one browser, and one of another.

use super::browser::Browser;
use super::press::Press;
use super::shown::Shown;
use super::stage::World;
use super::tab::Tab;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use tokio::time::sleep;

/// The first tab of the second browser.
const OF_SECOND_BROWSER: usize = 2;
/// How far the clock of the second browser is ahead.
const SECOND_CLOCK_AHEAD: Duration = Duration::from_mins(7);
/// How long a payer waits for a button that the screen does not show yet.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the payer looks for it.
const LOOK_PAUSE: Duration = Duration::from_millis(100);

/// The tabs of a story. Clones share them.
#[derive(Clone)]
pub(super) struct Tabs {
    world: World,
    order: String,
    browsers: [Browser; 2],
    /// All pages of each tab, the newest last.
    pages: Rc<RefCell<BTreeMap<usize, Vec<Tab>>>>,
}

impl Tabs {
    pub(super) fn new(world: &World, order: &str) -> Self {
        Self {
            world: world.clone(),
            order: order.to_owned(),
            browsers: [
                Browser::new(1, Duration::ZERO),
                Browser::new(2, SECOND_CLOCK_AHEAD),
            ],
            pages: Rc::default(),
        }
    }

    /// Opens the page with the order in this tab. A page that is open there is lost.
    pub(super) fn open(&self, place: usize) {
        self.close(place);
        let [first, second] = &self.browsers;
        let browser = if place < OF_SECOND_BROWSER {
            first
        } else {
            second
        };
        let tab = Tab::open(&self.world, browser, &self.order, place);
        self.pages.borrow_mut().entry(place).or_default().push(tab);
    }

    pub(super) fn close(&self, place: usize) {
        if let Some(tab) = self.newest(place) {
            tab.close();
        }
    }

    /// Hides the page in this tab, or shows it again.
    pub(super) fn turns(&self, place: usize, looks: bool) {
        if let Some(tab) = self.newest(place) {
            tab.turn(looks);
        }
    }

    /// Presses something in this tab, as soon as the screen offers it. Returns what happened.
    pub(super) async fn press(&self, place: usize, press: Press) -> String {
        let Some(tab) = self.newest(place) else {
            return "there is no tab".to_owned();
        };
        let begun = self.world.passed();
        while !tab.presses().contains(&press) {
            if !tab.is_open() || self.world.passed() - begun > PATIENCE {
                let seen = tab.view().map_or(String::new(), |shown| shown.kind);
                return format!("not offered by {seen}");
            }
            sleep(LOOK_PAUSE).await;
        }
        tab.press(press);
        if let Some(url) = tab.left() {
            return format!("left for {url}");
        }
        tab.view().map_or(String::new(), |shown| shown.kind)
    }

    fn newest(&self, place: usize) -> Option<Tab> {
        self.pages.borrow().get(&place)?.last().cloned()
    }

    /// All screens of all pages of each tab.
    pub(super) fn shown(&self) -> Vec<(usize, Vec<Shown>)> {
        let pages = self.pages.borrow();
        let all = pages.iter().map(|(place, pages)| {
            let shown = pages.iter().flat_map(Tab::shown);
            (*place, shown.collect())
        });
        all.collect()
    }

    /// The pages that are open.
    pub(super) fn open_pages(&self) -> Vec<(usize, Tab)> {
        let pages = self.pages.borrow();
        let open = pages.iter().filter_map(|(place, pages)| {
            let newest = pages.last().filter(|newest| newest.is_open());
            newest.map(|tab| (*place, tab.clone()))
        });
        open.collect()
    }

    /// What the payers saw, for the report of a story.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (place, shown) in self.shown() {
            for one in shown {
                let at = one.at.as_secs_f32();
                let number = one.number.as_deref().unwrap_or("-");
                lines.push(format!(
                    "{at:.1} s: tab {place} shows {} of {number}",
                    one.kind
                ));
            }
        }
        lines
    }
}
