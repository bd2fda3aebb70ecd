//! Short stories of payers at the checkout in their browsers.

use super::act::Act;
use super::press::Press;
use Act::{
    BacksUp, Begins, IsKilled, IsRestored, PaidLate, Restarts, Service, StaffCancels,
    StaffReverses, TabCloses, TabIsHidden, TabIsShown, TabOpens, TabPresses, TabReloads, Waits,
};
use Press::{AnotherWay, Cancel, Confirm, Instalments, Qr, Replace, Retry, ShowLive};

const PAYS: Act = Service("pay");

#[rustfmt::skip]
pub(super) const TAB_STORIES: &[(&str, &[Act])] = &[
    ("pays a code in a tab", &[TabOpens(0), TabPresses(0, Qr), PAYS, Waits(5)]),
    ("has one order in two tabs", &[TabOpens(0), TabOpens(1), TabPresses(0, Qr), TabPresses(1, Qr), PAYS, Waits(8)]),
    ("takes another method in a second tab",
        &[TabOpens(0), TabOpens(1), TabPresses(0, Qr), TabPresses(1, Instalments), TabPresses(1, Replace),
            Waits(5), PAYS, Waits(8)]),
    ("goes on in a second browser with what is live",
        &[TabOpens(0), TabOpens(2), TabPresses(0, Qr), TabPresses(2, Instalments), TabPresses(2, ShowLive), PAYS,
            Waits(8)]),
    ("loses a tab and comes back", &[TabOpens(0), TabPresses(0, Qr), TabCloses(0), PAYS, TabOpens(0), Waits(5)]),
    ("loses a tab before the code comes",
        &[TabOpens(0), TabPresses(0, Qr), TabReloads(0), TabReloads(0), Waits(3), PAYS, Waits(5)]),
    ("finds the code in another browser",
        &[TabOpens(0), TabPresses(0, Qr), TabCloses(0), TabOpens(2), PAYS, Waits(8)]),
    ("looks on while staff cancel",
        &[TabOpens(0), TabPresses(0, Qr), StaffCancels(0), Waits(8), TabPresses(0, Retry)]),
    ("pays while staff cancel", &[TabOpens(0), TabPresses(0, Qr), StaffCancels(0), PAYS, Waits(8)]),
    ("lets a code expire in a tab and takes a new one",
        &[TabOpens(0), TabPresses(0, Qr), Service("expire"), TabPresses(0, Retry), Waits(5), PAYS, Waits(8)]),
    ("lets a code expire by the clock in a tab",
        &[TabOpens(0), TabPresses(0, Qr), Waits(1_000), TabPresses(0, Retry), Waits(5), PAYS]),
    ("pays the expired code of a tab beside a new one",
        &[TabOpens(0), TabPresses(0, Qr), Service("expire"), Waits(10), PaidLate, TabPresses(0, Retry), Waits(20)]),
    ("presses another way while it is paid",
        &[TabOpens(0), TabPresses(0, Qr), TabPresses(0, AnotherWay), PAYS, TabPresses(0, Confirm), Waits(8)]),
    ("cancels in a tab and pays in another way",
        &[TabOpens(0), TabPresses(0, Qr), TabPresses(0, Cancel), TabPresses(0, Confirm), TabPresses(0, Retry),
            TabPresses(0, Instalments), Waits(3), PAYS, TabOpens(0), Waits(8)]),
    ("pays at the lender and comes back",
        &[TabOpens(0), TabPresses(0, Instalments), Waits(3), PAYS, TabOpens(0), Waits(5)]),
    ("comes back from the lender unpaid",
        &[TabOpens(0), TabPresses(0, Instalments), Waits(3), TabOpens(0), TabPresses(0, AnotherWay),
            TabPresses(0, Confirm), TabPresses(0, Qr), Waits(5), PAYS, Waits(8)]),
    ("is declined in a tab",
        &[TabOpens(0), TabPresses(0, Qr), Service("decline"), TabPresses(0, Retry), Waits(5), PAYS, Waits(8)]),
    ("gets a payment back while a tab is open",
        &[TabOpens(0), TabOpens(1), TabPresses(0, Qr), TabPresses(1, Qr), PAYS, StaffReverses(0), Waits(8),
            TabReloads(0)]),
    ("looks away while the code is paid",
        &[TabOpens(0), TabPresses(0, Qr), TabIsHidden(0), Waits(40), PAYS, TabIsShown(0), Waits(5)]),
    ("waits in a tab while the server stops and starts",
        &[TabOpens(0), TabPresses(0, Qr), IsKilled, Waits(5), Restarts, PAYS, Waits(20)]),
    ("waits for a code that a backup lacks",
        &[BacksUp, TabOpens(0), TabPresses(0, Qr), Waits(5), IsRestored, Waits(1_100)]),
    ("takes another code elsewhere",
        &[TabOpens(0), TabPresses(0, Qr), Service("expire"), Begins("QR", "b"), TabPresses(0, Retry), PAYS,
            Waits(8)]),
];

#[cfg(test)]
mod tests {
    use super::TAB_STORIES;
    use crate::world::play;
    use crate::world::trouble::Plan;

    #[test]
    fn every_payer_at_a_tab_sees_what_is_true() {
        for (name, acts) in TAB_STORIES {
            let played = play(acts, Plan::new(), 11).unwrap();
            let lines = played.lines.join("\n  ");
            println!("a payer {name}, {} points\n  {lines}", played.points.len());
            assert!(
                played.broken.is_empty(),
                "a payer {name}: {:#?}",
                played.broken
            );
        }
    }
}
