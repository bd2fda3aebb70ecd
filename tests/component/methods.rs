//! Tests every method and state on the payer's page, with all kinds of answers of the merchant's
//! server.

#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use what these do not")]
mod support;

use gloo_timers::future::TimeoutFuture;
use payment_checkout::{CheckoutProps, CheckoutText, Locale, Overrides};
use support::answers::{Answer, asked, operation, printer};
use support::network::server;
use support::{Page, new_tab, unreachable};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A page that the merchant gave the operation's numbers, and a server that answers with it.
fn open(answer: &Answer) -> Page {
    new_tab();
    answer.is_given();
    Page::open(CheckoutProps {
        resume: Some(operation()),
        ..unreachable()
    })
}

fn cash(code: &str) -> Answer {
    Answer::new("CASHCODE", "PENDIENTE").with("processor_response", code)
}

#[wasm_bindgen_test]
async fn a_cash_code_can_be_copied_printed_and_read_about() {
    let prints = printer();
    let answer = cash(r#"{"cip":"482193017","cip_url":"https://agents.example/482193017"}"#)
        .with("expiration_date", r#"{"unix_time":4102444800.5}"#);
    let page = open(&answer);
    page.sees("Tu código de pago").await;
    // The groups are the style's; as text it is the code alone, and it is heard in groups.
    page.sees("482193017").await;
    page.sees("4 8 2 1, 9 3 0, 1 7").await;
    // The deadline names its time zone, whichever this browser is in.
    page.until("a zone", || {
        let text = page.text();
        text.contains("GMT") || text.contains("hora ")
    })
    .await;
    page.sees("Puedes cerrar esta página").await;
    let words = page.button_words();
    assert!(
        words.iter().any(|word| word == "Copiar código"),
        "{words:?}"
    );
    page.press("Imprimir");
    assert_eq!(prints.length(), 1);
    let link = page.find("a[target=_blank]").unwrap();
    assert_eq!(link.get_attribute("rel").unwrap(), "noopener noreferrer");
    assert_eq!(
        link.get_attribute("href").unwrap(),
        "https://agents.example/482193017"
    );
    page.close();

    let page = open(&cash(r#"{"cip":"1","cip_url":"javascript:alert(1)"}"#));
    page.sees("Tu código de pago").await;
    assert!(page.find("a").is_none());
    page.close();
}

#[wasm_bindgen_test]
async fn a_cash_code_without_a_code_waits() {
    for code in ["null", "{}", r#"{"cip":null}"#, r#"{"cip":" "}"#, "[]"] {
        let page = open(&cash(code));
        page.sees("Tu código está por llegar").await;
        page.sees("4821").await;
        page.close();
    }
}

#[wasm_bindgen_test]
async fn any_method_waits_with_its_state_amount_and_number() {
    for method in ["CARD", "WALLET", "BANK_TRANSFER", "GIFT", ""] {
        for state in ["PENDIENTE", "REGISTRADO"] {
            let page = open(&Answer::new(method, state).with("processor_response", "null"));
            page.sees("Esperando tu").await;
            page.sees("129.90").await;
            page.sees("4821").await;
            page.sees("Consultar ahora").await;
            page.is_in("pending").await;
            page.close();
        }
        let link =
            Answer::new(method, "PENDIENTE").with("continue_url", r#""https://bank.example/pay""#);
        let page = open(&link);
        page.sees("bank.example").await;
        assert!(page.find("a[href^='https://bank.example']").is_some());
        page.close();
    }
}

#[wasm_bindgen_test]
async fn every_state_has_a_heading_a_reason_and_a_next_step() {
    for (state, name, heading, reason) in [
        ("AUTORIZADO", "paid", "¡Pago confirmado!", false),
        ("LIQUIDADO", "paid", "¡Pago confirmado!", false),
        ("DENEGADO", "declined", "Tu pago no fue aprobado", true),
        ("INVALIDO", "invalid", "No se pudo crear este pago", true),
        ("CANCELADO", "cancelled", "Pago anulado", false),
        ("EXPIRADO", "expired", "Venció el plazo", false),
        ("EXTORNADO", "reversed", "Tu pago fue revertido", false),
        ("EN_REVISION", "checking", "Estamos confirmando", false),
        ("", "checking", "Estamos confirmando", false),
        ("autorizado", "checking", "Estamos confirmando", false),
    ] {
        for method in ["CASHCODE", "BANK_TRANSFER", "CARD", "GIFT"] {
            let page = open(&Answer::new(method, state).with("processor_response", "null"));
            page.sees(heading).await;
            page.is_in(name).await;
            page.sees("4821").await;
            // Values from outside are shown as text.
            assert_eq!(
                page.text().contains(&format!("<b>{state}</b>")),
                reason,
                "{state}"
            );
            page.close();
        }
    }
}

#[wasm_bindgen_test]
async fn a_text_of_a_page_in_another_language_has_its_language_and_the_services_has_none() {
    new_tab();
    Answer::new("QR", "DENEGADO").is_given();
    let page = Page::open(CheckoutProps {
        resume: Some(operation()),
        page_language: Some("de".into()),
        messages: Overrides::default()
            .with(CheckoutText::DeclinedHeading, "Abgelehnt")
            .with(CheckoutText::ActionNewQr, "Noch einmal"),
        ..unreachable()
    });
    page.sees("Abgelehnt").await;
    let language = |selector: &str| {
        let around = page.find(selector).unwrap().closest("[lang]").unwrap();
        around.unwrap().get_attribute("lang").unwrap()
    };
    let told = |selector: &str| page.find(selector).and_then(|node| node.text_content());
    assert_eq!(told("#heading [lang=de]").as_deref(), Some("Abgelehnt"));
    assert_eq!(told("button[lang=de]").as_deref(), Some("Noch einmal"));
    assert_eq!(language("#lead"), "es-PE");
    assert!(page.find("#lead [lang]").is_none());
    assert_eq!(language(".reason span"), "");
    assert_eq!(told(".reason span").as_deref(), Some("<b>DENEGADO</b>"));
    page.close();

    new_tab();
    let page = Page::open(CheckoutProps {
        merchant_name: Some("Ginster und Gipfel".into()),
        page_language: Some("de".into()),
        ..unreachable()
    });
    page.sees("Ginster und Gipfel").await;
    let name = page.find("[lang=de]").and_then(|node| node.text_content());
    assert_eq!(name.as_deref(), Some("Ginster und Gipfel"));
    page.close();
}

#[wasm_bindgen_test]
async fn help_is_offered_once_a_payment_has_begun_and_its_address_has_the_number() {
    new_tab();
    Answer::new("CASHCODE", "PENDIENTE").is_given();
    let with = |help_url: &'static str, begun: bool| CheckoutProps {
        help_url: Some(help_url.into()),
        resume: begun.then(operation),
        ..unreachable()
    };
    let mail = "mailto:help@shop.example?subject=Payment%20{number}";
    let page = Page::open(with(mail, false));
    page.is_in("choosing").await;
    assert!(page.find("a[part=help]").is_none());
    page.close();

    let mut page = Page::open(with(mail, true));
    page.sees("¿Necesitas ayuda?").await;
    let link = page.find("a[part=help]").unwrap();
    assert_eq!(
        link.get_attribute("href").unwrap(),
        "mailto:help@shop.example?subject=Payment%204821"
    );
    // An address that runs something is none.
    page.update(with("javascript:alert({number})", true));
    page.until("no link", || page.find("a[part=help]").is_none())
        .await;
    page.close();
}

#[wasm_bindgen_test]
async fn paid_names_the_order_or_else_the_merchant() {
    let end = |order_label: Option<&'static str>, merchant_name: Option<&'static str>| {
        new_tab();
        Answer::new("CARD", "AUTORIZADO").is_given();
        Page::open(CheckoutProps {
            resume: Some(operation()),
            order_label: order_label.map(Into::into),
            merchant_name: merchant_name.map(Into::into),
            ..unreachable()
        })
    };
    for (order, merchant, lead) in [
        (Some("1001"), Some("Retama"), " por tu pedido 1001."),
        (None, Some("Retama"), " a Retama."),
        (None, None, "Pagaste S/ 129.90."),
    ] {
        let page = end(order, merchant);
        page.until(lead, || page.text().replace('\u{a0}', " ").contains(lead))
            .await;
        page.close();
    }
}

#[wasm_bindgen_test]
async fn paid_is_a_receipt_in_rows_with_the_servers_date() {
    let prints = printer();
    let at = |state, seconds| format!(r#"{{"state":"{state}","date":{{"unix_time":{seconds}}}}}"#);
    let lifecycle = [
        at("PENDIENTE", 1_707_000_000),
        at("AUTORIZADO", 1_735_000_000),
        at("LIQUIDADO", 1_767_000_000),
    ];
    new_tab();
    Answer::new("QR", "LIQUIDADO")
        .with("lifecycle", &format!("[{}]", lifecycle.join(",")))
        .is_given();
    let page = Page::open(CheckoutProps {
        resume: Some(operation()),
        merchant_name: Some("<i>Retama</i>".into()),
        order_label: Some("1001".into()),
        ..unreachable()
    });
    page.sees("¡Pago confirmado!").await;
    let receipt = page.find("[part=receipt]").unwrap();
    let rows = receipt.query_selector_all("dt").unwrap();
    let names = (0..rows.length()).map(|at| rows.get(at).unwrap().text_content().unwrap());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "Monto",
            "Pagado a",
            "Fecha",
            "Método",
            "Referencia",
            "Número de operación"
        ]
    );
    let text = receipt.text_content().unwrap();
    // When it was authorized, not when it was settled, nor now.
    assert!(text.contains("diciembre de 2024"), "{text}");
    for told in ["<i>Retama</i>", "Código QR", "Pedido 1001", "Copiar"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    // Without the element's own script the rows are saved as text.
    let link = page.find("a[download]").unwrap();
    assert_eq!(link.get_attribute("download").unwrap(), "4821.txt");
    let saved = link.get_attribute("href").unwrap();
    let saved = js_sys::decode_uri_component(&saved).unwrap();
    let saved = String::from(saved);
    assert!(saved.starts_with("data:text/plain"), "{saved}");
    assert!(saved.contains("Pagado a\t<i>Retama</i>\n"), "{saved}");
    page.press("Imprimir");
    assert_eq!(prints.length(), 1);
    page.close();

    // Without a date of the server's there is none.
    let page = open(&Answer::new("QR", "AUTORIZADO"));
    page.sees("¡Pago confirmado!").await;
    assert!(!page.text().contains("Fecha"));
    page.close();
}

#[wasm_bindgen_test]
async fn a_receipt_says_where_it_leads_by_itself_and_that_it_does_not_any_more() {
    new_tab();
    Answer::new("QR", "AUTORIZADO").is_given();
    let receipt = |host: Option<&str>, stays| CheckoutProps {
        resume: Some(operation()),
        leads_on: host.map(|host| host.to_owned().into()),
        stays,
        ..unreachable()
    };
    let mut page = Page::open(receipt(None, false));
    page.sees("¡Pago confirmado!").await;
    assert!(page.find("#note").is_none(), "{}", page.text());
    page.update(receipt(Some("shop.example"), false));
    page.sees("En 5 segundos irás a shop.example.").await;
    assert!(page.find("#note").is_some(), "it is read with the heading");
    page.press("Quedarme en esta página");
    page.update(receipt(Some("shop.example"), true));
    page.until("the end of it", || !page.text().contains("En 5 segundos"))
        .await;
    assert!(
        !page
            .button_words()
            .contains(&"Quedarme en esta página".to_owned())
    );
    let said = |page: &Page| page.find("[role=status]").unwrap().text_content();
    assert_eq!(said(&page).unwrap(), "Te quedas en esta página.");
    page.close();
}

#[wasm_bindgen_test]
async fn each_method_tells_its_reference_at_the_end() {
    for (method, state, response, told) in [
        (
            "BANK_TRANSFER",
            "DENEGADO",
            r#"{"origin_account":"***-**42","operation_id":"OP-9"}"#,
            &["***-**42", "OP-9"][..],
        ),
        (
            "CASHCODE",
            "AUTORIZADO",
            r#"{"payment_date":"2024-02-07 12:19:27","operationNumber":"77"}"#,
            &["2024-02-07 12:19:27", "77"],
        ),
        (
            "INSTALLMENT",
            "AUTORIZADO",
            r#"{"credit_status":"AUTORIZADO","operation_id":"CR-1"}"#,
            &["CR-1"],
        ),
    ] {
        let page = open(&Answer::new(method, state).with("processor_response", response));
        for text in told {
            page.sees(text).await;
        }
        page.close();
    }
}

#[wasm_bindgen_test]
async fn check_now_asks_at_once_and_says_that_there_is_nothing_new() {
    new_tab();
    // A method that is asked about seldom.
    Answer::new("BANK_TRANSFER", "PENDIENTE").is_given();
    let page = Page::open(CheckoutProps {
        resume: Some(operation()),
        locale: Some(Locale::En),
        ..unreachable()
    });
    // The screen before it has the button too.
    page.sees("Waiting for your transfer").await;
    assert!(!page.text().contains("Last checked"));
    let before = asked();
    page.press("Check now");
    page.sees("We do not see your payment yet. Last checked:")
        .await;
    let button = page.find("[id='action.check']").unwrap();
    assert_eq!(
        button.get_attribute("aria-disabled").as_deref(),
        Some("true")
    );
    // At once, since it opens again after a second.
    let now = asked();
    assert!(now > before);
    page.press("Check now");
    page.press("Check now");
    TimeoutFuture::new(0).await;
    assert_eq!(asked(), now);
    // The answer waits in the queue of the live region until the text of the screen is removed.
    page.until("the answer is said", || {
        let live = page.find("[role=status]").unwrap().text_content();
        live.is_some_and(|said| said.contains("Last checked"))
    })
    .await;
    page.until("open again", || {
        let button = page.find("[id='action.check']").unwrap();
        button.get_attribute("aria-disabled").is_none()
    })
    .await;
    page.close();
}

#[wasm_bindgen_test]
async fn check_now_says_since_when_the_payment_service_does_not_answer_the_server() {
    new_tab();
    let stored = Answer::new("BANK_TRANSFER", "PENDIENTE").body();
    let _asked = server(&format!(r#"[[200, {stored}, "Age", "95"]]"#));
    let page = Page::open(CheckoutProps {
        resume: Some(operation()),
        ..unreachable()
    });
    page.sees("Esperando tu transferencia").await;
    page.press("Consultar ahora");
    page.sees("no responde ahora. Última respuesta: ").await;
    page.close();
}
