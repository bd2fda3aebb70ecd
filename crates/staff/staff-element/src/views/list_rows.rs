use crate::staff_state::listed::is_selectable;
use crate::staff_state::{Chunk, Event, Page, Reference};
use crate::texts::{Text, Texts};
use browser_kit::texts::{grouped, sanitized};
use browser_kit::written_number;
use payment_model::Timestamp;
use staff_model::OperationRow;
use std::rc::Rc;
use yew::{AttrValue, Callback, Component, Context, Html, Properties, html};

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
    /// When today begins and ends.
    pub(super) today: Option<(Timestamp, Timestamp)>,
    pub(super) send: Callback<Event>,
}

impl PartialEq for RowsProps {
    /// By place: a row that changed is in another list.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chunk.rows, &other.chunk.rows)
            && Rc::ptr_eq(&self.chunk.selected, &other.chunk.selected)
            && Rc::ptr_eq(&self.texts, &other.texts)
            && self.selects == other.selects
            && self.today == other.today
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
        order_id: _,
        payer,
        order_label: _,
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
    let found: Vec<AttrValue> = exceptions
        .iter()
        .map(|kind| texts.exception(*kind).0)
        .collect();
    let today = props.today;
    let is_today = today.is_some_and(|(start, end)| (start..end).contains(created_at));
    let payer = payer.as_ref().map(|payer| sanitized(&payer.name));
    html! {
        // Another operation is another node: a press that begins before the list changes must not end on it.
        <div key={id.clone()} class="row" role="row">
            if props.selects {
                <span class="cell check" role="cell">
                    if is_selectable(row) {
                        <input
                            type="checkbox"
                            aria-label={selects}
                            checked={props.chunk.selected.contains(&at)}
                            onchange={selected}
                        />
                    }
                </span>
            }
            <span class="cell order-cell" role="cell">
                // The style sheet lets this control cover its row.
                <button type="button" class="link open" {id} onclick={opened}>
                    <span translate="no">{ texts.order_name(row) }</span>
                    { " " }
                    <span class="muted">{ written_number::number(merchant_operation_number) }</span>
                </button>
            </span>
            <span class="cell payer-cell" role="cell">
                if let Some(payer) = payer {
                    { payer }
                } else {
                    <span class="muted">{ texts.text(Text::PayerNone) }</span>
                }
            </span>
            <span class="cell amount-cell" role="cell" translate="no">{ texts.sum(&row.money()) }</span>
            <span class="cell state-cell" role="cell">
                <span class={["state ", part_of_state(row)].concat()} title={(!wire.is_empty()).then_some(wire)}>{ state }</span>
                if let Some(first) = found.first() {
                    { " " }
                    <span class="flag" title={found.join("; ")}>{ first }</span>
                }
            </span>
            <span class="cell method-cell" role="cell">{ texts.method(method_name) }</span>
            <span class="cell time-cell" role="cell" title={texts.local(*created_at)}>
                { texts.short(*created_at, is_today) }
            </span>
        </div>
    }
}

/// The id of the control that opens an operation.
pub(crate) fn row_id(reference: &Reference) -> String {
    ["open-", &reference.merchant_code, "-", &reference.number].concat()
}

/// The class that a state is colored by.
pub(super) fn part_of_state(row: &OperationRow) -> &'static str {
    use payment_model::TransactionState as State;
    if row.outcome == Some(payment_model::Outcome::Reversed) {
        return "back";
    }
    match &row.state {
        Some(State::Authorized | State::Settled) => "good",
        Some(State::Registered | State::Pending) => "busy",
        Some(State::Declined | State::Invalid | State::Cancelled | State::Expired) => "over",
        Some(State::Reversed) => "back",
        Some(State::Unknown(_)) | None => "odd",
    }
}
