use super::failure::show_failure;
use super::list_rows::Rows;
use super::view_context::{Input, ViewContext, paragraph};
use crate::api_client::address;
use crate::staff_state::search::Wrong;
use crate::staff_state::{Ask, Event, Field, SelectionProblem, file_of};
use crate::texts::Text;
use payment_model::{PaymentMethodName, TransactionState};
use staff_model::Permission;
use yew::{AttrValue, Html, html};

pub(super) fn page(context: &ViewContext<'_>) -> Html {
    html! {
        <>
            <h2 tabindex="-1">{ context.text(Text::SearchHeading) }</h2>
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
    let methods: Vec<(String, AttrValue)> = PaymentMethodName::KNOWN
        .iter()
        .map(|method| (method.as_str().to_owned(), context.texts.method(method)))
        .collect();
    let session = context.state.sign_in.session.as_ref();
    let codes = session.map_or(&[][..], |session| &session.merchant_codes);
    let codes: Vec<(String, AttrValue)> = codes
        .iter()
        .map(|code| (code.clone(), AttrValue::from(code.clone())))
        .collect();
    let zone = context.fill(Text::DaysHint, &[("zone", context.texts.zone())]);
    let hint = Some(context.text(Text::IdentifierHint));
    html! {
        <form class="filter" role="search" onsubmit={context.submit(Event::SearchPressed)}>
            <div class="wide">
                { input(Field::Text, Text::IdentifierLabel, &filter.text, "search", hint) }
            </div>
            { context.select(Field::State, Text::StateLabel, &filter.state, &states) }
            { context.select(Field::Method, Text::MethodLabel, &filter.method, &methods) }
            if codes.len() > 1 {
                { context.select(Field::MerchantCode, Text::CodeLabel, &filter.merchant_code, &codes) }
            }
            { input(Field::From, Text::FromLabel, &filter.from, "date", Some(zone.clone())) }
            { input(Field::To, Text::ToLabel, &filter.to, "date", Some(zone)) }
            { input(Field::AmountMin, Text::AmountMinLabel, &filter.amount_min, "text", None) }
            { input(Field::AmountMax, Text::AmountMaxLabel, &filter.amount_max, "text", None) }
            <div class="actions wide">
                { context.submitter("primary", Text::Search, false) }
                { context.button("quiet", Text::Clear, Event::ClearPressed) }
            </div>
        </form>
    }
}

fn found(context: &ViewContext<'_>) -> Html {
    let search = &context.state.search;
    let empty = search.answered && search.count() == 0 && !search.running;
    let csv = address(context.base, file_of(&search.query).path());
    html! {
        <div class="found" aria-busy={search.running.to_string()}>
            <div class="bar">
                <p class="count">{ count(context) }</p>
                { context.button("plain small", Text::Refresh, Event::ReloadPressed) }
                if search.count() > 0 {
                    <a class="download" href={csv} download="operations.csv">{ context.text(Text::Csv) }</a>
                }
            </div>
            { selection(context) }
            if let Some(failure) = search.failure.as_ref() {
                { show_failure(context, failure, Some(if search.next.is_some() { Event::MorePressed } else { Event::SearchPressed })) }
            }
            if empty && search.failure.is_none() {
                { paragraph("empty", &context.text(Text::FoundNone)) }
            }
            if search.count() > 0 {
                { table(context) }
            }
            if search.next.is_some() {
                <div class="actions">
                    { context.button_unless("plain", Text::More, Event::MorePressed,
                        search.running.then(|| context.text(Text::Loading))) }
                </div>
            }
        </div>
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
    // Selecting is for refunds, so only accounts that may refund can select.
    let selects = context.state.may(Permission::Refund);
    let chunks = context.state.search.chunks.iter().enumerate();
    let class = if selects { "table selects" } else { "table" };
    html! {
        <div {class} role="table" aria-label={context.text(Text::TableName)}>
            // With a key as all its siblings have one: a list is drawn anew when one has none.
            <div key="heads" role="rowgroup" class="heads">
                <div class="row" role="row">
                    if selects {
                        <span role="columnheader"><span class="unseen">{ context.text(Text::ColumnSelect) }</span></span>
                    }
                    <span role="columnheader">{ context.text(Text::ColumnOperation) }</span>
                    <span role="columnheader" class="amount-cell">{ context.text(Text::ColumnAmount) }</span>
                    <span role="columnheader">{ context.text(Text::ColumnState) }</span>
                    <span role="columnheader">{ context.text(Text::ColumnMethod) }</span>
                    <span role="columnheader" class="time-cell">{ context.text(Text::ColumnCreated) }</span>
                </div>
            </div>
            { for chunks.map(|(at, chunk)| html! {
                <Rows
                    key={at}
                    {at}
                    chunk={chunk.clone()}
                    texts={context.texts.clone()}
                    {selects}
                    send={context.send.clone()}
                />
            }) }
        </div>
    }
}
