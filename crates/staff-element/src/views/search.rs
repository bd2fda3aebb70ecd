use super::rows::Rows;
use super::scene::{Input, Scene, paragraph};
use super::trouble::show_trouble;
use crate::api_client::address;
use crate::desk::search::Wrong;
use crate::desk::{Ask, Event, Field, SelectionTrouble, file_of};
use crate::texts::Text;
use payment_model::{PaymentMethodName, TransactionState};
use staff_model::Permission;
use yew::{AttrValue, Html, html};

pub(super) fn page(scene: &Scene<'_>) -> Html {
    html! {
        <>
            <h2 tabindex="-1">{ scene.text(Text::SearchHeading) }</h2>
            { filter(scene) }
            { found(scene) }
        </>
    }
}

fn filter(scene: &Scene<'_>) -> Html {
    let search = &scene.desk.search;
    let filter = &search.filter;
    let wrong = |field: Field| {
        let wrong = search.wrong.iter().find(|(at, _)| *at == field)?.1;
        Some(scene.text(match wrong {
            Wrong::Day => Text::WrongDay,
            Wrong::Days => Text::WrongDays,
            Wrong::Amount(problem) => super::amount_text(problem),
            Wrong::Amounts => Text::WrongAmounts,
        }))
    };
    let input = |field, label, value, kind, hint: Option<AttrValue>| {
        scene.input(Input {
            kind,
            hint,
            wrong: wrong(field),
            ..Input::new(field, scene.text(label), value)
        })
    };
    let mut states: Vec<(String, AttrValue)> = TransactionState::KNOWN
        .iter()
        .map(|state| {
            let name = [scene.texts.state(state).as_str(), " · ", state.as_str()].concat();
            (state.as_str().to_owned(), AttrValue::from(name))
        })
        .collect();
    states.push(("none".to_owned(), scene.text(Text::StateNone)));
    let methods: Vec<(String, AttrValue)> = PaymentMethodName::KNOWN
        .iter()
        .map(|method| (method.as_str().to_owned(), scene.texts.method(method)))
        .collect();
    let session = scene.desk.door.session.as_ref();
    let codes = session.map_or(&[][..], |session| &session.merchant_codes);
    let codes: Vec<(String, AttrValue)> = codes
        .iter()
        .map(|code| (code.clone(), AttrValue::from(code.clone())))
        .collect();
    let zone = scene.fill(Text::DaysHint, &[("zone", scene.texts.zone())]);
    let hint = Some(scene.text(Text::IdentifierHint));
    html! {
        <form class="filter" role="search" onsubmit={scene.submit(Event::SearchPressed)}>
            <div class="wide">
                { input(Field::Text, Text::IdentifierLabel, &filter.text, "search", hint) }
            </div>
            { scene.select(Field::State, Text::StateLabel, &filter.state, &states) }
            { scene.select(Field::Method, Text::MethodLabel, &filter.method, &methods) }
            if codes.len() > 1 {
                { scene.select(Field::MerchantCode, Text::CodeLabel, &filter.merchant_code, &codes) }
            }
            { input(Field::From, Text::FromLabel, &filter.from, "date", Some(zone.clone())) }
            { input(Field::To, Text::ToLabel, &filter.to, "date", Some(zone)) }
            { input(Field::AmountMin, Text::AmountMinLabel, &filter.amount_min, "text", None) }
            { input(Field::AmountMax, Text::AmountMaxLabel, &filter.amount_max, "text", None) }
            <div class="actions wide">
                { scene.submitter("primary", Text::Search, false) }
                { scene.button("quiet", Text::Clear, Event::ClearPressed) }
            </div>
        </form>
    }
}

fn found(scene: &Scene<'_>) -> Html {
    let search = &scene.desk.search;
    let empty = search.answered && search.count() == 0 && !search.running;
    let csv = address(scene.base, file_of(&search.query).path());
    html! {
        <div class="found" aria-busy={search.running.to_string()}>
            <div class="bar">
                <p class="count">{ count(scene) }</p>
                { scene.button("plain small", Text::Refresh, Event::ReloadPressed) }
                if search.count() > 0 {
                    <a class="download" href={csv} download="operations.csv">{ scene.text(Text::Csv) }</a>
                }
            </div>
            { selection(scene) }
            if let Some(trouble) = search.trouble.as_ref() {
                { show_trouble(scene, trouble, Some(if search.next.is_some() { Event::MorePressed } else { Event::SearchPressed })) }
            }
            if empty && search.trouble.is_none() {
                { paragraph("empty", &scene.text(Text::FoundNone)) }
            }
            if search.count() > 0 {
                { table(scene) }
            }
            if search.next.is_some() {
                <div class="actions">
                    { scene.button_unless("plain", Text::More, Event::MorePressed,
                        search.running.then(|| scene.text(Text::Loading))) }
                </div>
            }
        </div>
    }
}

/// How many there are, as far as is known.
pub(super) fn count(scene: &Scene<'_>) -> AttrValue {
    let search = &scene.desk.search;
    let count = search.count().to_string();
    match (search.count(), &search.next) {
        (0, _) if search.running => scene.text(Text::Loading),
        (0, _) if !search.answered => AttrValue::default(),
        (0, _) => scene.text(Text::CountNone),
        (1, None) => scene.text(Text::CountOne),
        (_, None) => scene.fill(Text::CountAll, &[("count", &count)]),
        (_, Some(_)) => scene.fill(Text::CountMore, &[("count", &count)]),
    }
}

/// Shows the actions for the selected operations.
fn selection(scene: &Scene<'_>) -> Html {
    let count = scene.desk.search.selected().len();
    if count == 0 {
        return Html::default();
    }
    let most = crate::desk::refund_form::MOST.to_string();
    let off = scene.desk.selection_trouble().map(|why| match why {
        SelectionTrouble::TooMany => scene.fill(Text::SelectedTooMany, &[("count", &most)]),
        SelectionTrouble::SeveralCodes => scene.text(Text::SelectedSeveralCodes),
    });
    let text = scene.fill(Text::Selected, &[("count", &count.to_string())]);
    html! {
        <div class="selection" part="selection" role="group" aria-label={text.clone()}>
            <span>{ text }</span>
            { scene.button_unless("primary small", Text::RefundSelected, Event::Asked(Ask::RefundSelected), off) }
            { scene.button("quiet small", Text::SelectNone, Event::SelectedNone) }
        </div>
    }
}

fn table(scene: &Scene<'_>) -> Html {
    // Selecting is for refunds, so only accounts that may refund can select.
    let selects = scene.desk.may(Permission::Refund);
    let chunks = scene.desk.search.chunks.iter().enumerate();
    let class = if selects { "table selects" } else { "table" };
    html! {
        <div {class} role="table" aria-label={scene.text(Text::TableName)}>
            // With a key as all its siblings have one: a list is drawn anew when one has none.
            <div key="heads" role="rowgroup" class="heads">
                <div class="row" role="row">
                    if selects {
                        <span role="columnheader"><span class="unseen">{ scene.text(Text::ColumnSelect) }</span></span>
                    }
                    <span role="columnheader">{ scene.text(Text::ColumnOperation) }</span>
                    <span role="columnheader" class="amount-cell">{ scene.text(Text::ColumnAmount) }</span>
                    <span role="columnheader">{ scene.text(Text::ColumnState) }</span>
                    <span role="columnheader">{ scene.text(Text::ColumnMethod) }</span>
                    <span role="columnheader" class="time-cell">{ scene.text(Text::ColumnCreated) }</span>
                </div>
            </div>
            { for chunks.map(|(at, chunk)| html! {
                <Rows
                    key={at}
                    {at}
                    chunk={chunk.clone()}
                    texts={scene.texts.clone()}
                    {selects}
                    send={scene.send.clone()}
                />
            }) }
        </div>
    }
}
