//! Which methods the choice has: those of the page by which the merchant's server takes this order.

use super::authorizing::Authorizing;
use super::{Flow, Phase, schedule};
use crate::failure::ErrorCode;
use crate::notice::Notice;
use payment_model::{Currency, NotOffered, NotOfferedReason, Offer, PaymentMethodName};

/// A method in the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The method.
    pub method: &'a PaymentMethodName,
    /// Why it is not offered, with the currency of its limits. A press on any other method begins a payment.
    pub refusal: Option<(&'a NotOffered, &'a Currency)>,
}

impl Flow {
    /// Forgets what the server said of the order's methods, since the order has changed: the server decides anew at the
    /// next attempt.
    pub fn forget_offer(&mut self) {
        self.offer = None;
    }

    /// The server refused the method of the attempt, and began nothing. The key of the attempt is free.
    pub(super) fn not_offered(&mut self, authorizing: Authorizing, offer: Offer) {
        // A page that was loaded anew repeats an attempt without a press.
        self.last_method = Some(authorizing.attempt.method);
        self.offer = Some(offer);
        self.phase = Phase::Choosing;
        self.refused_until = self.now().saturating_add(schedule::DOUBLE_CLICK);
    }

    /// True when the page has this method, and the server did not leave it out.
    pub(super) fn offers(&self, method: &PaymentMethodName) -> bool {
        let offer = self.offer.as_ref();
        self.settings.methods.contains(method)
            && offer.is_none_or(|offer| offer.methods.contains(method))
    }

    /// True when the payer would choose, and there is nothing to choose from.
    pub(super) fn has_no_method(&self) -> bool {
        let methods = &self.settings.methods;
        self.is_choosing() && !methods.iter().any(|method| self.offers(method))
    }

    /// The methods of the choice, in the page's order. Of a choice that the page shows only the method of the last attempt
    /// is here.
    pub(super) fn choices(&self) -> Vec<Choice<'_>> {
        let mut choices = Vec::new();
        let hidden = self.settings.hides_choice && !self.has_no_method();
        for method in &self.settings.methods {
            let pressed = self.last_method.as_ref() == Some(method);
            if self.is_choosing() && (pressed || !hidden) {
                let offered = self.offers(method);
                let refusal = self.refusal_of(method, pressed).filter(|_| !offered);
                if offered || refusal.is_some() {
                    choices.push(Choice { method, refusal });
                }
            }
        }
        choices
    }

    /// What the server said against a method, if the payer has to know. That the shop leaves it out matters only to a payer
    /// who chose it.
    fn refusal_of(
        &self,
        method: &PaymentMethodName,
        pressed: bool,
    ) -> Option<(&NotOffered, &Currency)> {
        use NotOfferedReason as Reason;
        let offer = self.offer.as_ref()?;
        let mut refused = offer.not_offered.iter();
        let refused = refused.find(|refused| refused.method == *method)?;
        let told = matches!(
            refused.reason,
            Reason::BelowLeast | Reason::AboveMost | Reason::Currency
        );
        (told || pressed).then_some((refused, &offer.currency))
    }

    /// Reports, once, that no method is left.
    pub(super) fn report_no_method(&mut self) {
        let none = self.has_no_method();
        if none && !self.told_no_method {
            self.report(Notice::Error(ErrorCode::NoMethod));
        }
        self.told_no_method = none;
    }
}
