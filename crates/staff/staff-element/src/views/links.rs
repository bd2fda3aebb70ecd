//! Payment links: their list, and the dialogs that make, show and end one.

use super::failure::show_failure;
use super::modal::{currency, done, modal, question};
use super::news;
use super::pieces::{headline, listing};
use super::second_factor::qr;
use super::view_context::{Input, ViewContext, paragraph};
use crate::staff_state::links::{LONGEST_CUSTOMER_CHARS, LONGEST_LABEL_CHARS, LinkForm, OneLink};
use crate::staff_state::{Ask, Event, FailureKind, Field, Page, Press, Reference};
use crate::texts::{Text, Texts};
use browser_kit::texts::{Locale, sanitized};
use js_sys::{Function, Object, Promise, Reflect};
use payment_model::{Cents, Currency};
use staff_model::{LONGEST_LINK_DAYS, LinkState, Money, PaymentLink, Permission};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::{AttrValue, Callback, Html, html};

pub(super) fn page(context: &ViewContext<'_>) -> Html {
    let links = &context.state.links;
    let may = context.state.may(Permission::Link);
    let over = html! {
        <div class="bar">
            <span class="tools">
                { news::toggles(context) }
                { context.button("plain small", Text::Refresh, Event::ReloadPressed) }
                { news::age(context).unwrap_or_default() }
            </span>
            if may {
                { context.button("primary", Text::LinkNew, Event::Asked(Ask::MakeLink)) }
            }
        </div>
    };
    let list = match links.list.as_deref() {
        None if links.running => context.paragraph("muted", Text::Loading),
        Some([]) => context.paragraph("empty", Text::LinksNone),
        list => html! {
            <>
                <ul class="refunds">{ for list.unwrap_or_default().iter().map(|link| card(context, link, may)) }</ul>
                if links.next.is_some() {
                    <div class="actions">
                        { context.button_unless("plain", Text::More, Event::MorePressed,
                            links.running.then(|| context.text(Text::Loading))) }
                    </div>
                }
            </>
        },
    };
    listing(
        context,
        Text::TabLinks,
        links.running,
        (over, links.failure.as_ref()),
        list,
    )
}

fn card(context: &ViewContext<'_>, link: &Rc<PaymentLink>, may: bool) -> Html {
    let (state, class) = match link.state {
        LinkState::NotOpened => (Text::LinkNotOpened, ""),
        LinkState::Waiting => (Text::LinkWaiting, "busy"),
        LinkState::Paid => (Text::OrderPaid, "good"),
        LinkState::Over => (Text::LinkOver, "over"),
        LinkState::Unknown => (Text::StateUnknown, ""),
    };
    let open = matches!(link.state, LinkState::NotOpened | LinkState::Waiting);
    let takes_payments = open && link.ended_by.is_none();
    let sends = may && takes_payments && link.url.is_some();
    let number = link.merchant_operation_number.as_ref();
    let operation = number.map(|number| {
        Event::Opened(Page::Operation(Reference {
            merchant_code: link.merchant_code.clone(),
            number: number.clone(),
        }))
    });
    let by = |text, name: &str| context.fill(text, &[("name", &sanitized(name))]);
    let mut facts = by(Text::LinkMadeBy, &link.made_by).to_string();
    let made = context.texts.short(link.made_at, false);
    let until = until(context.texts, link);
    let ended = link.ended_by.as_deref();
    let ended = ended.map(|name| by(Text::LinkEndedBy, name).to_string());
    for fact in [Some(made), Some(until), ended].into_iter().flatten() {
        facts.push_str(" · ");
        facts.push_str(&fact);
    }
    let name = link.customer_name.as_deref();
    let name = name.map(|name| [" · ", &sanitized(name)].concat());
    html! {
        <li key={[&*link.merchant_code, " ", &link.order_id].concat()} class="refund">
            <h3>{ sanitized(&link.label) }</h3>
            { headline(sum(context.texts, link), (class, context.text(state)), name.unwrap_or_default().into()) }
            { paragraph("muted", &facts.into()) }
            <div class="actions">
                if sends {
                    { context.button("plain small", Text::LinkShow, Event::Asked(Ask::ShowLink(link.clone()))) }
                }
                if may && takes_payments {
                    { context.button("danger small", Text::LinkEnd, Event::Asked(Ask::EndLink(link.clone()))) }
                }
                if let Some(operation) = operation {
                    { context.button("plain small", Text::LinkOperation, operation) }
                }
            </div>
        </li>
    }
}

/// How much a link is for, and for what.
fn subject(context: &ViewContext<'_>, link: &PaymentLink) -> Html {
    let subject = [&*sum(context.texts, link), " · ", &sanitized(&link.label)].concat();
    paragraph("", &subject.into())
}

fn until(texts: &Texts, link: &PaymentLink) -> String {
    let time = texts.short(link.pay_until, false);
    [&*texts.text(Text::LinkUntil), " ", &time].concat()
}

fn sum(texts: &Texts, link: &PaymentLink) -> String {
    texts.money(&link.amount.into(), &link.currency)
}

/// The form of a new link.
pub(super) fn make(context: &ViewContext<'_>, form: &LinkForm) -> Html {
    let Some(store) = form.stores.get(form.store) else {
        return Html::default();
    };
    let sending = form.submission.is_sending();
    let failure = form.submission.failure();
    let limited = |text, amount: Cents| {
        let currency: Currency = store.currency.clone();
        let amount = context.texts.sum(&Money { amount, currency });
        context.fill(text, &[("amount", &amount)])
    };
    let session = context.state.sign_in.session.as_ref();
    let limit = session.and_then(|session| session.link_limit);
    let refused = failure.filter(|failure| failure.kind == FailureKind::LinkRefused);
    let refused = refused.and_then(|failure| failure.left);
    let wrong = form
        .wrong
        .amount
        .map(|problem| context.text(super::amount_text(problem)));
    let too_long = |text, longest: usize| context.fill(text, &[("count", &longest.to_string())]);
    let stores = form.stores.iter().enumerate().map(|(at, store)| {
        let name = [
            &*sanitized(&store.merchant_name),
            " · ",
            &store.merchant_code,
        ]
        .concat();
        (at.to_string(), AttrValue::from(name))
    });
    let stores: Vec<_> = stores.collect();
    let mut days: Vec<_> = [1, 3, 7, LONGEST_LINK_DAYS]
        .map(|days| {
            let time = Duration::from_secs(86_400 * u64::from(days));
            (days.to_string(), context.texts.age(time))
        })
        .into();
    if context.state.today(context.at).is_some() {
        days.insert(0, ("0".to_owned(), context.text(Text::ChipToday)));
    }
    let body = html! {
        <>
            <fieldset class="found" disabled={!form.is_open()}>
                if stores.len() > 1 {
                    { context.select(Field::Store, Text::LinkStore, &form.store.to_string(), false, &stores) }
                }
                { context.input(Input {
                    hint: limit.filter(|_| refused.is_none()).map(|most| limited(Text::LinkLimit, most)),
                    wrong: wrong.or(refused.map(|left| limited(Text::LinkLeft, left))),
                    prefix: Some(context.texts.symbol(&store.currency)),
                    ..Input::new(
                        Field::Amount(0),
                        context.fill(Text::AmountLabel, &[("currency", &sanitized(&currency(&store.currency)))]),
                        &form.amount,
                    )
                }) }
                { context.input(Input {
                    wrong: form.wrong.label.then(|| too_long(Text::LinkLine, LONGEST_LABEL_CHARS)),
                    ..Input::new(Field::Label, context.text(Text::LinkLabel), &form.label.0)
                }) }
                { context.select(Field::Until, Text::LinkUntil, &form.days.to_string(), false, &days) }
                { context.input(Input {
                    wrong: form.wrong.customer.then(|| too_long(Text::LinkName, LONGEST_CUSTOMER_CHARS)),
                    ..Input::new(Field::Customer, context.text(Text::LinkCustomer), &form.customer.0)
                }) }
            </fieldset>
            if let Some(failure) = failure.filter(|_| refused.is_none()) {
                { show_failure(context, failure, None) }
                if failure.kind == FailureKind::BadRequest {
                    // The rest was checked here: the server's clock says something else.
                    { context.paragraph("", Text::LinkClock) }
                }
                if failure.is_uncertain() {
                    { context.paragraph("", Text::SameAgain) }
                }
            }
        </>
    };
    let body = question(context, ("primary", Text::LinkMake), sending, sending, body);
    modal(context, context.text(Text::LinkNew), "make", body)
}

/// One link, to send or to end.
pub(super) fn one(context: &ViewContext<'_>, one: &OneLink) -> Html {
    if one.ends {
        return end(context, one);
    }
    let link = &one.link;
    let language = if one.language.is_empty() {
        context.texts.locale()
    } else {
        Locale::of_tag(&one.language)
    };
    let languages = [(Locale::EsPe, "Español"), (Locale::En, "English")]
        .map(|(locale, name)| (locale.tag().to_owned(), AttrValue::Static(name)));
    let again = Event::DialogPressed(Press::On);
    let body = html! {
        <div class="found">
            { subject(context, link) }
            { paragraph("muted", &until(context.texts, link).into()) }
            if let Some(failure) = one.submission.failure() {
                { show_failure(context, failure, Some(again)) }
            }
            if let Some(url) = link.url.as_ref() {
                { context.select(Field::Language, Text::LinkText, language.tag(), false, &languages) }
                { message(context, link, url, language) }
                <p class="pair">{ context.copy(url, &context.text(Text::LinkAddress)) }</p>
            }
            if let Some(code) = link.qr.as_ref() {
                <details>
                    <summary>{ context.text(Text::LinkQr) }</summary>
                    { qr(context.text(Text::MethodQr), code) }
                </details>
            }
            { done(context) }
        </div>
    };
    modal(context, context.text(Text::LinkReady), "shown", body)
}

/// The text to send, in the language of who gets it: the customer's name is not in it.
fn message(context: &ViewContext<'_>, link: &PaymentLink, url: &str, language: Locale) -> Html {
    let texts = Texts::new(language, context.texts.zone());
    let stores = context.state.stores().iter();
    let mut shop = stores
        .filter(|store| store.merchant_code == link.merchant_code)
        .map(|store| sanitized(&store.merchant_name));
    // The store of an older link may be closed.
    let Some(shop) = shop.next() else {
        return Html::default();
    };
    let text = texts.fill(
        Text::LinkMessage,
        &[
            ("shop", &shop),
            ("amount", &sum(&texts, link)),
            ("label", &sanitized(&link.label)),
            ("url", url),
            ("time", &texts.short(link.pay_until, false)),
        ],
    );
    html! {
        <>
            <p class="pair" lang={language.tag()}>{ context.copy(&text, &context.text(Text::LinkText)) }</p>
            { share_button(context, text) }
        </>
    }
}

/// The button that hands the text to another app, where the browser can.
fn share_button(context: &ViewContext<'_>, text: AttrValue) -> Html {
    let Some(navigator) = web_sys::window().map(|window| window.navigator()) else {
        return Html::default();
    };
    let share = Reflect::get(&navigator, &"share".into()).unwrap_or_default();
    let Ok(share) = share.dyn_into::<Function>() else {
        return Html::default();
    };
    let press = Callback::from(move |_| {
        let data = Object::new();
        let _ = Reflect::set(&data, &"text".into(), &text.as_str().into());
        // A person may think better of it, and the browser of an app may throw.
        if let Ok(shared) = share.call1(&navigator, &data) {
            spawn_local(async move {
                let _ = JsFuture::from(Promise::resolve(&shared)).await;
            });
        }
    });
    html! { <div>{ context.button_with("primary", Text::LinkShare, press) }</div> }
}

fn end(context: &ViewContext<'_>, one: &OneLink) -> Html {
    let heading = context.text(Text::LinkEndHeading);
    if one.has_ended() {
        let body = match one.link.state {
            LinkState::Paid => context.paragraph("", Text::LinkPaid),
            _ => html! {
                <>{ context.paragraph("", Text::LinkEnded) }{ context.paragraph("", Text::LinkCode) }</>
            },
        };
        let body = html! { <>{ body }{ done(context) }</> };
        return modal(context, heading, "done", body);
    }
    let sending = one.submission.is_sending();
    let body = html! {
        <>
            { subject(context, &one.link) }
            { context.paragraph("", Text::LinkEndLead) }
            { context.paragraph("", Text::LinkVoid) }
            if let Some(failure) = one.submission.failure() {
                { show_failure(context, failure, None) }
            }
        </>
    };
    let body = question(
        context,
        ("danger", Text::LinkEndYes),
        sending,
        sending,
        body,
    );
    modal(context, heading, "open", body)
}
