//! The list of operations: its filters, its pages, its order, and its keys.

use super::answers::answer;
use super::{Server, Staff, dispatch, row, serve};
use payment_model::Outcome;
use staff_model::{OperationRow, SearchPage};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, HtmlSelectElement};

const LIST: &str = "GET /operations";
const OWN: &str = "482193017756";
const OTHER: &str = "482193017757";

fn page(numbers: &[&str], next: Option<&str>) -> SearchPage {
    let named = |number: &&str| OperationRow {
        merchant_operation_number: (*number).to_owned(),
        outcome: Some(Outcome::Paid),
        ..row("LIQUIDADO", "INSTALLMENT")
    };
    SearchPage {
        operations: numbers.iter().map(named).collect(),
        next_cursor: next.map(str::to_owned),
    }
}

/// The element with a list that the server answered.
async fn listed(page: SearchPage) -> Staff {
    let mut server = Server::with("LIQUIDADO", "INSTALLMENT");
    let first = page.operations.len();
    server.list = page;
    serve(&server);
    let staff = Staff::open();
    staff.sees(&format!("{first} operaci")).await;
    staff
}

impl Staff {
    /// The controls that open the operations, from the top.
    fn rows(&self) -> Vec<HtmlElement> {
        let found = self.shadow.query_selector_all(".rows .open").unwrap();
        (0..found.length())
            .map(|at| found.get(at).unwrap().unchecked_into())
            .collect()
    }

    fn chooses(&self, id: &str, value: &str) {
        let field = self.field(id);
        field.unchecked_ref::<HtmlSelectElement>().set_value(value);
        dispatch(&field, "new Event('change', options)");
    }

    fn has_focus(&self, element: &Element) -> bool {
        self.shadow.active_element().as_ref() == Some(element)
    }

    /// Presses a key on what has the focus. False where the key does not do what it does anyway.
    fn types_key(&self, key: &str) -> bool {
        let target = self.shadow.active_element();
        let target = target.unwrap_or_else(|| self.field("text").closest("form").unwrap().unwrap());
        dispatch(
            &target,
            &format!("new KeyboardEvent('keydown', {{ ...options, key: '{key}' }})"),
        )
    }
}

#[wasm_bindgen_test]
async fn filters_are_asked_for_also_as_a_file_and_wrong_ones_are_named_at_their_fields() {
    let staff = listed(page(&[OWN], None)).await;
    staff.chooses("state", "LIQUIDADO");
    staff.chooses("method", "INSTALLMENT");
    for (id, text) in [
        ("text", "ORD-1"),
        ("from", "2026-11-20"),
        ("to", "2026-11-21"),
        ("amount-min", "129.90"),
        ("amount-max", "129.90"),
    ] {
        staff.types(id, text);
    }
    staff.presses("Buscar").await;
    let parts = [
        "q=ORD-1",
        "state=LIQUIDADO",
        "method=INSTALLMENT",
        "from=2026-11-20T05",
        "to=2026-11-22T05",
        "amount_min=12990",
        "amount_max=12990",
    ];
    let asked = staff.asks(LIST, &parts).await;
    let (_, query) = asked.trim().split_once('?').unwrap();
    let query = query.strip_suffix("&limit=200").unwrap();
    let file = || staff.shadow.query_selector("a.download").unwrap().unwrap();
    let address = ["/api/operations.csv?", query].concat();
    staff
        .until(&address, || {
            file().get_attribute("href").as_ref() == Some(&address)
        })
        .await;
    assert_eq!(file().text_content().as_deref(), Some("Descargar CSV"));

    staff.types("amount-min", "129.91");
    staff.types("from", "2026-11-22");
    staff.presses("Buscar").await;
    staff.sees("El máximo es menor que el mínimo.").await;
    for (field, wrong) in [
        ("amount-max", "El máximo es menor que el mínimo."),
        ("to", "El último día va después del primero."),
    ] {
        let told = staff.field(&[field, "-wrong"].concat()).text_content();
        assert_eq!(told.as_deref(), Some(wrong));
    }
    staff.close();
}

#[wasm_bindgen_test]
async fn more_is_appended_below_and_the_way_back_leads_to_the_row_that_was_opened() {
    let staff = listed(page(&["1", "2"], Some("next"))).await;
    staff.sees("2 operaciones, hay más").await;
    let first = staff.rows().remove(0);
    answer(LIST, 200, &page(&["3", OWN], None));
    staff.presses("Mostrar más").await;
    staff.sees("4 operaciones").await;
    staff.asks(LIST, &["cursor=next"]).await;
    // The rows that were there are not drawn again, or long lists would become slow.
    assert!(first.is_connected());
    // Short lists have no estimated height.
    assert!(staff.shadow.query_selector(".rows.long").unwrap().is_none());
    let last = staff.rows().remove(3);
    last.click();
    staff.sees("Respuesta del procesador").await;
    staff.presses("← Operaciones").await;
    staff.until("the focus", || staff.has_focus(&last)).await;
    assert_eq!(staff.rows().len(), 4);
    staff.close();
}

#[wasm_bindgen_test]
async fn the_control_of_one_operation_never_becomes_another_ones() {
    for at in 0..2 {
        let staff = listed(page(&[OWN, OTHER], None)).await;
        let rows = staff.rows();
        answer(LIST, 200, &page(&[[OWN, OTHER][at]], None));
        staff.presses("Buscar").await;
        staff.sees("1 operación").await;
        // A press that began on another one, before the list changed, ends nowhere.
        staff
            .until("the rows that stay", || {
                let stay = [rows[0].is_connected(), rows[1].is_connected()];
                stay == [at == 0, at == 1]
            })
            .await;
        staff.close();
    }
}

#[wasm_bindgen_test]
async fn chips_narrow_the_list_heads_order_it_and_what_is_shown_is_summed() {
    let staff = listed(page(&[OWN, OTHER], None)).await;
    staff
        .sees("Suma S/\u{a0}200.00, pagado S/\u{a0}200.00")
        .await;
    staff.presses("Por devolver").await;
    staff.asks(LIST, &["state=LIQUIDADO", "INSTALLMENT"]).await;
    let pressed = || staff.button("Por devolver").get_attribute("aria-pressed");
    staff
        .until("pressed", || pressed().as_deref() == Some("true"))
        .await;
    // The answer brings new rows, of which none is selected.
    let busy = ".found[aria-busy=true]";
    let loaded = || staff.shadow.query_selector(busy).unwrap().is_none();
    staff.until("the answer", loaded).await;
    let all = staff.shadow.query_selector(".heads [type=checkbox]");
    let all = all.unwrap();
    all.unwrap().unchecked_into::<HtmlElement>().click();
    staff.sees("Elegidas: 2").await;
    staff.tab("Hora").click();
    staff.asks(LIST, &["state=LIQUIDADO", "sort=created"]).await;
    let ascending = ".time-cell[aria-sort=ascending]";
    let ascends = || staff.shadow.query_selector(ascending).unwrap().is_some();
    staff.until(ascending, ascends).await;
    staff.close();
}

#[wasm_bindgen_test]
async fn the_list_goes_by_keyboard_and_letters_in_a_field_are_letters() {
    let staff = listed(page(&[OWN, OTHER], None)).await;
    let rows = staff.rows();
    for (key, at) in [("j", 0), ("j", 1), ("k", 0)] {
        assert!(!staff.types_key(key));
        assert!(staff.has_focus(&rows[at]), "{key} {at}");
    }
    // The key is not typed into the field that it leads to.
    assert!(!staff.types_key("/"));
    let field = staff.field("text");
    assert!(staff.has_focus(&field));
    for key in ["j", "/", "k"] {
        assert!(staff.types_key(key), "{key}");
        assert!(staff.has_focus(&field), "{key}");
    }
    staff.close();
}
