//! The list of exceptions.

use super::{CREATED, Server, Staff, row, serve};
use staff_model::{Exception, ExceptionCount, ExceptionKind, Exceptions};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn a_list_that_is_cut_says_how_many_there_are_and_what_is_under_way_is_not_resolved() {
    let mut server = Server::with("AUTORIZADO", "QR");
    let open = |kind| Exception {
        kind,
        since: CREATED,
        detail: String::new(),
        operation: row("AUTORIZADO", "QR"),
    };
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
