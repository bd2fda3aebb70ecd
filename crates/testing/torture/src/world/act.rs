//! What can happen in a story.

use super::press::Press;

/// One act of a person or of the payment service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Act {
    /// The payer asks for a payment by a method, under this key.
    Begins(&'static str, &'static str),
    /// The same, and the payer agrees to the end of the newest operation.
    BeginsInstead(&'static str, &'static str),
    /// The payer's page asks for the state of the newest operation.
    Looks,
    Cancels,
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
    ShopCloses,
    /// A program of the shop, with the first or the second API key, refunds some cents or everything, under this key.
    ShopRefunds(usize, Option<u64>, &'static str),
    ShopPrices(u64),
    /// The operator stops the server and starts it again.
    Restarts,
    /// The server is killed, and starts again.
    IsKilled,
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
    TabCloses(usize),
    TabReloads(usize),
    TabIsHidden(usize),
    TabIsShown(usize),
}
