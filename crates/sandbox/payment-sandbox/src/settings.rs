use crate::limits::Limits;
use crate::qr_content::QrForm;
use payment_model::PaymentMethodName;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A year. A longer time to pay is most likely given in a wrong unit.
pub(crate) const MAX_EXPIRES_IN_S: u32 = 31_536_000;

/// The settings that tests change with `PUT /sandbox/settings`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Settings {
    /// Time to pay of QR operations, in seconds.
    pub(crate) qr_expires_in_s: u32,
    /// Time to pay of installment operations, in seconds.
    pub(crate) installment_expires_in_s: u32,
    /// Time to pay of cash codes, in seconds.
    pub(crate) cashcode_expires_in_s: u32,
    /// Time to pay of every other method, in seconds.
    pub(crate) other_expires_in_s: u32,
    /// The number of next authorizations that are rejected as `INVALIDO`.
    pub(crate) invalidate_next: u32,
    /// Additional methods that an authorization may have: the specification does not show how a payment by
    /// card or wallet begins.
    pub(crate) authorizable: Vec<PaymentMethodName>,
    /// True to reject the token as expired.
    pub(crate) token_expired: bool,
    /// Amounts decide the outcome of operations to come.
    pub(crate) test_amounts: bool,
    /// What QR codes of operations to come say.
    pub(crate) qr_form: QrForm,
    /// What payers' wallets, lenders and agents take. The service itself takes everything.
    pub(crate) limits: Limits,
    /// The accepted token, which must not appear in answers or the log.
    #[serde(skip)]
    pub(crate) token: SecretString,
}

/// A change of [`Settings`]. Absent fields are not changed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsChange {
    qr_expires_in_s: Option<u32>,
    installment_expires_in_s: Option<u32>,
    cashcode_expires_in_s: Option<u32>,
    other_expires_in_s: Option<u32>,
    invalidate_next: Option<u32>,
    authorizable: Option<Vec<PaymentMethodName>>,
    token_expired: Option<bool>,
    test_amounts: Option<bool>,
    qr_form: Option<QrForm>,
    limits: Option<Limits>,
    token: Option<String>,
}

impl Settings {
    pub(crate) fn new(token: String, qr_expires_in_s: u32) -> Self {
        Self {
            qr_expires_in_s,
            installment_expires_in_s: 3_600,
            cashcode_expires_in_s: 86_400,
            other_expires_in_s: 1_800,
            invalidate_next: 0,
            authorizable: Vec::new(),
            token_expired: false,
            test_amounts: false,
            qr_form: QrForm::default(),
            limits: Limits::default(),
            token: token.into(),
        }
    }

    /// The time to pay of a method.
    pub(crate) fn expires_in(&self, method: &PaymentMethodName) -> Duration {
        let seconds = match method {
            PaymentMethodName::Qr => self.qr_expires_in_s,
            PaymentMethodName::Installment => self.installment_expires_in_s,
            PaymentMethodName::CashCode => self.cashcode_expires_in_s,
            _ => self.other_expires_in_s,
        };
        Duration::from_secs(u64::from(seconds))
    }

    /// Applies a change completely or not at all.
    ///
    /// # Errors
    /// A sentence that names the field whose value is out of bounds.
    pub(crate) fn change(&mut self, change: SettingsChange) -> Result<(), String> {
        let mut changed = self.clone();
        let times = [
            (
                "qr_expires_in_s",
                change.qr_expires_in_s,
                &mut changed.qr_expires_in_s,
            ),
            (
                "installment_expires_in_s",
                change.installment_expires_in_s,
                &mut changed.installment_expires_in_s,
            ),
            (
                "cashcode_expires_in_s",
                change.cashcode_expires_in_s,
                &mut changed.cashcode_expires_in_s,
            ),
            (
                "other_expires_in_s",
                change.other_expires_in_s,
                &mut changed.other_expires_in_s,
            ),
        ];
        for (field, wanted, setting) in times {
            if let Some(seconds) = wanted {
                *setting = check_expires_in_s(field, seconds)?;
            }
        }
        if let Some(count) = change.invalidate_next {
            changed.invalidate_next = count;
        }
        if let Some(methods) = change.authorizable {
            changed.authorizable = methods;
        }
        if let Some(expired) = change.token_expired {
            changed.token_expired = expired;
        }
        if let Some(decide) = change.test_amounts {
            changed.test_amounts = decide;
        }
        if let Some(form) = change.qr_form {
            changed.qr_form = form;
        }
        if let Some(limits) = change.limits {
            changed.limits = limits;
        }
        match change.token {
            Some(token) if token.trim().is_empty() => {
                return Err("token must not be empty".to_owned());
            }
            Some(token) => changed.token = token.into(),
            None => {}
        }
        *self = changed;
        Ok(())
    }
}

/// Checks the bounds of a time to pay.
///
/// # Errors
/// A sentence that names the field.
pub(crate) fn check_expires_in_s(field: &str, seconds: u32) -> Result<u32, String> {
    if (1..=MAX_EXPIRES_IN_S).contains(&seconds) {
        Ok(seconds)
    } else {
        Err(format!(
            "{field} must be a number of seconds from 1 to {MAX_EXPIRES_IN_S}"
        ))
    }
}
