//! A blocked order, as staff see it.

use super::answers::{answer, refuse};
use super::{CREATED, Server, Staff, asked, row, serve};
use staff_model::{Exception, ExceptionKind, Exceptions, OrderRelease, Permission, ProblemType};
use wasm_bindgen_test::wasm_bindgen_test;

/// The list with an operation that blocks its order, for an account with this permission.
async fn blocked(permission: Permission) -> Staff {
    let mut server = Server::with("PENDIENTE", "QR");
    server.session.permissions = vec![permission];
    let exceptions = Exceptions {
        counts: vec![],
        exceptions: vec![Exception {
            kind: ExceptionKind::Blocked,
            since: CREATED,
            detail: String::new(),
            operation: row("PENDIENTE", "QR"),
        }],
    };
    server.answer("GET /exceptions", 200, &exceptions);
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.tab("Por revisar").click();
    staff.sees("Alguien espera otro código").await;
    staff
}

#[wasm_bindgen_test]
async fn an_order_is_given_free_with_a_reason_and_its_outcome_is_said() {
    const RELEASE: &str = "POST /operations/100000001/482193017756/release";
    let staff = blocked(Permission::Cancel).await;
    let no_question = || !staff.text().contains("¿Liberar el pedido");
    let outcomes = [
        (
            202,
            "Quedó anotado. El pedido queda libre cuando otra persona",
        ),
        (200, "El pedido quedó libre"),
    ];
    for (status, outcome) in outcomes {
        let released = status == 200;
        answer(RELEASE, status, &OrderRelease { released });
        staff.presses("Liberar el pedido").await;
        staff.sees("¿Liberar el pedido ORD-1?").await;
        staff.button("Sí, liberar").click();
        staff.sees("Escribe un motivo.").await;
        staff.types("reason", "espera en la caja");
        staff.presses("Sí, liberar").await;
        staff.sees(outcome).await;
        staff.presses("Cerrar").await;
        staff.until("the end of the question", no_question).await;
    }
    for (status, problem, sentence) in [
        (
            403,
            ProblemType::SecondPersonRequired,
            "Esto lo hace otra persona",
        ),
        (409, ProblemType::NotBlocked, "Ya no bloquea el pedido"),
    ] {
        refuse(RELEASE, status, problem);
        staff.presses("Liberar el pedido").await;
        staff.sees("¿Liberar el pedido ORD-1?").await;
        staff.types("reason", "espera en la caja");
        staff.presses("Sí, liberar").await;
        staff.sees(sentence).await;
        staff.presses("Volver sin hacer nada").await;
        staff.until("the end of the question", no_question).await;
    }
    let asked = asked();
    let released = [RELEASE, r#" {"reason":"espera en la caja"}"#].concat();
    assert_eq!(asked.iter().filter(|one| **one == released).count(), 4);
    // The list is read anew each time, and once before for the number behind its name.
    let read = asked
        .iter()
        .filter(|one| one.starts_with("GET /exceptions"));
    assert_eq!(read.count(), 6);
    staff.close();
}

#[wasm_bindgen_test]
async fn an_account_that_may_not_cancel_gives_no_order_free() {
    let staff = blocked(Permission::Refund).await;
    assert!(staff.is_off("Liberar el pedido"));
    assert!(!staff.is_off("Marcar como resuelto"));
    staff.close();
}
