//! Payment links, as staff see them.

use super::answers::{answer, refuse};
use super::{CREATED, Server, Staff, dispatch, serve};
use js_sys::Function;
use payment_model::{Cents, Currency, Timestamp};
use serde_json::{Value, json};
use staff_model::{
    LinkState, PaymentLink, PaymentLinks, Permission, Problem, ProblemType, QrPath, StaffStore,
};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlSelectElement;

const URL: &str = "https://shop.example/api/pay/secret";

fn link(id: &str, state: LinkState) -> PaymentLink {
    PaymentLink {
        merchant_code: "100000001".to_owned(),
        order_id: id.to_owned(),
        amount: Cents::new(4_500),
        currency: Currency::new("PEN"),
        label: "Polo azul".to_owned(),
        customer_name: Some("Rosa Salas".to_owned()),
        pay_until: Timestamp::from_secs(1_707_400_000),
        state,
        made_by: "ana".to_owned(),
        made_at: CREATED,
        ended_by: None,
        merchant_operation_number: None,
        url: Some(URL.to_owned()),
        qr: None,
    }
}

/// A server whose account sells, with these links.
fn server(links: Vec<PaymentLink>) -> Server {
    let mut server = Server::with("LIQUIDADO", "CARD");
    server.session.permissions = vec![Permission::Link];
    server.session.link_limit = Some(Cents::new(50_000));
    server.session.stores = vec![StaffStore {
        merchant_code: "100000001".to_owned(),
        merchant_name: "Tienda Sol".to_owned(),
        currency: Currency::new("PEN"),
    }];
    let next_cursor = None;
    let page = PaymentLinks { links, next_cursor };
    server.answer("GET /links", 200, &page);
    server
}

async fn on_links(server: &Server) -> Staff {
    serve(server);
    let staff = Staff::open();
    staff.presses("Enlaces").await;
    let loaded = || staff.finds(".page:not([hidden]) :is(.refund, .empty)");
    staff.until("the links", loaded).await;
    staff
}

/// Lets the browser share, as if the person thought better of it; with nothing, it cannot.
fn sharing(can: bool) {
    let script = "
        const share = async (data) => {
            globalThis.shared = JSON.stringify(data);
            throw new DOMException('not now', 'AbortError');
        };
        Object.defineProperty(navigator, 'share', { configurable: true, value: can ? share : undefined });
    ";
    Function::new_with_args("can", script)
        .call1(&JsValue::NULL, &can.into())
        .unwrap();
}

fn shared() -> Option<Value> {
    let shared = js_sys::Reflect::get(&js_sys::global(), &"shared".into()).unwrap();
    serde_json::from_str(&shared.as_string()?).ok()
}

#[wasm_bindgen_test]
async fn a_link_is_made_and_its_text_shared_in_the_chosen_language() {
    sharing(true);
    let staff = on_links(&server(Vec::new())).await;
    staff.sees("Todavía no hay enlaces").await;
    // A press of a person gives the focus, by which the way back is found.
    staff.button("Nuevo enlace").focus().unwrap();
    staff.presses("Nuevo enlace").await;
    staff.focuses("amount-0").await;
    staff.sees("Puedes pedir hasta S/").await;
    staff.presses("Hacer el enlace").await;
    staff.sees("Escribe un monto.").await;
    staff
        .sees("Escribe de 1 a 40 caracteres en una línea.")
        .await;
    staff.focuses("amount-0").await;
    refuse("POST /links", 400, ProblemType::BadRequest);
    staff.types("amount-0", "45.00");
    staff.types("label", "Polo azul");
    staff.presses("Hacer el enlace").await;
    staff.sees("la hora de este equipo").await;
    let over = Problem {
        kind: ProblemType::LinkRefused,
        left: Some(Cents::new(4_000)),
        ..Problem::default()
    };
    answer("POST /links", 409, &over);
    staff.types("amount-0", "45.00");
    staff.types("label", "Polo azul");
    staff.types("customer", "Rosa Salas");
    staff.presses("Hacer el enlace").await;
    let wrong = || staff.finds("#amount-0-wrong");
    staff.until("what is left, at the field", wrong).await;

    let made = PaymentLink {
        qr: Some(QrPath {
            size: 29,
            path: "M4 4h7v1h-7z".to_owned(),
        }),
        ..link("L1", LinkState::NotOpened)
    };
    answer("POST /links", 201, &made);
    staff.types("amount-0", "40.00");
    staff.presses("Hacer el enlace").await;
    staff.sees(URL).await;
    assert!(staff.finds("details:not([open]) svg[role=img][aria-label]"));
    staff.presses("Compartir").await;
    staff.until("a shared text", || shared().is_some()).await;
    let spanish = shared().unwrap();
    assert_eq!(spanish.as_object().unwrap().len(), 1);
    let text = spanish["text"].as_str().unwrap();
    assert!(text.starts_with("Tienda Sol: paga S/"), "{text}");
    assert!(text.contains("por Polo azul aquí: https://shop.example/api/pay/secret (hasta "));
    assert!(!text.contains("Rosa") && !text.contains('{'), "{text}");

    let language: HtmlSelectElement = staff.field("language").unchecked_into();
    language.set_value("en");
    dispatch(&language, "new Event('change', options)");
    staff.sees("Tienda Sol: pay S/").await;
    staff
        .sees("for Polo azul here: https://shop.example/")
        .await;
    staff.presses("Cerrar").await;
    staff.until("no dialog", || !staff.finds("dialog")).await;
    let focus = staff.shadow.active_element().unwrap().text_content();
    assert_eq!(focus.as_deref(), Some("Nuevo enlace"));
    let window = web_sys::window().unwrap();
    for storage in [window.local_storage(), window.session_storage()] {
        assert_eq!(storage.unwrap().unwrap().length(), Ok(0));
    }
    staff.close();
}

#[wasm_bindgen_test]
async fn a_browser_that_cannot_share_has_the_text_to_copy() {
    sharing(false);
    let staff = on_links(&server(vec![link("L1", LinkState::Waiting)])).await;
    answer(
        "GET /links/100000001/L1",
        200,
        &link("L1", LinkState::Waiting),
    );
    staff.presses("Enviar o mostrar").await;
    staff.sees("paga S/").await;
    assert!(!staff.has_button("Compartir") && !staff.finds("details"));
    assert!(staff.finds("[aria-label='Copiar: Enlace']"));
    assert!(staff.finds("[aria-label='Copiar: Texto para enviar']"));
    staff.close();
}

#[wasm_bindgen_test]
async fn the_list_tells_states_and_a_new_one_is_neutral() {
    let mut paid = link("L3", LinkState::Paid);
    paid.merchant_operation_number = Some("482193017756".to_owned());
    let mut over = link("L4", LinkState::Over);
    over.ended_by = Some("bea".to_owned());
    let mut server = server(Vec::new());
    let links = [
        link("L1", LinkState::NotOpened),
        link("L2", LinkState::Waiting),
        paid,
        over,
        link("L5", LinkState::Unknown),
    ];
    let mut links: Vec<Value> = links.iter().map(|link| json!(link)).collect();
    links[4]["state"] = "frozen".into();
    // An account that may make no links gets no addresses.
    for link in &mut links {
        link["url"] = Value::Null;
    }
    server.session.permissions.clear();
    server.answer(
        "GET /links",
        200,
        &json!({"links": links, "next_cursor": "c"}),
    );
    let staff = on_links(&server).await;
    let states = staff.shadow.query_selector_all(".refund .state").unwrap();
    let states: Vec<_> = (0..states.length())
        .map(|at| {
            let state = states.get(at).unwrap();
            let class = state.unchecked_ref::<web_sys::Element>().class_name();
            (state.text_content().unwrap(), class)
        })
        .collect();
    let expected = [
        ("Sin abrir", "state"),
        ("Esperando el pago", "state busy"),
        ("Pagado", "state good"),
        ("Terminado", "state over"),
        ("Estado nuevo", "state"),
    ];
    assert_eq!(
        states,
        expected.map(|(text, class)| (text.to_owned(), class.to_owned()))
    );
    staff.sees("Lo terminó bea").await;
    for nothing in ["Nuevo enlace", "Terminar", "Enviar o mostrar"] {
        assert!(!staff.has_button(nothing), "{nothing}");
    }
    assert!(staff.has_button("Mostrar más"));
    staff.presses("Ver la operación").await;
    staff.sees("Respuesta del procesador").await;
    staff.presses("← Volver").await;
    staff.sees("Lo terminó bea").await;
    staff.close();
}

#[wasm_bindgen_test]
async fn an_end_says_that_a_code_may_still_be_paid() {
    let staff = on_links(&server(vec![link("L1", LinkState::Waiting)])).await;
    let mut ended = link("L1", LinkState::Waiting);
    ended.ended_by = Some("ana".to_owned());
    refuse("POST /links/100000001/L1/end", 503, ProblemType::NotReady);
    staff.presses("Terminar").await;
    staff.sees("se anula, si se puede").await;
    staff.presses("Sí, terminar").await;
    staff.sees("El servidor falló").await;
    answer("POST /links/100000001/L1/end", 202, &ended);
    staff.presses("Sí, terminar").await;
    staff.sees("La lista dirá si lo pagó").await;
    staff.presses("Cerrar").await;
    staff.until("no dialog", || !staff.finds("dialog")).await;
    let focus = staff.shadow.active_element().unwrap().tag_name();
    assert_eq!(focus, "H2");
    staff.close();
}

#[wasm_bindgen_test]
async fn an_older_server_has_no_tab_for_links() {
    let older = Server::with("LIQUIDADO", "CARD");
    serve(&older);
    let mut session = json!(older.session);
    for later in ["stores", "link_limit", "link_limit_a_day"] {
        session.as_object_mut().unwrap().remove(later);
    }
    answer("GET /session", 200, &session);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    assert!(!staff.has_button("Enlaces") && staff.has_button("Operaciones"));
    staff.close();
}
