//! The second factor, as staff see it.

use super::answers::{answer, refuse};
use super::{Server, Staff, asked, serve};
use gloo_timers::future::TimeoutFuture;
use serde_json::{Value, json};
use staff_model::{Enrolled, EnrolmentKey, Problem, ProblemType, QrPath, SecondFactor};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

const KEY: &str = "JBSWY3DPEHPK3PXP";

fn server(second_factor: SecondFactor) -> Server {
    let mut server = Server::with("LIQUIDADO", "CARD");
    server.session.second_factor = second_factor;
    server
}

/// The page of the one operation, for an account with this second factor.
async fn on_operation(second_factor: SecondFactor) -> Staff {
    serve(&server(second_factor));
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.open_row().click();
    staff.sees("Respuesta del procesador").await;
    staff
}

fn key(uri: &str) -> EnrolmentKey {
    EnrolmentKey {
        key: KEY.to_owned(),
        uri: uri.to_owned(),
        qr: QrPath {
            size: 29,
            path: "M4 4h7v1h-7z".to_owned(),
        },
    }
}

impl Staff {
    pub(super) async fn focuses(&self, id: &str) {
        let has = || self.shadow.active_element().is_some_and(|it| it.id() == id);
        self.until(&format!("focus on {id}"), has).await;
    }

    fn value(&self, id: &str) -> String {
        self.field(id).unchecked_into::<HtmlInputElement>().value()
    }

    pub(super) fn finds(&self, selector: &str) -> bool {
        self.shadow.query_selector(selector).unwrap().is_some()
    }
}

/// The bodies of the requests that begin like this.
fn bodies(begin: &str) -> Vec<Value> {
    let asked = asked();
    let bodies = asked.iter().filter_map(|one| one.strip_prefix(begin));
    bodies
        .map(|body| serde_json::from_str(body).unwrap())
        .collect()
}

#[wasm_bindgen_test]
async fn a_sign_in_shows_the_field_for_a_code_once_the_server_asks_for_one() {
    serve(&server(SecondFactor::Enrolled));
    refuse("GET /session", 401, ProblemType::SignInRequired);
    refuse("POST /session", 403, ProblemType::SecondFactorRequired);
    let staff = Staff::open();
    staff
        .until("the form", || staff.has_button("Ingresar"))
        .await;
    assert!(!staff.finds("#code"));
    staff.types("name", "ana");
    staff.types("password", "secret");
    staff.presses("Ingresar").await;
    staff.focuses("code").await;
    let code = staff.field("code");
    assert_eq!(
        code.get_attribute("autocomplete").as_deref(),
        Some("one-time-code")
    );
    assert_eq!(code.get_attribute("inputmode"), None);
    assert_eq!(
        (staff.value("name"), staff.value("password")),
        ("ana".into(), "secret".into())
    );
    assert!(!staff.finds(".trouble"), "{}", staff.text());

    refuse("POST /session", 403, ProblemType::SecondFactorRefused);
    staff.types("code", "123456");
    staff
        .field("name")
        .unchecked_ref::<HtmlInputElement>()
        .focus()
        .unwrap();
    staff.presses("Ingresar").await;
    staff.sees("ya se usó o venció").await;
    staff.focuses("code").await;
    assert_eq!(staff.value("code"), "");
    let described = staff.field("code").get_attribute("aria-describedby");
    assert_eq!(described.as_deref(), Some("code-wrong code-hint"));

    answer(
        "POST /session",
        200,
        &server(SecondFactor::Enrolled).session,
    );
    staff.types("code", "654321");
    staff.presses("Ingresar").await;
    staff.sees("1 operación").await;
    let codes: Vec<_> = bodies("POST /session ")
        .into_iter()
        .map(|body| body["code"].clone())
        .collect();
    assert_eq!(codes, [Value::Null, json!("123456"), json!("654321")]);
    staff.close();
}

#[wasm_bindgen_test]
async fn a_refund_waits_for_a_code_in_its_own_dialog_and_then_is_the_same_request() {
    let staff = on_operation(SecondFactor::Enrolled).await;
    refuse("POST /refund", 403, ProblemType::SecondFactorRequired);
    refuse("POST /session/code", 403, ProblemType::SecondFactorRefused);
    staff.presses("Devolver dinero").await;
    staff.presses("Continuar").await;
    staff.presses("Sí, reembolsar").await;
    staff.sees("los últimos cinco minutos").await;
    staff.focuses("dialog-code").await;
    staff.presses("Volver sin hacer nada").await;
    staff.sees("Esta solicitud no se realizó").await;
    assert!(staff.text().contains("69.99"), "{}", staff.text());

    staff.presses("Sí, reembolsar").await;
    staff.focuses("dialog-code").await;
    staff.types("dialog-code", "123456");
    staff.presses("Confirmar y seguir").await;
    staff.sees("ya se usó o venció").await;
    assert_eq!(staff.value("dialog-code"), "");
    staff.focuses("dialog-code").await;

    answer("POST /session/code", 204, &json!(null));
    refuse("POST /refund", 409, ProblemType::RefundsUnknown);
    staff.types("dialog-code", "654321");
    staff.presses("Confirmar y seguir").await;
    staff.sees("Ahora no se puede saber").await;
    let refunds = bodies("POST /refund ");
    assert_eq!(refunds.len(), 3);
    assert!(refunds.iter().all(|body| *body == refunds[0]));
    let codes = bodies("POST /session/code ");
    assert_eq!(
        codes,
        [json!({"code": "123456"}), json!({"code": "654321"})]
    );
    staff.close();
}

#[wasm_bindgen_test]
async fn an_account_that_lacks_its_second_factor_looks_sets_it_up_and_acts() {
    let staff = on_operation(SecondFactor::Missing).await;
    staff.sees("solo puede mirar").await;
    assert!(!staff.has_button("Devolver dinero"));
    answer(
        "POST /second-factor",
        200,
        &key("otpauth://totp/x:ana?secret=JBSWY3DPEHPK3PXP"),
    );
    staff.presses("Configurar segundo factor").await;
    staff.focuses("dialog-code").await;
    staff.types("dialog-code", "ABCDE-FGHIJ-KLMNO-PQRST");
    staff.presses("Continuar").await;
    staff.sees(KEY).await;
    staff.focuses("dialog-code").await;
    assert_eq!(staff.value("dialog-code"), "");
    let qr = staff
        .shadow
        .query_selector("svg[role=img]")
        .unwrap()
        .unwrap();
    assert_eq!(
        qr.namespace_uri().as_deref(),
        Some("http://www.w3.org/2000/svg")
    );
    assert_eq!(qr.get_attribute("viewBox").as_deref(), Some("0 0 29 29"));
    assert!(
        qr.get_attribute("aria-label")
            .is_some_and(|name| !name.is_empty())
    );
    let fills = ["rect", "path"].map(|part| {
        let part = qr.query_selector(part).unwrap().unwrap();
        part.get_attribute("fill").unwrap()
    });
    assert_eq!(fills, ["#fff", "#000"]);
    assert!(staff.finds("a[href^='otpauth:']"));

    let recovery_codes: Vec<_> = (0..10).map(|n| format!("AAAA-BBBB-CCCC-DDD{n}")).collect();
    answer(
        "POST /second-factor/confirm",
        200,
        &Enrolled { recovery_codes },
    );
    staff.types("dialog-code", "123456");
    staff.presses("Continuar").await;
    staff.sees("Solo se muestran ahora").await;
    let listed = staff.shadow.query_selector_all("ol.codes li").unwrap();
    assert_eq!(listed.length(), 10);
    // Escape would lose them.
    let dialog = staff.shadow.query_selector("dialog").unwrap().unwrap();
    super::dispatch(&dialog, "new Event('cancel', { cancelable: true })");
    TimeoutFuture::new(20).await;
    assert!(staff.has_button("Copiar") && staff.has_button("Imprimir"));
    staff.presses("Ya los tengo").await;
    staff.until("no dialog", || !staff.finds("dialog")).await;
    let kept = staff.shadow.inner_html();
    assert!(!kept.contains("AAAA-BBBB") && !kept.contains(KEY));
    let window = web_sys::window().unwrap();
    for storage in [window.local_storage(), window.session_storage()] {
        assert_eq!(storage.unwrap().unwrap().length(), Ok(0));
    }
    assert!(staff.has_button("Devolver dinero") && staff.has_button("Cambiar de dispositivo"));
    staff.close();
}

#[wasm_bindgen_test]
async fn an_address_that_is_no_key_is_no_link() {
    let staff = on_operation(SecondFactor::Optional).await;
    answer("POST /second-factor", 200, &key("javascript:alert(1)"));
    staff.presses("Configurar segundo factor").await;
    staff.focuses("dialog-code").await;
    staff.types("dialog-code", "ABCDE-FGHIJ-KLMNO-PQRST");
    staff.presses("Continuar").await;
    staff.sees(KEY).await;
    assert!(!staff.finds("dialog a"));
    staff.close();
}

#[wasm_bindgen_test]
async fn an_older_server_offers_nothing_of_a_second_factor() {
    serve(&server(SecondFactor::Unknown));
    let mut old = json!(server(SecondFactor::Unknown).session);
    old.as_object_mut().unwrap().remove("second_factor");
    answer("GET /session", 200, &old);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.open_row().click();
    staff.sees("Respuesta del procesador").await;
    assert!(staff.has_button("Devolver dinero"));
    assert!(!staff.text().contains("factor") && !staff.text().contains("dispositivo"));
    staff.close();
}

#[wasm_bindgen_test]
async fn a_failure_with_the_id_of_its_request_has_it_to_copy_and_others_have_none() {
    let staff = on_operation(SecondFactor::Enrolled).await;
    let problem = |trace_id: Option<&str>| Problem {
        kind: ProblemType::ServiceUnavailable,
        trace_id: trace_id.map(str::to_owned),
        ..Problem::default()
    };
    let query = "GET /charges/100000001/482193017756/-";
    let id = "4bf92f3577b34da6a3ce929d0e0e4736";
    answer(query, 503, &problem(Some(id)));
    staff.presses("Consultar de nuevo").await;
    staff.sees(id).await;
    staff.sees("Id de la solicitud").await;
    assert!(staff.finds("[aria-label='Copiar: Id de la solicitud']"));
    answer(query, 503, &problem(None));
    staff.presses("Consultar de nuevo").await;
    staff.until("no id", || !staff.text().contains(id)).await;
    staff.sees("El servicio de pagos no responde").await;
    assert!(!staff.text().contains("Id de la solicitud"));
    staff.close();
}
