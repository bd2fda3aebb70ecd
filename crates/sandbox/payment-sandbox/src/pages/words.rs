/// The texts of the pages in one language.
pub(super) struct Words {
    pub(super) code: &'static str,
    /// The prefixes of currencies in this language. Other currencies have their code and a space.
    pub(super) symbols: &'static [(&'static str, &'static str)],
    pub(super) test_only: &'static str,
    pub(super) other_language: &'static str,
    pub(super) operation: &'static str,
    pub(super) left: &'static str,
    pub(super) days: &'static str,
    pub(super) pay_to: &'static str,

    pub(super) wallet_kind: &'static str,
    pub(super) wallet: &'static str,
    pub(super) wallet_lead: &'static str,
    pub(super) just_made: &'static str,
    pub(super) other_charges: &'static str,
    pub(super) nothing_pending: &'static str,
    pub(super) nothing_pending_hint: &'static str,
    pub(super) refresh: &'static str,
    pub(super) paste: &'static str,
    pub(super) open: &'static str,
    pub(super) confirm_payment: &'static str,
    pub(super) pay: &'static str,
    pub(super) reject: &'static str,
    pub(super) back_to_wallet: &'static str,

    pub(super) lender_kind: &'static str,
    pub(super) choose: &'static str,
    pub(super) installments: &'static str,
    pub(super) the_first: &'static str,
    pub(super) approve_credit: &'static str,
    pub(super) reject_credit: &'static str,
    pub(super) bank_name: &'static str,
    pub(super) bank_kind: &'static str,
    pub(super) confirm_transfer: &'static str,
    pub(super) approve_transfer: &'static str,
    pub(super) reject_transfer: &'static str,
    pub(super) leave: &'static str,
    pub(super) back_to_shop: &'static str,

    pub(super) agent_name: &'static str,
    pub(super) agent_kind: &'static str,
    pub(super) agent: &'static str,
    pub(super) cash_code: &'static str,
    pub(super) find: &'static str,
    pub(super) take_payment: &'static str,
    pub(super) other_code: &'static str,

    pub(super) paid: Notice,
    pub(super) declined: Notice,
    pub(super) expired: Notice,
    pub(super) cancelled: Notice,
    pub(super) reversed: Notice,
    pub(super) invalid: Notice,
    pub(super) not_ready: Notice,
    pub(super) unknown: Notice,
}

/// A heading and a sentence.
pub(super) struct Notice {
    pub(super) heading: &'static str,
    pub(super) text: &'static str,
}
