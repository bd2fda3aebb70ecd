//! What a payer compares with an app, an agent's slip or an e-mail is not translated; the sentences around it are.

use checkout_texts::Locale;
use jiff::tz::TimeZone;
use pay_page::{End, Page, State, Waiting};
use payment_model::{Amount, Currency, Money, PaymentMethodName};

/// The texts that no translator may change, on the page in this state.
fn kept(state: &State) -> Vec<String> {
    let money = Money {
        amount: Amount::new("12990"),
        currency: Currency::new("PEN"),
    };
    let page = Page {
        locale: Locale::EsPe,
        zone: &TimeZone::UTC,
        merchant_name: "Rosa y Cumbre",
        order_name: "A-77",
        money: Some(&money),
        path: "/pay/1",
        url: None,
        state,
        element: None,
    };
    let html = page.html();
    let parts = html.split("translate=\"no\">").skip(1);
    parts
        .filter_map(|part| part.split('<').next())
        .map(|text| text.replace('\u{a0}', " "))
        .collect()
}

fn waiting() -> Waiting {
    Waiting {
        number: "482193017756".to_owned(),
        method: PaymentMethodName::Qr,
        qr_uri: None,
        payee_name: None,
        cash_code: None,
        continue_url: None,
        expires_at: None,
        is_stale: false,
        is_last: false,
    }
}

#[test]
fn a_code_its_amount_and_its_names_are_not_translated() {
    let bill = ["Rosa y Cumbre", "Pedido A-77", "S/ 129.90"];
    let qr = kept(&State::Waiting(Waiting {
        qr_uri: Some("data:image/png;base64,".to_owned()),
        ..waiting()
    }));
    let step = ["Rosa y Cumbre", "S/ 129.90"];
    assert_eq!(qr, [&bill[..], &step[..], &["4821 9301 7756"]].concat());
    // The name in the code is what the wallet shows.
    let named = kept(&State::Waiting(Waiting {
        qr_uri: Some("data:image/png;base64,".to_owned()),
        payee_name: Some("ROSA EIRL".to_owned()),
        ..waiting()
    }));
    assert!(named.contains(&"ROSA EIRL".to_owned()), "{named:?}");

    let cash = kept(&State::Waiting(Waiting {
        cash_code: Some("123456".to_owned()),
        ..waiting()
    }));
    assert_eq!(cash, [&bill[..], &["1234 56", "4821 9301 7756"]].concat());

    let lender = kept(&State::Waiting(Waiting {
        continue_url: Some("https://lender.example/1".to_owned()),
        ..waiting()
    }));
    assert!(lender.contains(&"lender.example".to_owned()), "{lender:?}");

    let paid = kept(&State::Ended(End {
        number: "482193017756".to_owned(),
        method: PaymentMethodName::Qr,
        at: None,
        is_reversed: false,
        paid_twice: false,
        other_codes: vec![],
        given_back_cents: 0,
    }));
    assert_eq!(paid, [&bill[..], &["4821 9301 7756"]].concat());
}
