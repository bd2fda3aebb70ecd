//! Tests the component in a browser, without servers: its screens, its storage and its events. The
//! end-to-end tests make payments against the real servers.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use checkout_flow::{ErrorCode, Money};
use payment_checkout::{CheckoutProps, CheckoutText, Locale, Notice, OrderRequest, Overrides};
use payment_model::{Amount, Currency, PaymentMethodName};
use support::answers::operation;
use support::network::{OwnFetch, server};
use support::{Page, new_tab, storage, unreachable};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Changes the address of this page without leaving it; gives back the one before.
fn go_to(address: &str) -> String {
    let window = web_sys::window().unwrap();
    let before = window.location().href().unwrap();
    let history = window.history().unwrap();
    history
        .replace_state_with_url(&JsValue::NULL, "", Some(address))
        .unwrap();
    before
}

fn order(id: &str) -> OrderRequest {
    OrderRequest::new(&js_sys::JSON::parse(&format!(r#"{{"order_id":"{id}"}}"#)).unwrap())
}

#[wasm_bindgen_test]
async fn it_offers_the_methods_in_the_order_given() {
    let methods = vec![PaymentMethodName::Installment, PaymentMethodName::Qr];
    let page = Page::open(CheckoutProps {
        methods,
        ..unreachable()
    });
    page.sees("¿Cómo quieres pagar?").await;
    let words = page.button_words();
    assert!(
        words[0].contains("cuotas") && words[1].contains("QR"),
        "{words:?}"
    );
    assert_eq!(page.notices(), [Notice::Ready]);
    page.is_in("choosing").await;
    page.close();
}

#[wasm_bindgen_test]
async fn it_speaks_the_language_and_the_words_that_the_page_wants() {
    let messages = Overrides::default().with(CheckoutText::ChooseHeading, "Pick one");
    let page = Page::open(CheckoutProps {
        locale: Some(Locale::En),
        messages,
        ..unreachable()
    });
    page.sees("Pick one").await;
    assert!(!page.text().contains("pagar"), "{}", page.text());
    page.close();
}

#[wasm_bindgen_test]
async fn it_shows_the_price_and_the_merchant_before_anything_is_authorized() {
    let price = Some(Money {
        amount: Amount::new("387000"),
        currency: Currency::new("604"),
    });
    let merchant_name = Some("<b>Retama</b>".into());
    let page = Page::open(CheckoutProps {
        price,
        merchant_name,
        ..unreachable()
    });
    page.sees("3,870.00").await;
    page.sees("<b>Retama</b>").await;
    page.close();
}

#[wasm_bindgen_test]
async fn it_names_the_order_as_the_merchant_does() {
    let order_label = Some("<i>1001</i>".into());
    let page = Page::open(CheckoutProps {
        order_label,
        ..unreachable()
    });
    page.sees("Pedido <i>1001</i>").await;
    page.close();
}

#[wasm_bindgen_test]
async fn it_names_the_apps_that_the_page_names_and_shows_their_marks() {
    let open = |wallets: Option<&'static str>, locale| {
        Page::open(CheckoutProps {
            wallets: wallets.map(Into::into),
            locale: Some(locale),
            ..unreachable()
        })
    };
    for (locale, said) in [
        (Locale::EsPe, "Con <b>Apu</b>, Nube o la app de tu banco."),
        (Locale::En, "With <b>Apu</b>, Nube or your bank's app."),
        (Locale::PtBr, "Com <b>Apu</b>, Nube ou o app do seu banco."),
    ] {
        let page = open(Some("<b>Apu</b>, Nube"), locale);
        page.sees(said).await;
        page.close();
    }
    let page = open(None, Locale::EsPe);
    page.sees("Escanéalo o guárdalo y paga desde tu app.").await;
    // Marks belong to the code alone, words to the whole screen.
    assert!(page.find("button slot[name=wallets]").is_some());
    assert!(page.find(".body > slot[name=choosing]").is_some());
    page.close();
}

#[wasm_bindgen_test]
async fn a_wrong_configuration_is_named_by_its_code_and_in_words() {
    for (props, mistake) in [
        (
            CheckoutProps {
                base_url: "".into(),
                ..unreachable()
            },
            "no address of the server is given",
        ),
        (
            CheckoutProps {
                request: OrderRequest::new(&JsValue::from_str("order 1")),
                ..unreachable()
            },
            "the request is not an object that can be written as JSON",
        ),
        (
            CheckoutProps {
                price: Some(Money {
                    amount: Amount::new("129.90"),
                    currency: Currency::new("PEN"),
                }),
                ..unreachable()
            },
            "the amount is not in whole cents",
        ),
    ] {
        let page = Page::open(props);
        page.is_in("failed").await;
        // Nothing is ready, and nothing can be pressed that would begin a payment.
        let notices = page.notices();
        assert_eq!(notices.len(), 1, "{notices:?}");
        let error = match notices.first() {
            Some(Notice::Error(error)) => Some(error),
            _ => None,
        };
        let error = error.unwrap();
        assert_eq!(error.code, ErrorCode::Configuration);
        assert_eq!(error.message, format!("configuration: {mistake}"));
        assert_eq!((error.status, error.request_id.as_ref()), (None, None));
        assert!(page.button_words().is_empty(), "{:?}", page.button_words());
        page.close();
    }
}

#[wasm_bindgen_test]
async fn it_says_that_nothing_was_charged_only_where_the_server_says_so() {
    const REFUSED: &str = r#"422, {"type": "urn:payment-checkout:problem:method-not-offered""#;
    let cases = [
        (
            format!(r#"{REFUSED}, "money": "nothing_charged"}}"#),
            "Esta vez no se te cobró nada. Revisa tu pedido",
        ),
        (
            format!(r#"{REFUSED}, "money": "unknown"}}"#),
            "Si ya pagaste, no vuelvas a pagar",
        ),
        (
            format!(r#"{REFUSED}, "money": 7}}"#),
            "Si ya pagaste, no vuelvas a pagar",
        ),
        (format!("{REFUSED}}}"), "Si ya pagaste, no vuelvas a pagar"),
        // A page of a proxy is no word of the server, whatever it looks like.
        (
            format!(
                r#"{REFUSED}, "money": "nothing_charged"}}, "content-type", "application/json""#
            ),
            "Si ya pagaste, no vuelvas a pagar",
        ),
        (
            r#"409, {"type": "urn:payment-checkout:problem:order-may-be-paid"}"#.to_owned(),
            "Antes de pagar, pregunta a la tienda",
        ),
    ];
    let _own = OwnFetch::kept();
    for (answer, read) in cases {
        new_tab();
        let asked = server(&format!("[[{answer}]]"));
        let page = Page::open(CheckoutProps {
            base_url: "/api".into(),
            request: order("1001"),
            ..unreachable()
        });
        page.sees("QR").await;
        page.press("QR");
        page.is_in("failed").await;
        page.sees(read).await;
        let says = page.text().contains("no se te cobró nada");
        assert_eq!(says, read.starts_with("Esta vez"), "{answer}");
        assert_eq!(page.button_words().is_empty(), answer.starts_with("409"));
        assert_eq!(asked.length(), 1, "{answer}");
        page.close();
    }
}

#[wasm_bindgen_test]
async fn an_attempt_survives_a_reload_with_its_key_and_nothing_else_is_kept() {
    new_tab();
    let props = || CheckoutProps {
        request: order("canary-7"),
        ..unreachable()
    };
    let page = Page::open(props());
    page.sees("QR").await;
    page.press("QR");
    page.is_in("authorizing").await;
    let kept = storage();
    page.close();
    assert!(kept.contains("key") && !kept.contains("canary"), "{kept}");
    // A payer with a code stays on the page.
    assert!(!kept.contains("redirect"), "{kept}");

    let page = Page::open(props());
    page.is_in("authorizing").await;
    let key = |text: &str| text.split("\"key\":").nth(1).unwrap()[..34].to_owned();
    assert_eq!(key(&storage()), key(&kept));
    page.close();

    let page = Page::open(CheckoutProps {
        request: order("another"),
        ..unreachable()
    });
    page.is_in("choosing").await;
    page.close();
    new_tab();
}

#[wasm_bindgen_test]
async fn a_lender_gets_the_address_of_the_return_in_full() {
    new_tab();
    let page = Page::open(CheckoutProps {
        request: order("lender"),
        redirect_url: Some("/order/1001?back".into()),
        ..unreachable()
    });
    page.sees("cuotas").await;
    page.press("cuotas");
    page.is_in("authorizing").await;
    let origin = web_sys::window().unwrap().location().origin().unwrap();
    let kept = storage();
    let in_full = format!("{origin}/order/1001?back");
    assert!(kept.contains(&in_full), "{kept}");
    page.close();
    new_tab();
}

#[wasm_bindgen_test]
async fn what_somebody_else_wrote_into_the_storage_is_not_believed() {
    new_tab();
    let props = || CheckoutProps {
        request: order("tampered"),
        ..unreachable()
    };
    let page = Page::open(props());
    page.sees("QR").await;
    page.press("QR");
    page.is_in("authorizing").await;
    page.close();
    let window = web_sys::window().unwrap();
    let storage = window.session_storage().unwrap().unwrap();
    let key = storage.key(0).unwrap().unwrap();
    for tampered in [
        "",
        "{",
        "null",
        "[]",
        r#"{"flow":7}"#,
        r#"{"flow":{"version":1,"attempt":{"key":"x","method":"QR"}}}"#,
        r#"{"flow":{"version":1,"state":"AUTORIZADO","outcome":"paid","deadline":"soon"}}"#,
    ] {
        storage.set_item(&key, tampered).unwrap();
        let page = Page::open(props());
        page.is_in("choosing").await;
        page.close();
    }
    new_tab();
}

#[wasm_bindgen_test]
async fn a_return_token_of_this_order_leaves_the_address_bar_and_leads_to_a_question() {
    // "shop", "4821" and "returned" in base64url.
    let token = "c2hvcA.NDgyMQ.cmV0dXJuZWQ.9999999999.c2lnbmF0dXJl";
    // Some lenders write their parameters behind the address as if it had none.
    for behind in [
        "&state=AUTORIZADO&paid=1",
        "?status=AUTORIZADO",
        "/",
        "%3Fa%3D1&b=2",
    ] {
        new_tab();
        let before = go_to(&format!("?checkout={token}{behind}"));
        let page = Page::open(CheckoutProps {
            request: order("returned"),
            ..unreachable()
        });
        page.is_in("checking").await;
        assert!(!go_to(&before).contains("c2lnbmF0dXJl"), "{behind}");
        let mut notices = page.notices().into_iter();
        assert!(notices.all(|notice| !matches!(notice, Notice::Result(_))));
        page.close();
    }
    new_tab();
}

#[wasm_bindgen_test]
async fn a_token_of_another_order_or_of_no_form_changes_nothing() {
    new_tab();
    for token in [
        "c2hvcA.NDgyMQ.cmV0dXJuZWQ.9999999999.c2lnbmF0dXJl",
        "c2hvcA.NDgyMQ..9999999999",
        "YQ.YQ..1.x",
        "YQ.YQ.YQ.1.%E2%82%AC",
        "YQ.YQ.YQ.1.x%0aX",
        "express",
    ] {
        let before = go_to(&format!("?checkout={token}"));
        let page = Page::open(CheckoutProps {
            request: order("mine"),
            ..unreachable()
        });
        page.is_in("choosing").await;
        assert!(
            go_to(&before).contains("checkout="),
            "{token} is not ours to take"
        );
        page.close();
    }
    new_tab();
}

#[wasm_bindgen_test]
async fn a_token_of_another_operation_does_not_replace_the_one_that_is_known() {
    for (token, own) in [
        ("c2hvcA.NDgyMQ.bWluZQ.9999999999.c2lnbmF0dXJl", true),
        ("c2hvcA.NTU1NQ.bWluZQ.9999999999.c2lnbmF0dXJl", false),
    ] {
        new_tab();
        let before = go_to(&format!("?checkout={token}"));
        let page = Page::open(CheckoutProps {
            request: order("mine"),
            resume: Some(operation()),
            ..unreachable()
        });
        page.is_in("checking").await;
        assert_eq!(!go_to(&before).contains("checkout="), own, "{token}");
        page.close();
    }
    new_tab();
}

#[wasm_bindgen_test]
async fn two_on_one_page_do_not_disturb_each_other() {
    new_tab();
    let one = Page::open(CheckoutProps {
        request: order("one"),
        ..unreachable()
    });
    let two = Page::open(CheckoutProps {
        request: order("two"),
        ..unreachable()
    });
    one.sees("QR").await;
    two.sees("QR").await;
    one.press("QR");
    one.is_in("authorizing").await;
    two.is_in("choosing").await;
    one.close();
    two.press("QR");
    two.is_in("authorizing").await;
    two.close();
    new_tab();
}
