use super::{MethodLimits, OrderFacts};
use crate::order::MAX_AMOUNT_CENTS;
use crate::order::fixture::order;
use payment_model::PaymentMethodName::{CashCode, Installment, Qr, Unknown};
use payment_model::{Amount, NotOfferedReason, Offer, PaymentMethodName};

fn of(amount: u64, currency: &str) -> OrderFacts {
    OrderFacts {
        amount,
        currency: currency.to_owned(),
        ..order("order")
    }
}

fn limits(text: &str) -> MethodLimits {
    MethodLimits::parse(text).unwrap()
}

/// The offer in one line: the methods, and for the others the reason with the bounds.
fn told(offer: &Offer) -> String {
    let bound = |bound: &Option<Amount>| bound.as_ref().map_or("-", Amount::as_str).to_owned();
    let methods = offer
        .methods
        .iter()
        .map(|method| method.as_str().to_owned());
    let others = offer.not_offered.iter().map(|other| {
        let bounds = match other.reason {
            NotOfferedReason::BelowLeast | NotOfferedReason::AboveMost => {
                format!(" {}..{}", bound(&other.least), bound(&other.most))
            }
            _ => String::new(),
        };
        format!("{}: {}{bounds}", other.method, other.reason)
    });
    methods.chain(others).collect::<Vec<_>>().join(", ")
}

/// Limits, and what they make of orders of these amounts and currencies.
type Table = (&'static str, &'static [(u64, &'static str, &'static str)]);

const TABLES: [Table; 12] = [
    (
        "{}",
        &[
            (1, "PEN", "QR, INSTALLMENT"),
            (MAX_AMOUNT_CENTS, "USD", "QR, INSTALLMENT"),
        ],
    ),
    (
        r#"{"QR": {"PEN": {"least": 600, "most": 50000}}}"#,
        &[
            (599, "PEN", "INSTALLMENT, QR: below-least 600..50000"),
            (600, "PEN", "QR, INSTALLMENT"),
            (601, "PEN", "QR, INSTALLMENT"),
            (49_999, "PEN", "QR, INSTALLMENT"),
            (50_000, "PEN", "QR, INSTALLMENT"),
            (50_001, "PEN", "INSTALLMENT, QR: above-most 600..50000"),
            (62_000, "604", "INSTALLMENT, QR: above-most 600..50000"),
            (1000, "604", "QR, INSTALLMENT"),
            (1000, "pen", "QR, INSTALLMENT"),
            (1000, "USD", "INSTALLMENT, QR: currency"),
            (62_000, "USD", "INSTALLMENT, QR: currency"),
            (1000, "", "INSTALLMENT, QR: currency"),
            (1000, "SOLES", "INSTALLMENT, QR: currency"),
        ],
    ),
    // One bound.
    (
        r#"{"QR": {"PEN": {"most": 50000}}}"#,
        &[
            (1, "PEN", "QR, INSTALLMENT"),
            (50_001, "PEN", "INSTALLMENT, QR: above-most -..50000"),
        ],
    ),
    (
        r#"{"INSTALLMENT": {"PEN": {"least": "10000"}}}"#,
        &[
            (9999, "PEN", "QR, INSTALLMENT: below-least 10000..-"),
            (MAX_AMOUNT_CENTS, "PEN", "QR, INSTALLMENT"),
        ],
    ),
    // A currency without bounds.
    (
        r#"{"QR": {"PEN": {}}}"#,
        &[
            (1, "PEN", "QR, INSTALLMENT"),
            (MAX_AMOUNT_CENTS, "PEN", "QR, INSTALLMENT"),
            (1, "USD", "INSTALLMENT, QR: currency"),
        ],
    ),
    // Bounds of one amount, and of none.
    (
        r#"{"QR": {"PEN": {"least": 600, "most": 600}}}"#,
        &[
            (599, "PEN", "INSTALLMENT, QR: below-least 600..600"),
            (600, "PEN", "QR, INSTALLMENT"),
            (601, "PEN", "INSTALLMENT, QR: above-most 600..600"),
        ],
    ),
    (
        r#"{"QR": {"PEN": {"least": 0, "most": 0}}}"#,
        &[(1, "PEN", "INSTALLMENT, QR: above-most 0..0")],
    ),
    // A currency without a smaller unit, and one with three digits.
    (
        r#"{"QR": {"CLP": {"most": 500}, "KWD": {"least": 1}}}"#,
        &[
            (500, "CLP", "QR, INSTALLMENT"),
            (501, "152", "INSTALLMENT, QR: above-most -..500"),
            (1, "KWD", "QR, INSTALLMENT"),
            (1, "PEN", "INSTALLMENT, QR: currency"),
        ],
    ),
    // Two currencies with bounds of their own.
    (
        r#"{"QR": {"604": {"most": 50000}, "USD": {"least": 200, "most": 13000}}}"#,
        &[
            (50_000, "PEN", "QR, INSTALLMENT"),
            (13_001, "PEN", "QR, INSTALLMENT"),
            (13_001, "840", "INSTALLMENT, QR: above-most 200..13000"),
            (199, "USD", "INSTALLMENT, QR: below-least 200..13000"),
        ],
    ),
    // Two methods, and none left.
    (
        r#"{"QR": {"PEN": {"most": 50000}}, "INSTALLMENT": {"PEN": {"least": 10000, "most": 60000}}}"#,
        &[
            (9999, "PEN", "QR, INSTALLMENT: below-least 10000..60000"),
            (30_000, "PEN", "QR, INSTALLMENT"),
            (55_000, "PEN", "INSTALLMENT, QR: above-most -..50000"),
            (
                60_001,
                "PEN",
                "QR: above-most -..50000, INSTALLMENT: above-most 10000..60000",
            ),
            (30_000, "USD", "QR: currency, INSTALLMENT: currency"),
        ],
    ),
    // A method that the server does not have.
    (
        r#"{"CASHCODE": {"PEN": {"most": 1}}}"#,
        &[(2, "PEN", "QR, INSTALLMENT")],
    ),
    // The largest amounts, of which a floating point number would lose the last digits.
    (
        r#"{"QR": {"PEN": {"least": "9007199254740993", "most": 9223372036854775806}}}"#,
        &[
            (
                9_007_199_254_740_992,
                "PEN",
                "INSTALLMENT, QR: below-least 9007199254740993..9223372036854775806",
            ),
            (9_007_199_254_740_993, "PEN", "QR, INSTALLMENT"),
            (9_223_372_036_854_775_806, "PEN", "QR, INSTALLMENT"),
            (
                MAX_AMOUNT_CENTS,
                "PEN",
                "INSTALLMENT, QR: above-most 9007199254740993..9223372036854775806",
            ),
        ],
    ),
];

#[test]
fn an_offer_has_the_methods_whose_limits_the_order_keeps() {
    for (text, orders) in TABLES {
        for (amount, currency, expected) in orders {
            let offer = of(*amount, currency).offer(&[Qr, Installment], &limits(text), 0);
            assert_eq!(told(&offer), *expected, "{text} {amount} {currency}");
            assert_eq!(offer.currency.as_str(), *currency);
        }
    }
}

#[test]
fn an_order_narrows_its_methods_and_adds_none() {
    let narrowed = |methods: &[PaymentMethodName]| {
        let order = OrderFacts {
            methods: Some(methods.to_vec()),
            ..of(62_000, "PEN")
        };
        let limits = limits(r#"{"QR": {"PEN": {"most": 50000}}}"#);
        told(&order.offer(&[Qr, Installment], &limits, 0))
    };
    assert_eq!(narrowed(&[Installment]), "INSTALLMENT, QR: order");
    assert_eq!(
        narrowed(&[Installment, Qr]),
        "INSTALLMENT, QR: above-most -..50000"
    );
    assert_eq!(
        narrowed(&[Qr]),
        "QR: above-most -..50000, INSTALLMENT: order"
    );
    assert_eq!(narrowed(&[CashCode]), "QR: order, INSTALLMENT: order");
}

#[test]
fn the_limits_of_a_store_replace_those_of_all_stores_by_method() {
    let all = limits(r#"{"QR": {"PEN": {"most": 50000}}, "CASHCODE": {"PEN": {"most": 1}}}"#);
    let store = limits(r#"{"QR": {"PEN": {"most": 60000}}}"#).or(&all);
    let offer = of(60_000, "PEN").offer(&[Qr, CashCode], &store, 0);
    assert_eq!(told(&offer), "QR, CASHCODE: above-most -..1");
    let named: Vec<_> = store.methods().collect();
    assert_eq!(named, [&Qr, &CashCode]);
}

#[test]
fn limits_that_cannot_be_meant_are_named() {
    for (text, named) in [
        ("", "is wrong: EOF"),
        ("[]", "is wrong: invalid type"),
        (r#"{"QR": 5}"#, "invalid type"),
        (r#"{"QR": {}}"#, "`QR` names no currency"),
        (r#"{"QR": {"PEN": 5}}"#, "invalid type"),
        (
            r#"{"QR": {"SOLES": {}}}"#,
            "`QR.SOLES` names no currency of ISO 4217",
        ),
        (
            r#"{"QR": {"604": {}, "PEN": {}}}"#,
            "`QR.PEN` names a currency that comes twice",
        ),
        (r#"{"QR": {"PEN": {"max": 1}}}"#, "`QR.PEN.max` is neither"),
        (
            r#"{"QR": {"PEN": {"least": 2, "most": 1}}}"#,
            "`QR.PEN` has a `least` above its `most`",
        ),
        (
            r#"{"QR": {"PEN": {"most": 500.50}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
        (
            r#"{"QR": {"PEN": {"most": "500.50"}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
        (
            r#"{"QR": {"PEN": {"most": "+5"}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
        (
            r#"{"QR": {"PEN": {"most": -1}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
        (
            r#"{"QR": {"PEN": {"most": null}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
        (
            r#"{"QR": {"PEN": {"most": 18446744073709551616}}}"#,
            "`QR.PEN.most` is no whole number",
        ),
    ] {
        let wrong = MethodLimits::parse(text).unwrap_err();
        assert!(wrong.contains(named), "{text}: {wrong}");
    }
    // A method of the merchant's own settings may have any name.
    let own = limits(r#"{"NUEVO": {"PEN": {}}}"#);
    assert!(own.methods().eq([&Unknown("NUEVO".to_owned())]));
}

#[test]
fn a_store_offers_no_qr_after_three_codes_in_a_row_that_reached_nobody() {
    let offered = |refused| {
        let order = of(1000, "PEN");
        let limits = MethodLimits {
            stops_qr: true,
            ..MethodLimits::default()
        };
        told(&order.offer(&[Qr, Installment], &limits, refused))
    };
    assert_eq!(offered(2), "QR, INSTALLMENT");
    assert_eq!(offered(3), "INSTALLMENT, QR: setting");
    assert_eq!(offered(u32::MAX), "INSTALLMENT, QR: setting");
    // Nobody could say that it is right again.
    let order = of(1000, "PEN");
    let never = order.offer(&[Qr], &MethodLimits::default(), u32::MAX);
    assert_eq!(told(&never), "QR");
}
