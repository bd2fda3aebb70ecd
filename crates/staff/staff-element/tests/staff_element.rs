//! Tests the staff's element in a browser: its screens and permissions, with answers in the types of
//! the contract. The end-to-end tests test the merchant's server.

#![cfg(target_family = "wasm")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "staff_element/answers.rs"]
mod answers;
#[path = "staff_element/blocks.rs"]
mod blocks;
#[path = "staff_element/denials.rs"]
mod denials;
#[path = "staff_element/exceptions.rs"]
mod exceptions;
#[path = "staff_element/links.rs"]
mod links;
#[path = "staff_element/list.rs"]
mod list;
#[path = "staff_element/news.rs"]
mod news;
#[path = "staff_element/returns.rs"]
mod returns;
#[path = "staff_element/second_factor.rs"]
mod second_factor;

use answers::{CREATED, Server, asked, refuse, row, serve};
use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use payment_model::{Cents, Outcome};
use staff_element::{Locale, StaffElement, StaffElementProps};
use staff_model::{ManualReturn, ProblemType, ReturnState, Reversal, ReversalState};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, ShadowRoot, ShadowRootInit, ShadowRootMode};
use yew::{AppHandle, props};

wasm_bindgen_test_configure!(run_in_browser);

/// The element in a page, and a merchant's server that answers from a list.
struct Staff {
    host: Element,
    shadow: ShadowRoot,
    app: Option<AppHandle<StaffElement>>,
}

impl Staff {
    fn open() -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let host = document.create_element("div").unwrap();
        document.body().unwrap().append_child(&host).unwrap();
        let shadow = host
            .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open))
            .unwrap();
        let stage = document.create_element("div").unwrap();
        shadow.append_child(&stage).unwrap();
        let props = props!(StaffElementProps {
            base_url: "/api",
            locale: Locale::EsPe
        });
        let app = yew::Renderer::<StaffElement>::with_root_and_props(stage, props).render();
        Self {
            host,
            shadow,
            app: Some(app),
        }
    }

    /// The page of the one operation.
    async fn on_operation(state: &str, method: &str) -> Self {
        serve(&Server::with(state, method));
        let staff = Self::open();
        staff.sees("1 operación").await;
        staff.open_row().click();
        staff.sees("Respuesta del procesador").await;
        staff
    }

    fn close(mut self) {
        self.app.take().unwrap().destroy();
        self.host.remove();
    }

    fn text(&self) -> String {
        self.shadow.text_content().unwrap_or_default()
    }

    async fn sees(&self, text: &str) {
        self.until(text, || self.text().contains(text)).await;
    }

    /// Waits until this is true.
    async fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        for _ in 0..500 {
            if is_so() {
                return;
            }
            TimeoutFuture::new(10).await;
        }
        panic!("no {what:?} on: {}", self.text());
    }

    fn button(&self, words: &str) -> HtmlElement {
        self.button_that(words, |text| text.trim() == words)
    }

    /// The way to a list, which has the number of its entries behind its name.
    fn tab(&self, name: &str) -> HtmlElement {
        self.button_that(name, |text| text.starts_with(name))
    }

    fn button_that(&self, words: &str, is_it: impl Fn(&str) -> bool) -> HtmlElement {
        let found = self.shadow.query_selector_all("button").unwrap();
        (0..found.length())
            .map(|at| found.get(at).unwrap().unchecked_into::<HtmlElement>())
            .find(|button| button.text_content().is_some_and(|text| is_it(&text)))
            .unwrap_or_else(|| panic!("no button {words:?} on: {}", self.text()))
    }

    /// The control that opens the one operation of the list.
    fn open_row(&self) -> HtmlElement {
        let found = self.shadow.query_selector(".rows .open").unwrap();
        found.unwrap().unchecked_into()
    }

    /// Presses a button as soon as it is there and its data has been read.
    async fn presses(&self, words: &str) {
        let ready = || self.has_button(words) && !self.is_off(words);
        self.until(words, ready).await;
        self.button(words).click();
    }

    fn has_button(&self, words: &str) -> bool {
        let found = self.shadow.query_selector_all("button").unwrap();
        let mut texts = (0..found.length()).filter_map(|at| found.get(at)?.text_content());
        texts.any(|text| text.trim() == words)
    }

    fn is_off(&self, words: &str) -> bool {
        let button = self.button(words);
        button.has_attribute("disabled") || button.get_attribute("aria-disabled").is_some()
    }

    fn field(&self, id: &str) -> Element {
        let field = self.shadow.query_selector(&["#", id].concat()).unwrap();
        field.unwrap_or_else(|| panic!("no field {id}: {}", self.text()))
    }

    fn types(&self, id: &str, text: &str) {
        let field = self.field(id);
        field
            .unchecked_ref::<web_sys::HtmlInputElement>()
            .set_value(text);
        dispatch(&field, "new InputEvent('input', options)");
    }

    /// Waits for a request that begins like this and has all these parts, and returns it.
    async fn asks(&self, begin: &str, parts: &[&str]) -> String {
        let meant =
            |one: &String| one.starts_with(begin) && parts.iter().all(|part| one.contains(part));
        let found = || asked().into_iter().find(meant);
        self.until(&format!("{begin} {parts:?}"), || found().is_some())
            .await;
        found().unwrap()
    }
}

/// Dispatches an event as a browser does. False where it was prevented.
fn dispatch(target: &Element, event: &str) -> bool {
    let options = "const options = { bubbles: true, composed: true, cancelable: true };";
    let script = format!("{options} return target.dispatchEvent({event})");
    Function::new_with_args("target", &script)
        .call1(&JsValue::NULL, target)
        .unwrap()
        .is_truthy()
}

#[wasm_bindgen_test]
async fn a_payment_that_was_given_back_is_reversed_in_the_list_and_on_its_page() {
    let mut server = Server::with("CANCELADO", "QR");
    for row in [&mut server.list.operations[0], &mut server.details.row] {
        row.outcome = Some(Outcome::Reversed);
    }
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    // The form names all states; the row has one.
    let state = staff.shadow.query_selector(".row .state.back").unwrap();
    let state = state.unwrap().text_content();
    assert_eq!(state.as_deref(), Some("Revertida"));
    staff.open_row().click();
    staff.sees("Respuesta del procesador").await;
    assert!(
        staff.text().contains("Pagada y revertida"),
        "{}",
        staff.text()
    );
    staff.close();
}

#[wasm_bindgen_test]
async fn one_button_gives_money_back_and_what_cannot_be_done_is_not_there() {
    for (state, method, asks) in [
        ("AUTORIZADO", "CARD", Some("Al revertirla se devuelve")),
        ("AUTORIZADO", "WALLET", Some("Al revertirla se devuelve")),
        (
            "LIQUIDADO",
            "QR",
            Some("El servicio no reembolsa este método"),
        ),
        (
            "LIQUIDADO",
            "CASHCODE",
            Some("El servicio no reembolsa este método"),
        ),
        (
            "LIQUIDADO",
            "NUEVO",
            Some("El servicio no reembolsa este método"),
        ),
        ("LIQUIDADO", "CARD", Some("Todo (S/")),
        ("LIQUIDADO", "WALLET", Some("Todo (S/")),
        ("LIQUIDADO", "INSTALLMENT", Some("Todo (S/")),
        ("SIN_NOMBRE", "CARD", None),
        ("EXPIRADO", "QR", None),
    ] {
        let staff = Staff::on_operation(state, method).await;
        assert!(staff.text().contains("rosa@example.com") && staff.text().contains("2 × Mochila"));
        if let Some(asks) = asks {
            staff.button("Devolver dinero").click();
            staff.sees(asks).await;
            assert!(
                staff.text().contains("Devolver a Rosa Quispe"),
                "{state} {method}"
            );
        } else {
            assert!(
                !staff.text().contains("Devolver dinero"),
                "{state} {method}"
            );
        }
        assert!(!staff.text().contains("Anular"), "{state} {method}");
        staff.close();
    }
}

#[wasm_bindgen_test]
async fn lifecycles_are_told_in_local_time_and_utc_and_what_is_new_as_text() {
    let staff = Staff::on_operation("LIQUIDADO", "CARD").await;
    let text = staff.text();
    // 17:19:27 UTC is 12:19:27 in Lima. The browser's own zone does not matter.
    assert!(text.contains("12:19:27\u{a0}p.m."), "{text}");
    assert!(text.contains("2024-02-07 17:19:27 UTC"), "{text}");
    for new in [
        "SIN_NOMBRE",
        "EN_CAMINO",
        "new value",
        "deep.list.0",
        "<b>raw</b>",
        "4111****1111",
    ] {
        assert!(text.contains(new), "{new}: {text}");
    }
    assert!(staff.shadow.query_selector("b").unwrap().is_none());
    staff.close();
}

#[wasm_bindgen_test]
async fn a_paid_operation_is_reversed_only_after_its_number_was_typed() {
    let staff = Staff::on_operation("AUTORIZADO", "QR").await;
    staff.button("Devolver todo el pago").click();
    staff.sees("Al revertirla se devuelve").await;
    assert!(staff.is_off("Sí, devolver el pago"));
    staff.types("confirmation", "7755");
    TimeoutFuture::new(0).await;
    assert!(staff.is_off("Sí, devolver el pago"));
    staff.types("confirmation", "7756");
    let on = || !staff.is_off("Sí, devolver el pago");
    staff.until("confirmed", on).await;
    assert!(asked().iter().all(|one| !one.starts_with("DELETE")));
    staff.button("Sí, devolver el pago").click();
    staff.sees("No existe").await;
    let deletes = asked().into_iter().filter(|one| one.starts_with("DELETE"));
    assert_eq!(
        deletes.collect::<Vec<_>>(),
        ["DELETE /charges/100000001/482193017756?intent=reverse "]
    );
    staff.close();
}

#[wasm_bindgen_test]
async fn a_session_that_ends_in_the_middle_keeps_the_form() {
    let staff = Staff::on_operation("LIQUIDADO", "CARD").await;
    refuse("POST /refund", 401, ProblemType::SignInRequired);
    staff.button("Devolver dinero").click();
    staff.sees("Quedan").await;
    // All of it is chosen to begin with.

    staff.presses("Continuar").await;
    staff.sees("Revisa antes de devolver").await;
    staff.button("Sí, reembolsar").click();
    staff.button("Sí, reembolsar").click();
    staff.sees("Tu sesión terminó").await;
    assert!(staff.text().contains("69.99"), "{}", staff.text());
    let sent = asked()
        .into_iter()
        .filter(|one| one.starts_with("POST /refund"));
    assert_eq!(sent.count(), 1);
    staff.close();
}

#[wasm_bindgen_test]
async fn a_return_by_hand_is_reserved_first_and_a_reversal_in_doubt_waits_for_another_person() {
    let returned = |state| ManualReturn {
        return_id: "ret".to_owned(),
        state,
        amount: Cents::new(500),
        reason: "a su cuenta".to_owned(),
        staff: "ana".to_owned(),
        at: CREATED,
        already_made: false,
        give_up_asked_by: None,
        give_up_reason: None,
        ended_by: None,
        ended_at: None,
        end_reason: None,
    };
    let mut server = Server::with("AUTORIZADO", "QR");
    server.details.returns = vec![returned(ReturnState::Open)];
    server.details.reversals = vec![Reversal {
        reversal_id: "rev".to_owned(),
        state: ReversalState::InDoubt,
        amount: Cents::new(10_000),
        staff: Some("ana".to_owned()),
        at: CREATED,
        detail: "no answer in time".to_owned(),
        released_by: None,
    }];
    let done = returned(ReturnState::Done);
    server.answer("POST /returns/ret/done", 200, &done);
    server.answer("POST /returns", 201, &done);
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.open_row().click();
    staff.sees("Anulaciones y reversiones").await;
    assert!(staff.text().contains("Todo el pago sigue reservado"));
    assert!(staff.is_off("Liberar el monto"), "{}", staff.text());

    staff.button("Ya se hizo").click();
    staff.sees("Reservado: S/").await;
    staff.types("reason", "Transferencia 7");
    staff.presses("Sí, se hizo").await;
    staff.sees("Quedó anotado.").await;
    staff
        .asks("POST /returns/ret/done", &["Transferencia 7"])
        .await;

    staff.button("Devolver dinero").click();
    staff.sees("antes de que salga el dinero").await;
    let tick = staff.shadow.query_selector("#already-made").unwrap();
    tick.unwrap().unchecked_into::<HtmlElement>().click();
    staff.types("amount-0", "5.00");
    staff.types("reason", "en caja");
    staff.presses("Registrar").await;
    staff
        .asks("POST /returns ", &["\"already_made\":true"])
        .await;
    staff.close();
}

#[wasm_bindgen_test]
async fn what_staff_compare_is_not_translated() {
    serve(&Server::with("AUTORIZADO", "QR"));
    let staff = Staff::open();
    let kept = || {
        let found = staff.shadow.query_selector_all("[translate=no]").unwrap();
        let texts = (0..found.length()).map(|at| found.get(at).unwrap().text_content().unwrap());
        texts.collect::<String>()
    };
    staff.sees("1 operación").await;
    for text in ["4821", "7756", "S/"] {
        assert!(kept().contains(text), "{text}: {}", kept());
    }
    staff.open_row().click();
    staff.sees("Respuesta del procesador").await;
    for text in ["482193017756", "S/"] {
        assert!(kept().contains(text), "{text}: {}", kept());
    }
    staff.close();
}
