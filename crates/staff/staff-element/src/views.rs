//! The views for staff, drawn from the state. No view decides anything.
//!
//! Views are plain functions from the [`ViewContext`]. Two things are components: a page of the list,
//! which is drawn once, and the dialog, which the browser opens.

mod actions;
mod announcements;
mod audit;
mod dialogs;
mod exceptions;
mod failure;
mod links;
mod list_rows;
mod modal;
mod news;
mod operation;
mod order;
mod pieces;
mod refund_dialog;
mod refunds;
mod returns;
mod reversals;
mod search;
mod second_factor;
mod sign_in;
mod transaction;
mod view_context;

pub(super) use list_rows::row_id;
pub(super) use view_context::{ViewContext, field_id};

use super::staff_state::amount::AmountProblem;
use super::staff_state::{Event, Page};
use super::texts::Text;
use browser_kit::texts::sanitized;
use view_context::paragraph;
use yew::{Html, html};

/// The whole element.
pub(super) fn operations(context: &ViewContext<'_>) -> Html {
    let state = context.state;
    let sign_in = &state.sign_in;
    html! {
        <div class="operations" part="operations" lang={context.texts.locale().tag()}>
            if sign_in.checking {
                { paragraph("muted", &context.text(Text::Loading)) }
            } else if sign_in.session.is_none() {
                { entrance(context) }
            } else {
                { header(context) }
                { second_factor::missing(context) }
                { pages(context) }
                if let Some(dialog) = state.dialog.as_ref() {
                    { dialogs::dialog(context, dialog) }
                }
                if sign_in.expired {
                    { sign_in::dialog(context) }
                }
            }
            { announcements::region(context) }
        </div>
    }
}

/// The sign-in; or what hinders even that.
fn entrance(context: &ViewContext<'_>) -> Html {
    let failure = context.state.sign_in.form.submission.failure();
    html! {
        <>
            { sign_in::page(context) }
            if failure.is_some_and(|failure| failure.is_uncertain()) {
                <div class="actions">{ context.button("plain small", Text::TryAgain, Event::Started) }</div>
            }
        </>
    }
}

fn header(context: &ViewContext<'_>) -> Html {
    let state = context.state;
    let name = state
        .sign_in
        .session
        .as_ref()
        .map(|session| sanitized(&session.name));
    let name = name.unwrap_or_default();
    let waiting = state.exceptions.total;
    let count = waiting.to_string();
    let badge =
        (waiting > 0).then(|| html! { <span class="badge" aria-hidden="true">{ &count }</span> });
    let tab = |text: Text, page: Page, badge: Option<Html>| {
        let here = state.page == page;
        html! {
            <button
                type="button"
                class="tab"
                part="tab"
                aria-describedby={badge.as_ref().map(|_| "waiting")}
                aria-current={here.then_some("page")}
                onclick={context.press(Event::Opened(page))}
            >
                { context.text(text) }{ badge }
            </button>
        }
    };
    html! {
        <header class="head" part="head">
            <nav aria-label={context.text(Text::NavName)}>
                { tab(Text::TabSearch, Page::Search, None) }
                { tab(Text::TabExceptions, Page::Exceptions, badge) }
                if !state.stores().is_empty() {
                    { tab(Text::TabLinks, Page::Links, None) }
                }
            </nav>
            <span id="waiting" hidden={true}>{ context.fill(Text::ExceptionsBadge, &[("count", &count)]) }</span>
            <div class="who">
                <span>{ context.fill(Text::SignedInAs, &[("name", &name)]) }</span>
                { second_factor::button(context) }
                { context.button("quiet small", Text::SignOut, Event::SignOutPressed) }
            </div>
            if let Some(failure) = state.sign_in.form.submission.failure().filter(|_| !state.sign_in.expired) {
                { failure::show_failure(context, failure, None) }
            }
        </header>
    }
}

fn pages(context: &ViewContext<'_>) -> Html {
    let searching = context.state.page == Page::Search;
    html! {
        <div>
            // The list stays where it is while an operation is looked at: 10,000 rows are not
            // drawn anew for the way back. Only one page has a heading to lead the focus to.
            <div class="page" hidden={!searching}>{ search::page(context) }</div>
            { match &context.state.page {
                Page::Search => Html::default(),
                Page::Exceptions => html! { <div class="page" key="exceptions">{ exceptions::page(context) }</div> },
                Page::Links => html! { <div class="page" key="links">{ links::page(context) }</div> },
                Page::Operation(reference) => {
                    let key = row_id(reference);
                    html! { <div class="page" {key}>{ operation::page(context) }</div> }
                }
            } }
        </div>
    }
}

/// Why the typed text is not a valid amount, in a sentence.
fn amount_text(problem: AmountProblem) -> Text {
    match problem {
        AmountProblem::Empty => Text::WrongAmountEmpty,
        AmountProblem::NoNumber => Text::WrongAmount,
        AmountProblem::TooManyDecimals => Text::WrongDecimals,
        AmountProblem::Zero => Text::WrongZero,
        AmountProblem::TooLarge => Text::WrongTooLarge,
    }
}
