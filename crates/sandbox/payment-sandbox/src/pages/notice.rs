use super::words::{Notice, Words};
use maud::{Markup, html};
use payment_model::{Outcome, TransactionState};

/// The notice about an operation that can no longer be paid; `None` while it can be paid.
pub(super) fn outcome<'a>(
    words: &'a Words,
    state: &TransactionState,
) -> Option<(&'static str, &'a Notice)> {
    if *state == TransactionState::Pending {
        return None;
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
