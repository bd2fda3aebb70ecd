//! Returns by hand that take two people.

use super::{CREATED, Server, Staff, asked, serve};
use payment_model::Cents;
use serde_json::json;
use staff_model::{ManualReturn, ReturnState};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

#[wasm_bindgen_test]
async fn a_return_that_takes_two_people_says_who_asked_and_waits_for_another() {
    let returned = |id: &str, state, already_made, staff: &str| ManualReturn {
        return_id: id.to_owned(),
        state,
        amount: Cents::new(500),
        reason: "a su cuenta".to_owned(),
        staff: staff.to_owned(),
        at: CREATED,
        already_made,
        give_up_asked_by: None,
        give_up_reason: None,
        ended_by: None,
        ended_at: None,
        end_reason: None,
    };
    let asked_for = |name: &str| ManualReturn {
        give_up_asked_by: Some(name.to_owned()),
        give_up_reason: Some("un cero de más".to_owned()),
        ..returned("theirs", ReturnState::Done, true, "bea")
    };
    let mut server = Server::with("AUTORIZADO", "QR");
    // Ana is signed in.
    server.details.returns = vec![
        returned("own", ReturnState::Open, true, "ana"),
        asked_for("bea"),
    ];
    let withdrawn = ManualReturn {
        state: ReturnState::GivenUp,
        ..asked_for("bea")
    };
    server.answer("POST /returns/theirs/given-up", 200, &withdrawn);
    let refused = json!({
        "type": "urn:payment-checkout:problem:return-refused", "status": 400,
        "title": "The return cannot be recorded", "detail": "too much", "reason": "over_limit",
        "left": 1_250, "field": "amount",
    });
    server.answer("POST /returns", 400, &refused);
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.open_row().click();
    staff.sees("Espera a otra persona").await;
    assert!(staff.text().contains("Se hizo antes de reservarla."));
    // She recorded it, so another person confirms it.
    assert!(staff.is_off("Ya se hizo"), "{}", staff.text());
    staff
        .sees("bea pidió dejarla sin hacer: un cero de más")
        .await;

    let buttons = staff.shadow.query_selector_all(".refund button").unwrap();
    let last = buttons.item(buttons.length() - 1).unwrap();
    last.unchecked_into::<HtmlElement>().click();
    staff.sees("cuando otra persona también lo pida").await;
    staff.types("reason", "Nunca salió");
    staff.presses("Sí, dejarla sin hacer").await;
    staff.sees("Quedó anotado.").await;
    let sent = asked().into_iter();
    let mut sent = sent.filter(|one| one.starts_with("POST /returns/theirs/given-up"));
    assert!(sent.next().unwrap().contains("Nunca salió"));

    staff.button("Devolver dinero").click();
    staff.sees("antes de que salga el dinero").await;
    staff.types("amount-0", "50.00");
    staff.types("reason", "en caja");
    staff.presses("Reservar").await;
    staff.sees("Ahora se puede devolver hasta S/").await;
    staff.close();
}
