use super::view_context::part_of_state;
use crate::staff_state::{Chunk, Event, Page, Reference};
use crate::texts::{Text, Texts};
use browser_kit::texts::{grouped, outside};
use browser_kit::written_number;
use staff_model::OperationRow;
use std::rc::Rc;
use yew::{Callback, Component, Context, Html, Properties, html};

/// A page of the list. It is a component so that it is drawn once: with 10,000 rows on the
/// screen, a key that is pressed draws none of them anew.
pub(super) struct Rows;

/// From how many rows on a piece is long.
const LONG: usize = 100;

#[derive(Properties)]
pub(super) struct RowsProps {
    pub(super) at: usize,
    pub(super) chunk: Chunk,
    pub(super) texts: Rc<Texts>,
    pub(super) selects: bool,
    pub(super) send: Callback<Event>,
}

impl PartialEq for RowsProps {
    /// By place: a row that changed is in another list.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chunk.rows, &other.chunk.rows)
            && Rc::ptr_eq(&self.chunk.selected, &other.chunk.selected)
            && Rc::ptr_eq(&self.texts, &other.texts)
            && self.selects == other.selects
            && self.at == other.at
    }
}

impl Component for Rows {
    type Message = ();
    type Properties = RowsProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let rows = props.chunk.rows.iter().enumerate();
        // The style sheet estimates the height of a long piece until it is on the screen; for a
        // short piece the estimate would be far too high.
        let long = props.chunk.rows.len() > LONG;
        let class = if long { "rows long" } else { "rows" };
        html! {
            <div {class} role="rowgroup" id={["chunk-", &props.at.to_string()].concat()}>
                { for rows.map(|(at, row)| self::row(props, at, row)) }
            </div>
        }
    }
}

fn row(props: &RowsProps, at: usize, row: &OperationRow) -> Html {
    // A new field does not compile until somebody decides here whether it is shown. Functions of the
    // whole row read the amount and the state.
    let OperationRow {
        merchant_code: _,
        merchant_operation_number,
        order_id,
        payer: _,
        transaction_id: _,
        method_name,
        phase: _,
        state: _,
        outcome: _,
        amount: _,
        currency: _,
        created_at,
        changed_at: _,
        exceptions,
    } = row;
    let texts = &props.texts;
    let number = grouped(merchant_operation_number);
    let reference = Reference::of(row);
    let id = row_id(&reference);
    let (state, wire) = texts.standing(row);
    let (open, select) = (props.send.clone(), props.send.clone());
    let chunk = props.at;
    let opened = Callback::from(move |_| {
        open.emit(Event::Opened(Page::Operation(reference.clone())));
    });
    let selected = Callback::from(move |_: yew::Event| select.emit(Event::Selected(chunk, at)));
    let selects = texts.fill(Text::SelectRow, &[("number", &number)]);
    html! {
        // Another operation is another node: a press that begins before the list changes must not end on it.
        <div key={id.clone()} class="row" role="row">
            if props.selects {
                <span class="cell check" role="cell">
                    <input
                        type="checkbox"
                        aria-label={selects}
                        checked={props.chunk.selected.contains(&at)}
                        onchange={selected}
                    />
                </span>
            }
            <span class="cell number-cell" role="cell">
                <button type="button" class="link" {id} onclick={opened}>
                    { written_number::number(merchant_operation_number) }
                </button>
                <span class="muted">{ outside(order_id) }</span>
            </span>
            <span class="cell amount-cell" role="cell">{ texts.sum(&row.money()) }</span>
            <span class="cell" role="cell">
                <span class={["state ", part_of_state(row)].concat()}>{ state }</span>
                { " " }
                <span class="wire">{ wire }</span>
                { for exceptions.iter().map(|kind| html! {
                    <span class="flag">{ texts.exception(*kind).0 }</span>
                }) }
            </span>
            <span class="cell" role="cell">{ texts.method(method_name) }</span>
            <span class="cell time-cell" role="cell">{ texts.local(*created_at) }</span>
        </div>
    }
}

/// The id of the control that opens an operation.
pub(crate) fn row_id(reference: &Reference) -> String {
    ["open-", &reference.merchant_code, "-", &reference.number].concat()
}
