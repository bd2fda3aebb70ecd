//! The list of exceptions.

use super::answers::answer;
use super::{CREATED, Server, Staff, row, serve};
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
