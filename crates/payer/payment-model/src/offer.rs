use crate::lenient::{objects, word, word_if_any};
use crate::words::wire_enum;
use crate::{Amount, Currency, PaymentMethodName};
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Why an order cannot be paid by a method.
    pub enum NotOfferedReason as "'below-least' | 'above-most' | 'currency' | 'order' | 'setting' | (string & {})" {
        /// The order's amount is below the least that the method takes.
        BelowLeast = "below-least",
        /// The order's amount is above the most that the method takes.
        AboveMost = "above-most",
        /// The method takes no payments in the order's currency.
        Currency = "currency",
        /// The order leaves the method out.
        Order = "order",
        /// The merchant's server does not have the method.
        Setting = "setting",
    }
}

/// A method by which an order cannot be paid. Both bounds are inclusive, in the smallest unit of the order's
/// currency, and only known where one of them is the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotOffered {
    /// The method.
    #[serde(default)]
    pub method: PaymentMethodName,
    /// Why it is not offered.
    #[serde(default)]
    pub reason: NotOfferedReason,
    /// The least amount that the method takes.
    #[serde(default, deserialize_with = "word_if_any")]
    pub least: Option<Amount>,
    /// The most that the method takes.
    #[serde(default, deserialize_with = "word_if_any")]
    pub most: Option<Amount>,
}

/// By which methods a merchant's server takes the payment of an order.
///
/// The refusal of a start has the same members, but one [`NotOffered`] beside them in place of the list. An answer without
/// `currency` or `methods` is no offer.
///
/// ```
/// use payment_model::{NotOffered, NotOfferedReason, Offer};
///
/// let refusal = r#"{"currency": "PEN", "methods": ["INSTALLMENT"],
///     "method": "QR", "reason": "above-most", "least": null, "most": "50000"}"#;
/// let offer: Offer = serde_json::from_str(refusal)?;
/// let refused: NotOffered = serde_json::from_str(refusal)?;
/// assert_eq!((offer.methods.len(), offer.not_offered.len()), (1, 0));
/// assert_eq!(refused.reason, NotOfferedReason::AboveMost);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The order's currency.
    #[serde(deserialize_with = "word")]
    pub currency: Currency,
    /// The methods by which the order can be paid, in the order in which they are offered; maybe none.
    pub methods: Vec<PaymentMethodName>,
    /// The server's other methods.
    #[serde(default, deserialize_with = "objects")]
    pub not_offered: Vec<NotOffered>,
}

#[cfg(test)]
mod tests {
    use super::{NotOffered, NotOfferedReason, Offer};
    use crate::{Amount, Currency, PaymentMethodName};
    use serde_json::{Value, json};

    #[test]
    fn an_offer_is_written_as_it_was_read() {
        let answer = json!({
            "currency": "PEN",
            "methods": ["INSTALLMENT"],
            "not_offered": [{"method": "QR", "reason": "above-most", "least": null, "most": "50000"}],
        });
        let offer: Offer = serde_json::from_value(answer.clone()).unwrap();
        assert_eq!(
            offer,
            Offer {
                currency: Currency::new("PEN"),
                methods: vec![PaymentMethodName::Installment],
                not_offered: vec![NotOffered {
                    method: PaymentMethodName::Qr,
                    reason: NotOfferedReason::AboveMost,
                    least: None,
                    most: Some(Amount::new("50000")),
                }],
            }
        );
        assert_eq!(serde_json::to_value(&offer).unwrap(), answer);
    }

    #[test]
    fn an_answer_without_a_currency_or_a_list_of_methods_is_no_offer() {
        for answer in [
            json!({"methods": ["QR"]}),
            json!({"currency": "PEN"}),
            json!({"currency": "PEN", "methods": null}),
            json!({"currency": "PEN", "methods": "QR"}),
            json!({"currency": "PEN", "methods": {}}),
            json!([]),
            json!(null),
        ] {
            let read = serde_json::from_value::<Offer>(answer.clone());
            assert!(read.is_err(), "{answer}");
        }
    }

    #[test]
    fn every_other_member_may_be_missing_or_odd() {
        for (others, currency, not_offered) in [
            (json!({"currency": ""}), "", 0),
            (json!({"currency": null, "not_offered": null}), "", 0),
            (json!({"currency": 604, "not_offered": []}), "604", 0),
            (json!({"currency": {}, "not_offered": "QR"}), "", 0),
            (
                json!({"currency": "PEN", "not_offered": [{}, null, 7]}),
                "PEN",
                1,
            ),
        ] {
            let mut answer = others.clone();
            answer["methods"] = json!(["QR", "NUEVO", "QR", null]);
            let offer: Offer = serde_json::from_value(answer).unwrap();
            assert_eq!(offer.currency.as_str(), currency, "{others}");
            assert_eq!(offer.methods.len(), 4, "{others}");
            assert_eq!(offer.not_offered.len(), not_offered, "{others}");
        }
    }

    #[test]
    fn a_reason_and_its_limits_may_be_missing_or_odd() {
        let check = |json: Value, reason: &str, least: Option<&str>| {
            let read: NotOffered = serde_json::from_value(json.clone()).unwrap();
            assert_eq!(read.reason.as_str(), reason, "{json}");
            assert_eq!(read.least.as_ref().map(Amount::as_str), least, "{json}");
            assert_eq!(read.most, None, "{json}");
        };
        check(json!({}), "", None);
        check(json!({"reason": "hours", "least": null}), "hours", None);
        check(json!({"reason": null, "least": 600}), "", Some("600"));
        check(json!({"least": "S/ 6", "most": ""}), "", Some("S/ 6"));
        check(json!({"least": {}, "most": 1.5}), "", None);
    }
}
