//! ISO 4217's list one: numeric code, alphabetic code, digits after the decimal separator.
//!
//! A test compares it with a maintained crate. A payer's browser downloads its columns, and of the numbers
//! the steps from one to the next, which compress to less than rows (0.3 KB of the download); names and
//! symbols come from the browser itself.

/// The digits of an entry that has no minor unit, such as gold.
pub(crate) const NO_MINOR_UNIT: u8 = u8::MAX;

/// The number of entries.
pub(crate) const COUNT: usize = 183;

/// Each entry's numeric code less the one before it.
pub(crate) static STEPS: [u8; COUNT] = COLUMNS.0;
/// Each entry's three letters, one after another.
pub(crate) static LETTERS: &str = match str::from_utf8(COLUMNS.1.as_flattened()) {
    Ok(letters) => letters,
    // The table has letters alone.
    Err(_) => "",
};
/// Each entry's digits after the decimal separator.
pub(crate) static DIGITS: [u8; COUNT] = COLUMNS.2;

const COLUMNS: ([u8; COUNT], [[u8; 3]; COUNT], [u8; COUNT]) = columns();

const fn columns() -> ([u8; COUNT], [[u8; 3]; COUNT], [u8; COUNT]) {
    let (mut steps, mut letters, mut digits) = ([0; COUNT], [[0; 3]; COUNT], [0; COUNT]);
    let (mut at, mut before) = (0, 0);
    while at < COUNT {
        let (number, alpha, minor) = CURRENCIES[at];
        // No step needs the upper byte.
        let [_, step] = (number - before).to_be_bytes();
        (steps[at], letters[at], digits[at]) = (step, alpha, minor);
        before = number;
        at += 1;
    }
    (steps, letters, digits)
}

/// Sorted by numeric code.
#[rustfmt::skip]
const CURRENCIES: [(u16, [u8; 3], u8); COUNT] = [
    (8, *b"ALL", 2), (12, *b"DZD", 2), (32, *b"ARS", 2), (36, *b"AUD", 2), (44, *b"BSD", 2),
    (48, *b"BHD", 3), (50, *b"BDT", 2), (51, *b"AMD", 2), (52, *b"BBD", 2), (60, *b"BMD", 2),
    (64, *b"BTN", 2), (68, *b"BOB", 2), (72, *b"BWP", 2), (84, *b"BZD", 2), (90, *b"SBD", 2),
    (96, *b"BND", 2), (104, *b"MMK", 2), (108, *b"BIF", 0), (116, *b"KHR", 2), (124, *b"CAD", 2),
    (132, *b"CVE", 2), (136, *b"KYD", 2), (144, *b"LKR", 2), (152, *b"CLP", 0), (156, *b"CNY", 2),
    (170, *b"COP", 2), (174, *b"KMF", 0), (188, *b"CRC", 2), (191, *b"HRK", 2), (192, *b"CUP", 2),
    (203, *b"CZK", 2), (208, *b"DKK", 2), (214, *b"DOP", 2), (222, *b"SVC", 2), (230, *b"ETB", 2),
    (232, *b"ERN", 2), (238, *b"FKP", 2), (242, *b"FJD", 2), (262, *b"DJF", 0), (270, *b"GMD", 2),
    (292, *b"GIP", 2), (320, *b"GTQ", 2), (324, *b"GNF", 0), (328, *b"GYD", 2), (332, *b"HTG", 2),
    (340, *b"HNL", 2), (344, *b"HKD", 2), (348, *b"HUF", 2), (352, *b"ISK", 0), (356, *b"INR", 2),
    (360, *b"IDR", 2), (364, *b"IRR", 2), (368, *b"IQD", 3), (376, *b"ILS", 2), (388, *b"JMD", 2),
    (392, *b"JPY", 0), (396, *b"XAD", 2), (398, *b"KZT", 2), (400, *b"JOD", 3), (404, *b"KES", 2),
    (408, *b"KPW", 2), (410, *b"KRW", 0), (414, *b"KWD", 3), (417, *b"KGS", 2), (418, *b"LAK", 2),
    (422, *b"LBP", 2), (426, *b"LSL", 2), (430, *b"LRD", 2), (434, *b"LYD", 3), (446, *b"MOP", 2),
    (454, *b"MWK", 2), (458, *b"MYR", 2), (462, *b"MVR", 2), (480, *b"MUR", 2), (484, *b"MXN", 2),
    (496, *b"MNT", 2), (498, *b"MDL", 2), (504, *b"MAD", 2), (512, *b"OMR", 3), (516, *b"NAD", 2),
    (524, *b"NPR", 2), (532, *b"XCG", 2), (533, *b"AWG", 2), (548, *b"VUV", 0), (554, *b"NZD", 2),
    (558, *b"NIO", 2), (566, *b"NGN", 2), (578, *b"NOK", 2), (586, *b"PKR", 2), (590, *b"PAB", 2),
    (598, *b"PGK", 2), (600, *b"PYG", 0), (604, *b"PEN", 2), (608, *b"PHP", 2), (634, *b"QAR", 2),
    (643, *b"RUB", 2), (646, *b"RWF", 0), (654, *b"SHP", 2), (682, *b"SAR", 2), (690, *b"SCR", 2),
    (694, *b"SLL", 2), (702, *b"SGD", 2), (704, *b"VND", 0), (706, *b"SOS", 2), (710, *b"ZAR", 2),
    (728, *b"SSP", 2), (748, *b"SZL", 2), (752, *b"SEK", 2), (756, *b"CHF", 2), (760, *b"SYP", 2),
    (764, *b"THB", 2), (776, *b"TOP", 2), (780, *b"TTD", 2), (784, *b"AED", 2), (788, *b"TND", 3),
    (800, *b"UGX", 0), (807, *b"MKD", 2), (818, *b"EGP", 2), (826, *b"GBP", 2), (834, *b"TZS", 2),
    (840, *b"USD", 2), (858, *b"UYU", 2), (860, *b"UZS", 2), (882, *b"WST", 2), (886, *b"YER", 2),
    (901, *b"TWD", 2), (924, *b"ZWG", 2), (925, *b"SLE", 2), (926, *b"VED", 2), (927, *b"UYW", 4),
    (928, *b"VES", 2), (929, *b"MRU", 2), (930, *b"STN", 2), (931, *b"CUC", 2), (932, *b"ZWL", 2),
    (933, *b"BYN", 2), (934, *b"TMT", 2), (936, *b"GHS", 2), (938, *b"SDG", 2), (940, *b"UYI", 0),
    (941, *b"RSD", 2), (943, *b"MZN", 2), (944, *b"AZN", 2), (946, *b"RON", 2), (947, *b"CHE", 2),
    (948, *b"CHW", 2), (949, *b"TRY", 2), (950, *b"XAF", 0), (951, *b"XCD", 2), (952, *b"XOF", 0),
    (953, *b"XPF", 0), (955, *b"XBA", NO_MINOR_UNIT), (956, *b"XBB", NO_MINOR_UNIT),
    (957, *b"XBC", NO_MINOR_UNIT), (958, *b"XBD", NO_MINOR_UNIT), (959, *b"XAU", NO_MINOR_UNIT),
    (960, *b"XDR", NO_MINOR_UNIT), (961, *b"XAG", NO_MINOR_UNIT), (962, *b"XPT", NO_MINOR_UNIT),
    (963, *b"XTS", NO_MINOR_UNIT), (964, *b"XPD", NO_MINOR_UNIT), (965, *b"XUA", NO_MINOR_UNIT),
    (967, *b"ZMW", 2), (968, *b"SRD", 2), (969, *b"MGA", 2), (970, *b"COU", 2), (971, *b"AFN", 2),
    (972, *b"TJS", 2), (973, *b"AOA", 2), (975, *b"BGN", 2), (976, *b"CDF", 2), (977, *b"BAM", 2),
    (978, *b"EUR", 2), (979, *b"MXV", 2), (980, *b"UAH", 2), (981, *b"GEL", 2), (984, *b"BOV", 2),
    (985, *b"PLN", 2), (986, *b"BRL", 2), (990, *b"CLF", 4), (994, *b"XSU", NO_MINOR_UNIT),
    (997, *b"USN", 2), (999, *b"XXX", NO_MINOR_UNIT),
];
