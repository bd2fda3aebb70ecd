//! The staff's texts, and money and dates as staff read them.

mod en;
mod es_pe;
mod exceptions;
mod failures;
mod keys;
mod links;

pub(crate) use keys::Text;

use super::staff_state::{FailureKind, local_day};
use browser_kit::texts::{Locale, ZoneFormatter, fill, sanitized};
use payment_model::{
    Amount, Currency, DateObject, Meta, Money, Outcome, PaymentMethodName, RefundState, Timestamp,
    TransactionState,
};
use staff_model::{ExceptionKind, OperationRow, Phase};
use std::time::Duration;
use yew::AttrValue;

impl Text {
    /// The text in a language.
    fn own(self, locale: Locale) -> &'static str {
        match locale {
            Locale::En => en::text(self),
            // The element asks for no other language.
            _ => es_pe::text(self),
        }
    }
}

/// The texts in one language, and the merchant's time zone.
pub(crate) struct Texts {
    locale: Locale,
    zone: String,
    formats: ZoneFormatter,
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.locale == other.locale && self.zone == other.zone
    }
}

impl Texts {
    pub(crate) fn new(locale: Locale, zone: &str) -> Self {
        Self {
            locale,
            zone: zone.to_owned(),
            formats: ZoneFormatter::new(locale, zone),
        }
    }

    /// True when these texts are for this language and time zone.
    pub(crate) fn are_for(&self, locale: Locale, zone: &str) -> bool {
        self.locale == locale && self.zone == zone
    }

    pub(crate) fn locale(&self) -> Locale {
        self.locale
    }

    pub(crate) fn zone(&self) -> &str {
        &self.zone
    }

    pub(crate) fn text(&self, text: Text) -> AttrValue {
        AttrValue::Static(text.own(self.locale))
    }

    pub(crate) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        AttrValue::from(fill(text.own(self.locale), values))
    }

    /// An amount of the merchant's own count.
    pub(crate) fn sum(&self, sum: &staff_model::Money) -> String {
        self.money(&sum.amount.into(), &sum.currency)
    }

    /// An amount as the service told it.
    pub(crate) fn money(&self, amount: &Amount, currency: &Currency) -> String {
        let money = Money {
            amount: Amount::new(sanitized(amount.as_str())),
            currency: Currency::new(sanitized(currency.as_str())),
        };
        self.formats.money(&money)
    }

    /// The sign of a currency, as an amount has it.
    pub(crate) fn symbol(&self, currency: &Currency) -> AttrValue {
        let nothing = self.money(&Amount::new("0"), currency);
        let is_sign = |c: char| !c.is_ascii_digit() && !c.is_whitespace();
        let sign = nothing.trim_matches(|c| !is_sign(c) || c == '.' || c == ',');
        AttrValue::from(sign.to_owned())
    }

    /// An instant on the merchant's clock.
    pub(crate) fn local(&self, at: Timestamp) -> String {
        let local = self.formats.instant(at);
        local.unwrap_or_else(|| self.universal(at))
    }

    /// An instant as the time of its day, with the day where that is not today.
    pub(crate) fn short(&self, at: Timestamp, is_today: bool) -> String {
        let short = self.formats.short(at, is_today);
        short.unwrap_or_else(|| self.universal(at))
    }

    /// What people call the order of an operation.
    pub(crate) fn order_name(&self, row: &OperationRow) -> String {
        sanitized(row.order_label.as_ref().unwrap_or(&row.order_id))
    }

    /// An instant in UTC.
    pub(crate) fn universal(&self, at: Timestamp) -> String {
        [&local_day::universal(at), " UTC"].concat()
    }

    /// A date of the service: on the merchant's clock and in UTC; as it came where it is none.
    pub(crate) fn date(&self, date: &DateObject) -> (String, String) {
        match date.timestamp() {
            Some(at) => (self.local(at), self.universal(at)),
            None => {
                let text = date.utc_time.as_deref().unwrap_or_default();
                (sanitized(text), String::new())
            }
        }
    }

    /// A transaction's state in words; a new one as it came.
    pub(crate) fn state(&self, state: &TransactionState) -> AttrValue {
        self.text(match state {
            TransactionState::Registered => Text::StateRegistered,
            TransactionState::Pending => Text::StatePending,
            TransactionState::Invalid => Text::StateInvalid,
            TransactionState::Authorized => Text::StateAuthorized,
            TransactionState::Declined => Text::StateDeclined,
            TransactionState::Cancelled => Text::StateCancelled,
            TransactionState::Expired => Text::StateExpired,
            TransactionState::Settled => Text::StateSettled,
            TransactionState::Reversed => Text::StateReversed,
            TransactionState::Unknown(_) => Text::StateUnknown,
        })
    }

    pub(crate) fn refund_state(&self, state: &RefundState) -> AttrValue {
        self.text(match state {
            RefundState::Registered => Text::RefundRegistered,
            RefundState::InProcess => Text::RefundInProcess,
            RefundState::Resolved => Text::RefundResolved,
            RefundState::Rejected => Text::RefundRejected,
            RefundState::Unknown(_) => Text::StateUnknown,
        })
    }

    /// The text of an end: a canceled payment was given back.
    pub(crate) fn ended(&self, state: &TransactionState, outcome: Option<Outcome>) -> AttrValue {
        match (state, outcome) {
            (TransactionState::Cancelled, Some(Outcome::Reversed)) => {
                self.text(Text::StateReversed)
            }
            _ => self.state(state),
        }
    }

    /// The state of an operation, or its phase without one; with the word on the wire.
    pub(crate) fn standing(&self, row: &OperationRow) -> (AttrValue, String) {
        match &row.state {
            Some(state) => (self.ended(state, row.outcome), sanitized(state.as_str())),
            None => {
                let text = match row.phase {
                    Phase::Sending => Text::PhaseSending,
                    Phase::InDoubt => Text::PhaseInDoubt,
                    Phase::Refused => Text::PhaseRefused,
                    Phase::Known | Phase::Unknown => Text::StateUnknown,
                    Phase::Lost => Text::PhaseLost,
                };
                (self.text(text), String::new())
            }
        }
    }

    pub(crate) fn method(&self, method: &PaymentMethodName) -> AttrValue {
        self.text(match method {
            PaymentMethodName::Qr => Text::MethodQr,
            PaymentMethodName::Installment => Text::MethodInstallment,
            PaymentMethodName::CashCode => Text::MethodCashCode,
            PaymentMethodName::BankTransfer => Text::MethodBankTransfer,
            PaymentMethodName::Card => Text::MethodCard,
            PaymentMethodName::Wallet => Text::MethodWallet,
            PaymentMethodName::Unknown(word) => return AttrValue::from(sanitized(word)),
        })
    }

    /// Returns the name of an exception and the advice for it.
    pub(crate) fn exception(&self, kind: ExceptionKind) -> (AttrValue, AttrValue) {
        let (what, act) = exceptions::texts(self.locale, kind);
        (AttrValue::Static(what), AttrValue::Static(act))
    }

    /// What went wrong, in a sentence.
    pub(crate) fn failure(&self, kind: FailureKind) -> AttrValue {
        AttrValue::Static(failures::text(self.locale, kind))
    }

    /// The service's own message in this language, where there is one.
    pub(crate) fn message(&self, meta: &Meta) -> Option<String> {
        let message = meta.message_for(self.locale.tag())?;
        Some(sanitized(message)).filter(|message| !message.is_empty())
    }

    /// How long something has lasted.
    pub(crate) fn age(&self, lasted: Duration) -> AttrValue {
        let minutes = lasted.as_secs() / 60;
        let (text, count) = match minutes {
            0..60 => (Text::AgeMinutes, minutes),
            60..2_880 => (Text::AgeHours, minutes / 60),
            _ => (Text::AgeDays, minutes / 1_440),
        };
        self.fill(text, &[("count", &count.to_string())])
    }
}

#[cfg(test)]
mod tests {
    use super::{Locale, Text};
    use browser_kit::texts::places;
    use std::collections::BTreeSet;

    #[test]
    fn every_language_says_everything_and_cancelado_is_never_said() {
        for text in Text::ALL {
            let (spanish, english) = (text.own(Locale::EsPe), text.own(Locale::En));
            assert!(!spanish.is_empty() && !english.is_empty(), "{}", text.key());
            let values = |text| places(text).collect::<BTreeSet<_>>();
            assert_eq!(values(spanish), values(english), "{}", text.key());
            // In Peru it also means "paid".
            assert!(!spanish.to_lowercase().contains("cancel"), "{}", text.key());
        }
    }
}
