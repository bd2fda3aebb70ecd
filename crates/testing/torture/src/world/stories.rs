//! Short stories of payers, staff and the shop, each act by act.

use super::act::Act;
use Act::{
    Begins, BeginsInstead, Cancels, ClockJumps, IsKilled, Looks, PageBegins, PageIsOpened,
    PaidLate, Service, ShopCloses, ShopPrices, ShopReads, ShopRefunds, StaffCancels, StaffRefunds,
    StaffReleases, StaffReturns, StaffReverses, ViewerTries, Waits,
};

pub(super) const QR: Act = Begins("QR", "a");
pub(super) const INSTALMENTS: Act = Begins("INSTALLMENT", "a");
pub(super) const PAYS: Act = Service("pay");
pub(super) const SETTLES: Act = Service("settle");

#[rustfmt::skip]
pub(super) const STORIES: &[(&str, &[Act])] = &[
    ("pays a code", &[QR, PAYS, Looks]),
    ("pays a code unseen", &[QR, PAYS]),
    ("asks twice with one key", &[QR, QR, PAYS, Looks]),
    ("asks twice with two keys", &[QR, Begins("QR", "b"), PAYS, Looks]),
    ("leaves a code for instalments", &[QR, BeginsInstead("INSTALLMENT", "b"), PAYS, Looks]),
    ("leaves a code that is paid", &[QR, PAYS, BeginsInstead("INSTALLMENT", "b"), Looks]),
    ("cancels and pays anew", &[QR, Looks, Cancels, Begins("QR", "b"), PAYS, Looks]),
    ("cancels what is paid", &[QR, PAYS, Cancels, Looks]),
    ("cancels twice", &[QR, Cancels, Cancels, Begins("QR", "b"), PAYS]),
    ("is declined and pays anew", &[QR, Service("decline"), Looks, Begins("QR", "b"), PAYS, Looks]),
    ("lets a code expire and pays anew", &[QR, Service("expire"), Begins("QR", "b"), PAYS, Looks]),
    ("lets a code expire by the clock", &[QR, Waits(1_000), Looks, Begins("QR", "b"), PAYS]),
    ("pays an expired code", &[QR, Service("expire"), Looks, PaidLate, Looks]),
    ("pays a cancelled code beside a new one", &[QR, Cancels, Begins("QR", "b"), PAYS, Looks, PaidLate]),
    ("pays what staff cancel", &[QR, StaffCancels(0), PAYS, Looks]),
    ("is cancelled by staff after the payment", &[QR, PAYS, StaffCancels(0), Looks]),
    ("gets a payment back before the settlement", &[INSTALMENTS, PAYS, Looks, StaffReverses(0), Looks]),
    ("gets a payment back twice", &[INSTALMENTS, PAYS, Looks, StaffReverses(0), StaffReverses(1), Looks]),
    ("gets a payment back unseen", &[INSTALMENTS, PAYS, StaffReverses(0), Looks, Waits(200)]),
    ("is refunded", &[INSTALMENTS, PAYS, SETTLES, Looks, StaffRefunds(0, 100, "r"), StaffRefunds(0, 100, "r")]),
    ("is refunded by two members of staff",
        &[INSTALMENTS, PAYS, SETTLES, Looks, StaffRefunds(0, 8_000, "r"), StaffRefunds(1, 8_000, "s")]),
    ("is refunded and given back", &[INSTALMENTS, PAYS, SETTLES, Looks, StaffRefunds(0, 100, "r"), StaffReverses(1)]),
    ("gets money back by hand",
        &[QR, PAYS, SETTLES, Looks, StaffReturns(0, 12_990, "h"), StaffReturns(1, 12_990, "i")]),
    ("gets money back by hand and by a reversal", &[QR, PAYS, Looks, StaffReverses(0), StaffReturns(1, 12_990, "h")]),
    ("gets money back by hand before a reversal", &[QR, PAYS, Looks, StaffReturns(0, 12_990, "h"), StaffReverses(1)]),
    ("gets money back by hand after a reversal without an answer",
        &[QR, PAYS, Looks, StaffReverses(0), Waits(9), StaffReturns(0, 12_990, "h")]),
    ("gets money back by hand after a jump of the clock",
        &[QR, PAYS, Looks, StaffReverses(0), ClockJumps(7_200), Waits(9), StaffReturns(0, 12_990, "h")]),
    ("gets money back by hand that staff release",
        &[QR, PAYS, Looks, StaffReverses(0), Waits(9), StaffReleases(1), StaffReturns(0, 12_990, "h")]),
    ("is refunded beside a kill",
        &[INSTALMENTS, PAYS, SETTLES, Looks, StaffRefunds(0, 100, "r"), IsKilled, Waits(4), StaffRefunds(0, 100,
            "r")]),
    ("gets back what was in doubt",
        &[INSTALMENTS, PAYS, SETTLES, Looks, StaffRefunds(0, 12_990, "r"), StaffReleases(0), StaffReleases(1),
            StaffRefunds(0, 12_990, "s")]),
    ("gets back a reversal that was in doubt",
        &[QR, PAYS, Looks, StaffReverses(0), StaffReleases(0), StaffReleases(1), StaffReturns(0, 12_990, "h")]),
    ("is released by staff", &[QR, StaffReleases(0), StaffReleases(1), Begins("QR", "b"), PAYS, Looks]),
    ("meets somebody who may only look", &[QR, PAYS, Looks, ViewerTries]),
    ("pays an order that the shop closes", &[QR, ShopCloses, PAYS, Looks, Begins("QR", "b")]),
    ("begins an order that the shop closed", &[ShopCloses, QR, Looks]),
    ("is refunded by the shop",
        &[INSTALMENTS, PAYS, SETTLES, ShopReads, ShopRefunds(0, Some(100), "r"), ShopRefunds(1, Some(100), "r"),
            ShopReads]),
    ("gets everything back from the shop",
        &[QR, PAYS, ShopReads, ShopRefunds(0, None, "r"), ShopRefunds(1, None, "r"), ShopRefunds(0, None, "s"),
            ShopReads]),
    ("meets a new price", &[QR, Cancels, ShopPrices(9_990), Begins("QR", "b"), PAYS]),
    ("meets a new price before the first code",
        &[ShopPrices(9_990), QR, ShopPrices(12_990), Begins("QR", "b"), PAYS]),
    ("pays on the page of the server", &[PageIsOpened, PageBegins("a", 2), PageIsOpened, PAYS, PageIsOpened]),
    ("goes back on that page",
        &[PageIsOpened, PageBegins("a", 1), Cancels, PageBegins("a", 1), PageIsOpened, ShopReads]),
];
