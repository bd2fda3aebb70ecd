//! The list of exceptions.

use super::answers::answer;
use super::{CREATED, Server, Staff, row, serve};
use payment_model::Outcome;
use staff_model::{Exception, ExceptionCount, ExceptionKind, Exceptions, Permission};
use wasm_bindgen_test::wasm_bindgen_test;

fn open(kind: ExceptionKind) -> Exception {
    Exception {
        kind,
        since: CREATED,
        detail: String::new(),
        operation: row("AUTORIZADO", "QR"),
    }
}

/// The list with an order that was paid twice, for an account with these permissions.
async fn paid_twice(permissions: &[Permission]) -> Staff {
    let mut server = Server::with("AUTORIZADO", "QR");
    server.session.permissions = permissions.to_vec();
    let exceptions = Exceptions {
        exceptions: vec![open(ExceptionKind::PaidTwice)],
        counts: vec![],
    };
    server.answer("GET /exceptions", 200, &exceptions);
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.tab("Por revisar").click();
    staff.sees("El pedido se pagó dos veces").await;
    staff
}

#[wasm_bindgen_test]
async fn whoever_dealt_with_an_exception_says_how_and_whoever_only_looks_cannot() {
    let staff = paid_twice(&[]).await;
    assert!(staff.is_off("Marcar como resuelto"));
    assert!(staff.text().contains("Tu cuenta no puede hacer esto"));
    staff.close();

    let staff = paid_twice(&[Permission::Refund]).await;
    staff.presses("Marcar como resuelto").await;
    staff.presses("Sí, está resuelto").await;
    staff.sees("Escribe un motivo.").await;
    answer("POST /exceptions/resolve", 204, &());
    let none = Exceptions {
        exceptions: vec![],
        counts: vec![],
    };
    answer("GET /exceptions", 200, &none);
    staff.types("reason", "quiso dos mochilas");
    staff.presses("Sí, está resuelto").await;
    staff
        .asks(
            "POST /exceptions/resolve",
            &["paid_twice", "quiso dos mochilas"],
        )
        .await;
    staff
        .until("the end", || {
            !staff.text().contains("El pedido se pagó dos veces")
        })
        .await;
    staff.close();
}

#[wasm_bindgen_test]
async fn the_watch_of_an_operation_ends_only_where_staff_say_that_nothing_was_paid() {
    for (state, button, question, yes) in [
        (
            "PENDIENTE",
            "No se pagó nada",
            "¿No se pagó nada?",
            "Sí, no se pagó nada",
        ),
        // What has an outcome is watched on.
        (
            "AUTORIZADO",
            "Marcar como resuelto",
            "¿Está resuelto?",
            "Sí, está resuelto",
        ),
    ] {
        let mut server = Server::with(state, "QR");
        let mut unanswered = open(ExceptionKind::Unanswered);
        unanswered.operation = row(state, "QR");
        unanswered.operation.outcome = (state == "AUTORIZADO").then_some(Outcome::Paid);
        let exceptions = Exceptions {
            exceptions: vec![unanswered],
            counts: vec![],
        };
        server.answer("GET /exceptions", 200, &exceptions);
        serve(&server);
        let staff = Staff::open();
        staff.sees("1 operación").await;
        staff.tab("Por revisar").click();
        staff.presses(button).await;
        staff.sees(question).await;
        let says = staff.text().contains("se puede pagar otra vez");
        assert_eq!(says, state == "PENDIENTE", "{}", staff.text());
        answer("POST /exceptions/resolve", 204, &());
        staff.types("reason", "lo dijo el servicio de pagos");
        staff.presses(yes).await;
        staff
            .asks("POST /exceptions/resolve", &["unanswered", "lo dijo"])
            .await;
        staff.close();
    }
}

#[wasm_bindgen_test]
async fn a_list_that_is_cut_says_how_many_there_are_and_what_is_under_way_is_not_resolved() {
    let mut server = Server::with("AUTORIZADO", "QR");
    let exceptions = Exceptions {
        exceptions: vec![open(ExceptionKind::ReturnOpen)],
        counts: vec![
            ExceptionCount {
                kind: ExceptionKind::ReturnOpen,
                count: 1,
            },
            ExceptionCount {
                kind: ExceptionKind::NotSettled,
                count: 600,
            },
        ],
    };
    server.answer("GET /exceptions", 200, &exceptions);
    serve(&server);
    let staff = Staff::open();
    staff.sees("1 operación").await;
    staff.tab("Por revisar").click();
    staff.sees("Por revisar: 601").await;
    staff.sees("La lista tiene hasta 100 de cada clase.").await;
    let entry = staff.shadow.query_selector(".exception .actions");
    assert!(entry.unwrap().is_none());
    staff.close();
}
