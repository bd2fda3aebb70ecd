//! The methods by which an order can be paid: those of the server, without those that the order leaves out and those
//! that do not take the order's amount or currency.

use crate::order::{OrderFacts, cents};
use payment_model::{Amount, Currency, NotOffered, NotOfferedReason, Offer, PaymentMethodName};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of consecutive refused codes after which a store offers no QR, until staff resolve the exception of one of
/// them.
pub const REFUSED_CODES_STOP_QR: u32 = 3;

/// The limits of one method in one currency, in its smallest unit, both inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bounds {
    least: Option<u64>,
    most: Option<u64>,
}

/// What methods take. A method that is named here takes the currencies that are named with it, and no others; a method
/// that is not named takes everything.
///
/// ```
/// # use payment_rules::offer::MethodLimits;
/// let limits = r#"{"QR": {"PEN": {"least": 600, "most": 50000}}}"#;
/// assert!(MethodLimits::parse(limits).is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct MethodLimits {
    methods: Vec<(PaymentMethodName, Vec<(Currency, Bounds)>)>,
    /// True if QR is not offered after [`REFUSED_CODES_STOP_QR`].
    pub stops_qr: bool,
}

/// Bounds by currency by method, as a person writes them.
type Written = BTreeMap<String, BTreeMap<String, BTreeMap<String, Value>>>;

impl TryFrom<Written> for MethodLimits {
    type Error = String;

    fn try_from(methods: Written) -> Result<Self, String> {
        let methods = methods.into_iter().map(|(method, currencies)| {
            let mut limits: Vec<(Currency, Bounds)> = Vec::new();
            for (code, bounds) in currencies {
                let place = format!("{method}.{code}");
                let currency = Currency::new(code);
                if currency.iso().is_none() {
                    let why = "names no currency of ISO 4217, such as PEN";
                    return Err(format!("`{place}` {why}"));
                }
                if limits.iter().any(|(other, _)| other.same_as(&currency)) {
                    return Err(format!("`{place}` names a currency that comes twice"));
                }
                limits.push((currency, read_bounds(&place, &bounds)?));
            }
            if limits.is_empty() {
                return Err(format!("`{method}` names no currency"));
            }
            Ok((PaymentMethodName::from(&*method), limits))
        });
        Ok(Self {
            methods: methods.collect::<Result<_, _>>()?,
            stops_qr: false,
        })
    }
}

fn read_bounds(place: &str, written: &BTreeMap<String, Value>) -> Result<Bounds, String> {
    let mut bounds = Bounds::default();
    for (name, value) in written {
        let bound = match name.as_str() {
            "least" => &mut bounds.least,
            "most" => &mut bounds.most,
            _ => return Err(format!("`{place}.{name}` is neither `least` nor `most`")),
        };
        let why = "is no whole number of the currency's smallest unit";
        let cents = cents(value).ok_or_else(|| format!("`{place}.{name}` {why}"))?;
        *bound = Some(cents);
    }
    match bounds {
        Bounds {
            least: Some(least),
            most: Some(most),
        } if least > most => Err(format!("`{place}` has a `least` above its `most`")),
        _ => Ok(bounds),
    }
}

impl MethodLimits {
    /// Reads a JSON object of the methods, such as `{"QR": {"PEN": {"least": 600, "most": 50000}}}`.
    ///
    /// # Errors
    /// The place that cannot be used, as the predicate of a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("is wrong: {error}"))
    }

    /// The methods that have limits.
    pub fn methods(&self) -> impl Iterator<Item = &PaymentMethodName> {
        self.methods.iter().map(|(method, _)| method)
    }

    /// False for a method that is not offered in this currency.
    pub fn takes(&self, method: &PaymentMethodName, currency: &Currency) -> bool {
        let limited = self.methods.iter().find(|(limited, _)| limited == method);
        limited.is_none_or(|(_, limits)| limits.iter().any(|(taken, _)| taken.same_as(currency)))
    }

    /// These limits, and those of the other ones for every further method.
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (method, limits) in &others.methods {
            if !self.methods().any(|own| own == method) {
                self.methods.push((method.clone(), limits.clone()));
            }
        }
        self
    }

    fn refusal(&self, method: &PaymentMethodName, order: &OrderFacts) -> Option<NotOffered> {
        let (_, limits) = self.methods.iter().find(|(limited, _)| limited == method)?;
        let currency = Currency::new(&*order.currency);
        let taken = limits.iter().find(|(taken, _)| taken.same_as(&currency));
        let Some((_, Bounds { least, most })) = taken else {
            return Some(not_offered(method, NotOfferedReason::Currency));
        };
        let reason = match (least, most) {
            (Some(least), _) if order.amount < *least => NotOfferedReason::BelowLeast,
            (_, Some(most)) if order.amount > *most => NotOfferedReason::AboveMost,
            _ => return None,
        };
        Some(NotOffered {
            least: least.map(Amount::from_cents),
            most: most.map(Amount::from_cents),
            ..not_offered(method, reason)
        })
    }
}

/// A method that is not offered, for a reason other than the amount.
pub fn not_offered(method: &PaymentMethodName, reason: NotOfferedReason) -> NotOffered {
    NotOffered {
        method: method.clone(),
        reason,
        least: None,
        most: None,
    }
}

impl OrderFacts {
    /// Why the order cannot be paid by this method; `None` if it can. `refused_codes` is the number of
    /// consecutive wrong codes of its store that were refused.
    pub fn refuses(
        &self,
        method: &PaymentMethodName,
        limits: &MethodLimits,
        refused_codes: u32,
    ) -> Option<NotOffered> {
        match &self.methods {
            Some(methods) if !methods.contains(method) => {
                Some(not_offered(method, NotOfferedReason::Order))
            }
            _ if *method == PaymentMethodName::Qr
                && limits.stops_qr
                && refused_codes >= REFUSED_CODES_STOP_QR =>
            {
                Some(not_offered(method, NotOfferedReason::Setting))
            }
            _ => limits.refusal(method, self),
        }
    }

    /// The offer of the order, from the methods of its server.
    pub fn offer<'a>(
        &self,
        methods: impl IntoIterator<Item = &'a PaymentMethodName>,
        limits: &MethodLimits,
        refused_codes: u32,
    ) -> Offer {
        let mut offer = Offer {
            currency: Currency::new(&*self.currency),
            methods: Vec::new(),
            not_offered: Vec::new(),
        };
        for method in methods {
            match self.refuses(method, limits, refused_codes) {
                Some(why) => offer.not_offered.push(why),
                None => offer.methods.push(method.clone()),
            }
        }
        offer
    }
}

#[cfg(test)]
mod tests;
