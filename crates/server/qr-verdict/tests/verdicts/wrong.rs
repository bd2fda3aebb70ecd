//! Contents that ask for something else, and contents that do not say what they ask for.

use crate::drawing::Drawing;
use crate::emvco_text::{summed, text};
use crate::png_file::gray;
use crate::{verdict, verdict_of_content};
use payment_model::Currency;
use qr_verdict::Mismatch::{self, Amount, Checksum, SeveralCodes};
use qr_verdict::{Expected, Read, Verdict, judge};

fn wrong(mismatch: Mismatch) -> Verdict {
    Verdict::Wrong { mismatch }
}

#[test]
fn a_code_that_asks_for_something_else_is_wrong() {
    let check = |content: String, mismatch| {
        assert_eq!(verdict_of_content(&content), wrong(mismatch), "{content}");
    };
    for amount in [
        "620.01",
        "619.99",
        "6200",
        "62.00",
        "0",
        "0.00",
        "620.001",
        "620,00",
        "1,620.00",
        "-620.00",
        "+620.00",
        "620.00 ",
        "6.2e2",
        "",
        ".",
        "18446744073709552236.00",
    ] {
        check(text().with("54", amount).content(), Amount);
    }
    check(text().and("54", "1.00").content(), Amount);
    for (tag, value) in [("55", "02"), ("55", "03"), ("56", "1.00"), ("57", "3.5")] {
        check(text().and(tag, value).content(), Amount);
    }
    for currency in ["840", "USD", "000", "", "S/", "60"] {
        check(text().with("53", currency).content(), Mismatch::Currency);
    }
    check(text().without("53").content(), Mismatch::Currency);
    check(text().and("53", "840").content(), Mismatch::Currency);
}

#[test]
fn a_damaged_code_is_wrong() {
    let check = |what, content: String| {
        assert_eq!(verdict_of_content(content), wrong(Checksum), "{what}");
    };
    let content = text().content();
    let fields = &content[..content.len() - 8];
    let resummed = |fields: String| String::from_utf8(summed(fields.into_bytes())).unwrap();
    check(
        "another amount, the sum kept",
        content.replace("620.00", "621.00"),
    );
    check(
        "another sum",
        format!("{}0000", &content[..content.len() - 4]),
    );
    check("no sum", fields.to_owned());
    check("nothing but the beginning", "000201".to_owned());
    check("cut", content[..content.len() - 1].to_owned());
    check("more after the sum", format!("{content}5802PE"));
    check(
        "a sign in the sum",
        format!("{}+12A", &content[..content.len() - 4]),
    );
    check(
        "a length beyond the end",
        resummed(format!("{fields}8099x6304")),
    );
    check("letters in a length", resummed(format!("{fields}80xx6304")));
    check("letters in a tag", resummed(format!("{fields}x001x6304")));
    check("a longer sum", resummed(format!("{fields}63080000")));
    check("another last field", resummed(format!("{fields}5904")));
    check(
        "the sum in another field",
        resummed(format!("{fields}80086304")),
    );
}

#[test]
fn several_payable_codes_are_wrong_unless_all_are_right() {
    let usual = Drawing::usual(text().content());
    for other in [
        text().with("54", "6.20").content(),
        text().with("53", "840").content(),
        text().content().replace("Lima", "Puno"),
    ] {
        let other = Drawing::usual(other);
        for both in [usual.beside(&other), other.beside(&usual)] {
            assert_eq!(verdict(&both, gray(1)), wrong(SeveralCodes));
        }
    }
}

#[test]
fn a_content_of_another_form_is_never_wrong() {
    for content in [
        "https://wallet.example/phone?qr=5c0d",
        "000202",
        "00020",
        "5802PE000201",
        " 0002010102",
        "hola",
        "4821 9301 7756",
    ] {
        assert_eq!(verdict_of_content(content), Verdict::Unknown, "{content}");
    }
}

#[test]
fn a_currency_without_known_decimals_is_not_judged() {
    for currency in ["puntos", "XAU"] {
        let currency = Currency::new(currency);
        let expected = Expected {
            amount_cents: 62_000,
            currency: &currency,
        };
        let read = Read::Contents(vec![text().content()]);
        assert_eq!(judge(&read, expected), Verdict::Unknown);
    }
}

#[test]
fn a_stored_verdict_is_read_again() {
    let check = |verdict: Verdict, json: &str| {
        assert_eq!(serde_json::to_string(&verdict).unwrap(), json);
        assert_eq!(serde_json::from_str::<Verdict>(json).unwrap(), verdict);
    };
    let merchant_name = Some("Botica".to_owned());
    check(
        Verdict::Right { merchant_name },
        r#"{"verdict":"right","merchant_name":"Botica"}"#,
    );
    let merchant_name = None;
    check(Verdict::Right { merchant_name }, r#"{"verdict":"right"}"#);
    check(
        wrong(SeveralCodes),
        r#"{"verdict":"wrong","mismatch":"several_codes"}"#,
    );
    check(Verdict::Unreadable, r#"{"verdict":"unreadable"}"#);
    check(Verdict::Unknown, r#"{"verdict":"unknown"}"#);
    let newer = |json| serde_json::from_str::<Verdict>(json).unwrap();
    assert_eq!(newer(r#"{"verdict":"odd","why":["x"]}"#), Verdict::Unknown);
    let newer = newer(r#"{"verdict":"wrong","mismatch":"country"}"#);
    assert_eq!(newer, wrong(Mismatch::Other));
}
