//! What an account may not do, and what is not possible any more.

use super::answers::refuse;
use super::{Server, Staff, serve};
use staff_model::{Permission, ProblemType};
use wasm_bindgen_test::wasm_bindgen_test;

const BOTH: &[Permission] = &[Permission::Cancel, Permission::Refund];

#[wasm_bindgen_test]
async fn what_nobody_or_this_account_can_do_is_not_offered_and_a_sentence_says_why() {
    for (permissions, state, method, why) in [
        (
            &[][..],
            "LIQUIDADO",
            "INSTALLMENT",
            "Tu cuenta no puede devolver este pago.",
        ),
        (
            &[],
            "PENDIENTE",
            "QR",
            "Tu cuenta no puede anular ni revertir.",
        ),
        (
            BOTH,
            "EXPIRADO",
            "INSTALLMENT",
            "Ya terminó sin un pago que devolver.",
        ),
        (
            BOTH,
            "EXTORNADO",
            "INSTALLMENT",
            "Ya terminó sin un pago que devolver.",
        ),
    ] {
        let mut server = Server::with(state, method);
        server.session.permissions = permissions.to_vec();
        serve(&server);
        let staff = Staff::open();
        staff.sees("1 operación").await;
        let boxes = staff.shadow.query_selector("[role=table] [type=checkbox]");
        assert!(boxes.unwrap().is_none(), "{state}");
        staff.open_row().click();
        staff.sees(why).await;
        for offer in ["Devolver dinero", "Anular"] {
            assert!(!staff.has_button(offer), "{state}: {offer}");
        }
        staff.close();
    }
}

#[wasm_bindgen_test]
async fn a_cancellation_of_what_was_paid_meanwhile_says_that_nothing_was_cancelled() {
    let staff = Staff::on_operation("PENDIENTE", "QR").await;
    refuse(
        "DELETE /charges/100000001/482193017756",
        409,
        ProblemType::OperationPaid,
    );
    staff.button("Anular").click();
    staff.sees("¿Anular la operación").await;
    staff.presses("Sí, anular").await;
    staff
        .sees("La operación ya está pagada. No se anuló nada.")
        .await;
    staff.asks("DELETE ", &["?intent=cancel"]).await;
    staff.close();
}

#[wasm_bindgen_test]
async fn a_query_that_the_service_does_not_permit_names_the_token_of_the_merchant() {
    let staff = Staff::on_operation("AUTORIZADO", "INSTALLMENT").await;
    refuse(
        "GET /charges/100000001/482193017756/-",
        503,
        ProblemType::ServiceToken,
    );
    staff.presses("Consultar de nuevo").await;
    staff.sees("no acepta el token del comercio").await;
    staff.close();
}
