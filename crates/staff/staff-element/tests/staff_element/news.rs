//! The desk follows what happens, and its reader is not disturbed.

use super::answers::answer;
use super::{CREATED, Server, Staff, asked, row, serve};
use payment_model::{Outcome, TransactionState};
use staff_model::{News, OperationRow, SearchPage};
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, HtmlInputElement};

const NEWS: &str = "GET /news";

/// A payment that was made so many seconds after the first.
fn made(number: &str, seconds: u64) -> OperationRow {
    let at = CREATED.saturating_add(Duration::from_secs(seconds));
    OperationRow {
        merchant_operation_number: number.to_owned(),
        outcome: Some(Outcome::Paid),
        created_at: at,
        changed_at: at,
        ..row("LIQUIDADO", "INSTALLMENT")
    }
}

fn news(operations: Vec<OperationRow>) -> News {
    News {
        next: "c2".to_owned(),
        missed: operations.is_empty(),
        operations,
        links: false,
        exceptions: None,
    }
}

/// A desk that follows a list of so many operations, the newest first.
async fn following(count: u64) -> Staff {
    let mut server = Server::with("LIQUIDADO", "INSTALLMENT");
    server.list = SearchPage {
        operations: (0..count)
            .rev()
            .map(|at| made(&at.to_string(), at))
            .collect(),
        next_cursor: None,
    };
    server.answer(NEWS, 200, &news(Vec::new()));
    serve(&server);
    let staff = Staff::open();
    staff.sees(&format!("{count} operaciones")).await;
    staff.asks(NEWS, &["?1 wait=20"]).await;
    staff
}

fn numbers(staff: &Staff) -> Vec<HtmlElement> {
    let found = staff.shadow.query_selector_all(".rows .open").unwrap();
    (0..found.length())
        .map(|at| found.get(at).unwrap().unchecked_into())
        .collect()
}

#[wasm_bindgen_test]
async fn a_new_row_comes_without_moving_focus_or_selection() {
    let staff = following(2).await;
    let rows = numbers(&staff);
    let tick = staff
        .shadow
        .query_selector(".rows .row:last-child [type=checkbox]")
        .unwrap()
        .unwrap()
        .unchecked_into::<HtmlInputElement>();
    tick.click();
    staff.sees("Elegidas: 1").await;
    rows[1].focus().unwrap();
    let mut changed = made("1", 1);
    changed.changed_at = CREATED.saturating_add(Duration::from_secs(60));
    changed.state = Some(TransactionState::Reversed);
    changed.outcome = Some(Outcome::Reversed);
    answer(NEWS, 200, &news(vec![changed, made("7", 7)]));
    // Nothing moves under the finger of who selects.
    staff.sees("1 nueva").await;
    assert_eq!(numbers(&staff), rows);
    assert!(tick.checked() && tick.is_connected());
    staff.sees("Elegidas: 1").await;
    tick.click();
    staff.sees("3 operaciones").await;
    let now = numbers(&staff);
    assert!(now[0].id().ends_with("-7"));
    assert_eq!(now[1..], rows);
    assert_eq!(
        staff.shadow.active_element().as_ref(),
        Some(rows[1].as_ref())
    );
    assert!(tick.is_connected());
    staff.sees("Revertida").await;
    staff.sees("Operaciones nuevas: 1. Pagadas: 1.").await;
    assert!(asked().iter().any(|one| one.contains("/news?after=c2")));
    staff.close();
}

#[wasm_bindgen_test]
async fn a_scrolled_list_stays_and_says_what_came() {
    let staff = following(60).await;
    let window = web_sys::window().unwrap();
    let rows = numbers(&staff);
    rows[50].scroll_into_view();
    let place = || rows[50].get_bounding_client_rect().top();
    let before = place();
    answer(NEWS, 200, &news(vec![made("70", 70)]));
    staff.sees("1 nueva").await;
    answer(NEWS, 200, &news(vec![made("71", 71), made("70", 70)]));
    staff.sees("2 nuevas").await;
    assert_eq!(numbers(&staff), rows);
    assert!((place() - before).abs() < 1.0, "{before} {}", place());
    staff.button("2 nuevas").click();
    staff.sees("62 operaciones").await;
    let first = numbers(&staff).remove(0);
    staff
        .until("the focus", || {
            staff.shadow.active_element().as_ref() == Some(first.as_ref())
        })
        .await;
    assert!(!staff.text().contains("2 nuevas"));
    let top = first.get_bounding_client_rect().top();
    let height = window.inner_height().unwrap().as_f64().unwrap();
    assert!((0.0..height).contains(&top), "{top}");
    staff.close();
}

#[wasm_bindgen_test]
async fn a_reader_who_scrolls_back_sees_what_came() {
    let staff = following(60).await;
    numbers(&staff)[50].scroll_into_view();
    answer(NEWS, 200, &news(vec![made("70", 70)]));
    staff.sees("1 nueva").await;
    staff.host.scroll_into_view();
    staff.sees("61 operaciones").await;
    let gone = || !staff.text().contains("1 nueva");
    staff.until("the line is gone", gone).await;
    staff.close();
}

#[wasm_bindgen_test]
async fn what_else_tells_of_news_is_off_until_it_is_pressed() {
    let staff = following(1 + 1).await;
    for name in ["Sonido", "Marca en el título"] {
        let pressed = || staff.button(name).get_attribute("aria-pressed");
        assert_eq!(pressed().as_deref(), Some("false"));
        staff.button(name).click();
        let on = || pressed().as_deref() == Some("true");
        staff.until(name, on).await;
    }
    staff.close();
}
