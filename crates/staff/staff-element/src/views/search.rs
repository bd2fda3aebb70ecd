use super::failure::show_failure;
use super::list_rows::Rows;
use super::news;
use super::view_context::{Input, ViewContext};
use crate::api_client::address;
use crate::staff_state::chips::{Chip, paid_states, refundable_methods};
use crate::staff_state::search::{Column, Wrong};
use crate::staff_state::{Ask, Event, Field, SelectionProblem, file_of};
use crate::texts::Text;
use payment_model::{PaymentMethodName, TransactionState};
use staff_model::Permission;
use yew::{AttrValue, Callback, Html, html};

pub(super) fn page(context: &ViewContext<'_>) -> Html {
    html! {
        <>
            <h2 tabindex="-1" class="unseen">{ context.text(Text::SearchHeading) }</h2>
            { filter(context) }
            { found(context) }
        </>
    }
}

fn filter(context: &ViewContext<'_>) -> Html {
    let search = &context.state.search;
    let filter = &search.filter;
    let wrong = |field: Field| {
        let wrong = search.wrong.iter().find(|(at, _)| *at == field)?.1;
        Some(context.text(match wrong {
            Wrong::Day => Text::WrongDay,
            Wrong::Days => Text::WrongDays,
            Wrong::Amount(problem) => super::amount_text(problem),
            Wrong::Amounts => Text::WrongAmounts,
        }))
    };
    let input = |field, label, value, kind, hint: Option<AttrValue>| {
        context.input(Input {
            kind,
            hint,
            wrong: wrong(field),
            ..Input::new(field, context.text(label), value)
        })
    };
    let mut states: Vec<(String, AttrValue)> = TransactionState::KNOWN
        .iter()
        .map(|state| {
            let name = [context.texts.state(state).as_str(), " · ", state.as_str()].concat();
            (state.as_str().to_owned(), AttrValue::from(name))
        })
        .collect();
    states.push(("none".to_owned(), context.text(Text::StateNone)));
    states.push((paid_states(), context.text(Text::StatesPaid)));
    let mut methods: Vec<(String, AttrValue)> = PaymentMethodName::KNOWN
        .iter()
        .map(|method| (method.as_str().to_owned(), context.texts.method(method)))
        .collect();
    methods.push((refundable_methods(), context.text(Text::MethodsRefundable)));
    let session = context.state.sign_in.session.as_ref();
    let codes = session.map_or(&[][..], |session| &session.merchant_codes);
    let codes: Vec<(String, AttrValue)> = codes
        .iter()
        .map(|code| (code.clone(), AttrValue::from(code.clone())))
        .collect();
    let zone = context.fill(Text::DaysHint, &[("zone", context.texts.zone())]);
    let count = filter.set_count().to_string();
    let folded = match filter.set_count() {
        0 => context.text(Text::Filters),
        _ => context.fill(Text::FiltersSet, &[("count", &count)]),
    };
    html! {
        <form class="filter" role="search" onsubmit={context.submit(Event::SearchPressed)}>
            <div class="search-bar">
                { context.input(Input {
                    kind: "search",
                    bare: true,
                    ..Input::new(Field::Text, context.text(Text::IdentifierLabel), &filter.text)
                }) }
                { context.submitter("primary", Text::Search, false) }
                { chips(context) }
                <button
                    type="button"
                    class="plain"
                    part="button"
                    aria-expanded={search.unfolded.to_string()}
                    aria-controls="filters"
                    onclick={context.press(Event::FiltersPressed)}
                >
                    { folded }
                </button>
            </div>
            <div class="filters" id="filters" hidden={!search.unfolded}>
                { context.select(Field::State, Text::StateLabel, &filter.state, true, &states) }
                { context.select(Field::Method, Text::MethodLabel, &filter.method, true, &methods) }
                if codes.len() > 1 {
                    { context.select(Field::MerchantCode, Text::CodeLabel, &filter.merchant_code, true, &codes) }
                }
                { input(Field::From, Text::FromLabel, &filter.from, "date", Some(zone.clone())) }
                { input(Field::To, Text::ToLabel, &filter.to, "date", Some(zone)) }
                { input(Field::AmountMin, Text::AmountMinLabel, &filter.amount_min, "text", None) }
                { input(Field::AmountMax, Text::AmountMaxLabel, &filter.amount_max, "text", None) }
                <div class="actions">{ context.button("quiet", Text::Clear, Event::ClearPressed) }</div>
            </div>
        </form>
    }
}

fn chips(context: &ViewContext<'_>) -> Html {
    let days = context.state.days(context.at);
    let filter = &context.state.search.filter;
    html! {
        <div class="chips" role="group" aria-label={context.text(Text::ChipsName)}>
            { for Chip::ALL.into_iter().map(|chip| {
                let text = match chip {
                    Chip::Today => Text::ChipToday,
                    Chip::Week => Text::ChipWeek,
                    Chip::Paid => Text::ChipPaid,
                    Chip::Refundable => Text::ChipRefundable,
                };
                context.pressed_button("chip", context.text(text), Some(filter.has(chip, &days)), Event::ChipPressed(chip))
            }) }
        </div>
    }
}

fn found(context: &ViewContext<'_>) -> Html {
    let search = &context.state.search;
    let empty = search.answered && search.count() == 0 && !search.running;
    let csv = address(context.base, file_of(&search.query).path());
    html! {
        <div class="found" aria-busy={search.running.to_string()}>
            <div class="bar">
                <p><span class="count">{ count(context) }</span>{ sums(context) }{ news::age(context).unwrap_or_default() }</p>
                <span class="tools">
                    { news::toggles(context) }
                    { context.button("plain small", Text::Refresh, Event::ReloadPressed) }
                    if search.count() > 0 {
                        <a class="download" href={csv} download="operations.csv">{ context.text(Text::Csv) }</a>
                    }
                </span>
            </div>
            { news::line(context).unwrap_or_default() }
            if let Some(failure) = search.failure.as_ref() {
                { show_failure(context, failure, Some(if search.next.is_some() { Event::MorePressed } else { Event::SearchPressed })) }
            }
            if empty && search.failure.is_none() {
                { context.paragraph("empty", Text::FoundNone) }
            }
            if search.count() > 0 {
                { table(context) }
            }
            { selection(context) }
            if search.next.is_some() {
                <div class="actions">
                    { context.button_unless("plain", Text::More, Event::MorePressed,
                        search.running.then(|| context.text(Text::Loading))) }
                </div>
            }
        </div>
    }
}

/// The sums of what is shown, one pair for each currency.
fn sums(context: &ViewContext<'_>) -> Html {
    let sums = context.state.search.sums();
    html! {
        { for sums.iter().map(|sum| {
            let (all, paid) = (context.texts.sum(&sum.all), context.texts.sum(&sum.paid));
            html! {
                <span class="sum">
                    { " · " }{ context.fill(Text::Sum, &[("amount", &all)]) }
                    { ", " }{ context.fill(Text::SumPaid, &[("amount", &paid)]) }
                </span>
            }
        }) }
    }
}

/// How many there are, as far as is known.
pub(super) fn count(context: &ViewContext<'_>) -> AttrValue {
    let search = &context.state.search;
    let count = search.count().to_string();
    match (search.count(), &search.next) {
        (0, _) if search.running => context.text(Text::Loading),
        (0, _) if !search.answered => AttrValue::default(),
        (0, _) => context.text(Text::CountNone),
        (1, None) => context.text(Text::CountOne),
        (_, None) => context.fill(Text::CountAll, &[("count", &count)]),
        (_, Some(_)) => context.fill(Text::CountMore, &[("count", &count)]),
    }
}

/// Shows the actions for the selected operations.
fn selection(context: &ViewContext<'_>) -> Html {
    let count = context.state.search.selected().len();
    if count == 0 {
        return Html::default();
    }
    let most = crate::staff_state::refund_form::MOST.to_string();
    let off = context.state.selection_problem().map(|why| match why {
        SelectionProblem::TooMany => context.fill(Text::SelectedTooMany, &[("count", &most)]),
        SelectionProblem::SeveralCodes => context.text(Text::SelectedSeveralCodes),
    });
    let text = context.fill(Text::Selected, &[("count", &count.to_string())]);
    html! {
        <div class="selection" part="selection" role="group" aria-label={text.clone()}>
            <span>{ text }</span>
            { context.button_unless("primary small", Text::RefundSelected, Event::Asked(Ask::RefundSelected), off) }
            { context.button("quiet small", Text::SelectNone, Event::SelectedNone) }
        </div>
    }
}

fn table(context: &ViewContext<'_>) -> Html {
    let search = &context.state.search;
    // Selecting is for refunds, so only accounts that may refund can select.
    let selects = context.state.may(Permission::Refund) && search.has_selectable();
    let chunks = search.chunks.iter().enumerate();
    let class = if selects { "table selects" } else { "table" };
    let today = context.state.today(context.at);
    html! {
        <div {class} role="table" aria-label={context.text(Text::TableName)}>
            // With a key as all its siblings have one: a list is drawn anew when one has none.
            <div key="heads" role="rowgroup" class="heads">
                <div class="row" role="row">
                    if selects {
                        <span role="columnheader" class="check">
                            { select_all(context) }
                        </span>
                    }
                    <span role="columnheader">{ context.text(Text::ColumnOperation) }</span>
                    <span role="columnheader">{ context.text(Text::ColumnPayer) }</span>
                    { sorting_head(context, "amount-cell", Text::ColumnAmount, Column::Amount) }
                    <span role="columnheader">{ context.text(Text::ColumnState) }</span>
                    <span role="columnheader">{ context.text(Text::ColumnMethod) }</span>
                    { sorting_head(context, "time-cell", Text::ColumnTime, Column::Created) }
                </div>
            </div>
            { for chunks.map(|(at, chunk)| html! {
                <Rows
                    key={at}
                    {at}
                    chunk={chunk.clone()}
                    texts={context.texts.clone()}
                    {selects}
                    {today}
                    send={context.send.clone()}
                />
            }) }
        </div>
    }
}

fn select_all(context: &ViewContext<'_>) -> Html {
    let send = context.send.clone();
    let changed = Callback::from(move |_: yew::Event| send.emit(Event::SelectedAll));
    html! {
        <input
            type="checkbox"
            aria-label={context.text(Text::SelectAll)}
            checked={context.state.search.has_all()}
            onchange={changed}
        />
    }
}

/// A head that orders the list.
fn sorting_head(
    context: &ViewContext<'_>,
    class: &'static str,
    text: Text,
    column: Column,
) -> Html {
    let (sort, arrow) = match context.state.search.filter.ascends_by(column) {
        Some(true) => (Some("ascending"), "↑"),
        Some(false) => (Some("descending"), "↓"),
        None => (None, "↕"),
    };
    html! {
        <span role="columnheader" {class} aria-sort={sort}>
            <button type="button" class="sorts" onclick={context.press(Event::Sorted(column))}>
                { context.text(text) }<span aria-hidden="true">{ arrow }</span>
            </button>
        </span>
    }
}
