//! The formats of the page are those of the browser's `Intl`, from which the table was written. The element's
//! own formats are tested against the same table in a browser.

use checkout_texts::Locale;
use jiff::tz::TimeZone;
use pay_page::{instant, money};
use payment_model::{Amount, Currency, Money, Timestamp};
use serde::Deserialize;

#[derive(Deserialize)]
struct Table {
    money: Vec<WrittenMoney>,
    instants: Vec<WrittenInstant>,
}

#[derive(Deserialize)]
struct WrittenMoney {
    locale: String,
    cents: String,
    currency: String,
    text: String,
}

#[derive(Deserialize)]
struct WrittenInstant {
    locale: String,
    seconds: i64,
    text: String,
}

#[test]
fn money_and_instants_are_written_as_the_element_writes_them() {
    let table: Table = serde_json::from_str(include_str!("formats.json")).unwrap();
    for row in table.money {
        let amount = Money {
            amount: Amount::new(row.cents),
            currency: Currency::new(row.currency),
        };
        assert_eq!(money(Locale::of_tag(&row.locale), &amount), row.text);
    }
    let zone = TimeZone::get("America/Lima").unwrap();
    for row in table.instants {
        let written = instant(
            Locale::of_tag(&row.locale),
            &zone,
            Timestamp::from_secs(row.seconds),
        );
        // The page names the zone always.
        let (time, zone) = written.split_once(" (").unwrap();
        assert_eq!(time, row.text);
        assert!(zone.contains("Peru") || zone.contains("Perú"), "{zone}");
    }
}
