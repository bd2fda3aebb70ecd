use super::formats::money;
use super::words::{Notice, Words};
use crate::charge::Charge;
use crate::limits::{Beyond, Bounds, Limits};
use maud::{Markup, html};
use payment_model::{Amount, Outcome, TransactionState};

/// The notice about an operation that cannot be paid; `None` while it can be paid.
pub(super) fn outcome<'a>(
    words: &'a Words,
    charge: &Charge,
    limits: &Limits,
) -> Option<(&'static str, &'a Notice)> {
    let state = &charge.state;
    if *state == TransactionState::Pending {
        let beyond = charge.beyond(limits);
        return beyond.map(|_| ("bad", &words.not_taken));
    }
    Some(match Outcome::of_state(state) {
        Some(Outcome::Paid) => ("good", &words.paid),
        Some(Outcome::Declined) => ("bad", &words.declined),
        Some(Outcome::Expired) => ("quiet", &words.expired),
        Some(Outcome::Cancelled) => ("quiet", &words.cancelled),
        Some(Outcome::Reversed) => ("quiet", &words.reversed),
        Some(Outcome::Invalid) => ("bad", &words.invalid),
        None => ("quiet", &words.not_ready),
    })
}

/// The card of a result: a sign, a heading, a sentence, facts and a link.
pub(super) fn notice(tone: &str, notice: &Notice, facts: &Markup, onward: &Markup) -> Markup {
    html! {
        section class={"card notice " (tone)} {
            (sign(tone))
            h1 { (notice.heading) }
            p class="lead" { (notice.text) }
            (facts)
            (onward)
        }
    }
}

/// The sentence that says what the payer's side takes, about an operation that waits for another amount.
pub(super) fn taken(words: &Words, charge: &Charge, limits: &Limits) -> Markup {
    let waits = charge.state == TransactionState::Pending;
    let Some(beyond) = charge.beyond(limits).filter(|_| waits) else {
        return html! {};
    };
    let currency = &charge.asked.currency;
    let sum = |cents| money(words, &Amount::from_cents(cents), currency);
    html! {
        p class="left" {
            (words.taken)
            @match beyond {
                Beyond::Amount(Bounds { least, most }) => {
                    @if let Some(least) = least { " " (words.from) " " (sum(least)) }
                    @if let Some(most) = most { " " (words.up_to) " " (sum(most)) }
                },
                Beyond::Currency(codes) => { " " (words.only_in) " " (codes.join(", ")) },
            }
            "."
        }
    }
}

fn sign(tone: &str) -> Markup {
    let path = match tone {
        "good" => "M14 25l7 7 14-16",
        "bad" => "M16 16l16 16M32 16L16 32",
        _ => "M24 14v13M24 33v1",
    };
    html! {
        svg class="sign" viewBox="0 0 48 48" width="64" height="64" aria-hidden="true" {
            circle cx="24" cy="24" r="22" {}
            path d=(path) {}
        }
    }
}
