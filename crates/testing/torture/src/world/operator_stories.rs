//! Short stories in which the server stops, a backup takes the place of its database, or clocks jump.

use super::act::Act;
use super::stories::{INSTALMENTS, PAYS, QR};
use Act::{
    BacksUp, Begins, Cancels, ClockJumps, Compares, IsKilled, IsRestored, Looks, PaidLate,
    Restarts, Service, ShopReads, StaffReleases, StaffResolves, StaffReturns, StaffReverses, Waits,
};

#[rustfmt::skip]
pub(super) const OPERATOR_STORIES: &[(&str, &[Act])] = &[
    ("pays beside a restart", &[QR, Restarts, PAYS, Looks, Restarts]),
    ("pays beside a kill", &[QR, IsKilled, Waits(3), PAYS, IsKilled, Waits(3), Looks]),
    ("pays what a backup has", &[QR, BacksUp, PAYS, Looks, IsRestored, Waits(4), Looks, Compares]),
    ("pays an expired code that a backup has",
        &[QR, Cancels, Begins("QR", "b"), Service("expire"), Looks, PaidLate, Looks, BacksUp, IsRestored, Waits(4)]),
    ("is read about by the shop and gets a payment back",
        &[INSTALMENTS, PAYS, Looks, ShopReads, StaffReverses(0), Looks]),
    ("pays what a backup lacks", &[BacksUp, QR, PAYS, Looks, IsRestored, Waits(4), QR, Compares]),
    ("got back what a backup lacks",
        &[QR, PAYS, Looks, BacksUp, StaffReverses(0), IsRestored, Waits(4), StaffReverses(0), StaffResolves(0),
            Compares]),
    ("gets money back by hand that a backup lacks",
        &[QR, PAYS, Looks, BacksUp, StaffReturns(0, 12_990, "h"), IsRestored, Waits(4), StaffReturns(1, 12_990,
            "i"), Compares]),
    ("pays while the clock jumps ahead", &[QR, ClockJumps(3_600), PAYS, Looks, ClockJumps(-3_600), Looks]),
    ("gets a payment back while the clock jumps",
        &[QR, PAYS, Looks, StaffReverses(0), ClockJumps(7_200), StaffReleases(0), StaffReleases(1),
            StaffReverses(0)]),
    ("is paid, reversed by the service and pays anew",
        &[QR, PAYS, Looks, Service("reverse"), Waits(3_700), Looks, Begins("QR", "b"), PAYS]),
];
