//! The views for staff, drawn from the desk. No view decides anything.
//!
//! Views are plain functions from the [`Scene`]. Two things are components: a page of the list,
//! which is drawn once, and the dialog, which the browser opens.

mod audit;
mod dialog_frame;
mod dialogs;
mod door;
mod exceptions;
mod modal;
mod operation;
mod refund_dialog;
mod refunds;
mod returns;
mod reversals;
mod rows;
mod scene;
mod search;
mod transaction;
mod trouble;

pub(super) use rows::row_id;
pub(super) use scene::{Scene, field_id};

use super::desk::amount::AmountProblem;
use super::desk::{Event, Page, Told};
use super::texts::Text;
use browser_kit::texts::outside;
use scene::paragraph;
use yew::{AttrValue, Html, html};

/// The whole element.
pub(super) fn operations(scene: &Scene<'_>) -> Html {
    let desk = scene.desk;
    let door = &desk.door;
    let told = desk.told.as_ref();
    let said = told
        .map(|(_, told)| self::told(scene, told))
        .unwrap_or_default();
    // A repeated message is a new node, or a screen reader would not say it again.
    let count = told.map_or(0, |(count, _)| *count);
    html! {
        <div class="operations" part="operations" lang={scene.texts.locale().tag()}>
            if door.checking {
                { paragraph("muted", &scene.text(Text::Loading)) }
            } else if door.session.is_none() {
                { entrance(scene) }
            } else {
                { header(scene) }
                { pages(scene) }
                if let Some(dialog) = desk.dialog.as_ref() {
                    { dialogs::dialog(scene, dialog) }
                }
                if door.expired {
                    { door::dialog(scene) }
                }
            }
            <div class="unseen" role="status"><p key={count}>{ said }</p></div>
        </div>
    }
}

/// The sign-in; or what hinders even that.
fn entrance(scene: &Scene<'_>) -> Html {
    let trouble = scene.desk.door.stage.trouble();
    html! {
        <>
            { door::page(scene) }
            if trouble.is_some_and(|trouble| trouble.kind.is_uncertain()) {
                <div class="actions">{ scene.button("plain small", Text::TryAgain, Event::Started) }</div>
            }
        </>
    }
}

fn header(scene: &Scene<'_>) -> Html {
    let desk = scene.desk;
    let name = desk
        .door
        .session
        .as_ref()
        .map(|session| outside(&session.name));
    let name = name.unwrap_or_default();
    let tab = |text: Text, page: Page| {
        let here = desk.page == page;
        html! {
            <button
                type="button"
                class="tab"
                part="tab"
                aria-current={here.then_some("page")}
                onclick={scene.press(Event::Opened(page))}
            >
                { scene.text(text) }
            </button>
        }
    };
    html! {
        <header class="head" part="head">
            <nav aria-label={scene.text(Text::NavName)}>
                if !desk.before.is_empty() {
                    { scene.button("quiet back", Text::GoBack, Event::BackPressed) }
                }
                { tab(Text::TabSearch, Page::Search) }
                { tab(Text::TabExceptions, Page::Exceptions) }
            </nav>
            <div class="who">
                <span>{ scene.fill(Text::SignedInAs, &[("name", &name)]) }</span>
                { scene.button("quiet small", Text::SignOut, Event::SignOutPressed) }
            </div>
            if let Some(trouble) = desk.door.stage.trouble().filter(|_| !desk.door.expired) {
                { trouble::show_trouble(scene, trouble, None) }
            }
        </header>
    }
}

fn pages(scene: &Scene<'_>) -> Html {
    let searching = scene.desk.page == Page::Search;
    html! {
        <div>
            // The list stays where it is while an operation is looked at: 10,000 rows are not
            // drawn anew for the way back. Only one page has a heading to lead the focus to.
            <div class="page" hidden={!searching}>{ search::page(scene) }</div>
            { match &scene.desk.page {
                Page::Search => Html::default(),
                Page::Exceptions => html! { <div class="page" key="exceptions">{ exceptions::page(scene) }</div> },
                Page::Operation(reference) => {
                    let key = row_id(reference);
                    html! { <div class="page" {key}>{ operation::page(scene) }</div> }
                }
            } }
        </div>
    }
}

fn told(scene: &Scene<'_>, told: &Told) -> AttrValue {
    match told {
        Told::SignedIn => scene.text(Text::ToldSignedIn),
        Told::SignedOut => scene.text(Text::ToldSignedOut),
        Told::Found => search::count(scene),
        Told::Exceptions => {
            let count = scene.desk.exceptions.list.as_ref().map_or(0, Vec::len);
            scene.fill(Text::ExceptionsCount, &[("count", &count.to_string())])
        }
        Told::Queried => {
            let row = scene
                .desk
                .operation
                .as_ref()
                .and_then(|page| page.fresh.as_ref());
            match row {
                Some(Ok(fresh)) => match &fresh.state {
                    Some(state) => {
                        let (words, wire) = (
                            scene.texts.ended(state, fresh.outcome),
                            outside(state.as_str()),
                        );
                        scene.fill(Text::FreshState, &[("state", &words), ("wire", &wire)])
                    }
                    None => scene.text(Text::FreshNothing),
                },
                _ => scene.text(Text::ToldFailed),
            }
        }
        Told::Cancelled => scene.text(Text::ToldCancelled),
        Told::Refunded => scene.text(Text::RefundDoneHeading),
        Told::Recorded => scene.text(Text::ToldRecorded),
        Told::Released => scene.text(Text::ToldReleased),
        Told::OrderAsked => scene.text(Text::ReleaseOrderAsked),
        Told::OrderReleased => scene.text(Text::ReleaseOrderDone),
        Told::Resolved => scene.text(Text::ToldResolved),
        Told::Failed => scene.text(Text::ToldFailed),
    }
}

/// Why a typed amount is none, in a sentence.
fn amount_text(problem: AmountProblem) -> Text {
    match problem {
        AmountProblem::Empty => Text::WrongAmountEmpty,
        AmountProblem::NoNumber => Text::WrongAmount,
        AmountProblem::TooManyDecimals => Text::WrongDecimals,
        AmountProblem::Zero => Text::WrongZero,
        AmountProblem::TooLarge => Text::WrongTooLarge,
    }
}
