//! The frame of every page.

use crate::element::{Element, Facts};
use crate::page::Page;
use crate::state::State;
use crate::{choosing, ended, formats, message, waiting};
use checkout_texts::{Locale, PageText, Text, fill};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style sheet, which every page contains. A policy has to permit it by its hash.
pub const STYLE: &str = include_str!("page.css");

impl Page<'_> {
    /// The whole document.
    #[must_use]
    pub fn html(&self) -> String {
        let title = fill(
            self.locale.page_text(PageText::Title),
            &[("merchant", self.merchant_name)],
        );
        let document = html! {
            (DOCTYPE)
            html lang=(self.locale.tag()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { (title.trim()) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) }
                    @if let Some((element, _)) = self.with_element() { (element.head()) }
                }
                body {
                    @match self.with_element() {
                        None => main.card { (self.card()) },
                        Some((element, facts)) => main {
                            (element.tag(&facts))
                            div.card data-waiting[matches!(self.state, State::Waiting(_))] { (self.card()) }
                        },
                    }
                    (self.languages())
                }
            }
        };
        document.into_string()
    }

    /// True if the document has the element. Its policy has to permit it then, and it is drawn again by a line
    /// of the document for browsers without scripts, since a page on which the element runs is not.
    #[must_use]
    pub fn has_element(&self) -> bool {
        self.with_element().is_some()
    }

    /// The element where it can show all that the page shows: a choice, or a code that waits. It knows nothing
    /// of a payment that was given back before, nor of an earlier attempt whose outcome is unknown.
    fn with_element(&self) -> Option<(&Element<'_>, Facts<'_>)> {
        let element = self
            .element
            .as_ref()
            .filter(|element| element.offers_all())?;
        let shows_all = match self.state {
            State::Choosing {
                was_reversed,
                is_in_doubt,
                ..
            } => !was_reversed && !is_in_doubt,
            State::Waiting(_) => true,
            _ => false,
        };
        let facts = Facts {
            locale: self.locale,
            merchant_name: self.merchant_name,
            order_name: self.order_name,
            money: self.money?,
            url: self.url?,
        };
        shows_all.then_some((element, facts))
    }

    fn card(&self) -> Markup {
        html! {
            (self.bill())
            (self.content())
        }
    }

    fn content(&self) -> Markup {
        match self.state {
            State::Choosing {
                offer,
                key,
                last,
                was_reversed,
                is_in_doubt,
            } => {
                let choice = choosing::Choice {
                    offer,
                    key,
                    last: last.as_ref(),
                    was_reversed: *was_reversed,
                    is_in_doubt: *is_in_doubt,
                };
                choosing::choosing(self, &choice)
            }
            State::AskingToReplace {
                live,
                number,
                wanted,
                key,
            } => choosing::asking_to_replace(self, live, number, wanted, key),
            State::AskingToCancel { number } => waiting::asking_to_cancel(self, number),
            State::Waiting(waiting) => waiting::waiting(self, waiting),
            State::Confirming => waiting::confirming(self),
            State::Ended(end) => ended::ended(self, end),
            State::Closed => ended::closed(self),
            State::Message(message) => message::message(self, message),
        }
    }

    fn bill(&self) -> Markup {
        let label = match self.state {
            State::Ended(_) | State::Closed | State::Message(_) => Text::BillAmount,
            _ => Text::BillTotal,
        };
        html! {
            @if let Some(money) = self.money {
                dl.bill {
                    div {
                        dt translate="no" { (self.merchant_name) }
                        dd translate="no" { (self.fill(Text::BillOrder, &[("order", self.order_name)])) }
                    }
                    div.sum {
                        dt { (self.text(label)) }
                        dd translate="no" { (formats::money(self.locale, money)) }
                    }
                }
            }
        }
    }

    /// Links to the page in the other languages.
    fn languages(&self) -> Markup {
        let others = Locale::ALL.iter().filter(|locale| **locale != self.locale);
        html! {
            nav.no-print aria-label=(self.own(PageText::Language)) {
                ul.languages {
                    @for locale in others {
                        li { a lang=(locale.tag()) href=(self.path_in(*locale)) { (locale.own_name()) } }
                    }
                }
            }
        }
    }
}
