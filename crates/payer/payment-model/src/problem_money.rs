/// What a merchant's server knows of the money after a request that it refused or could not carry out: the member
/// `money` of a problem.
///
/// ```
/// use payment_model::ProblemMoney;
///
/// assert_eq!(ProblemMoney::from_word(Some("nothing_charged")), ProblemMoney::NothingCharged);
/// // A proxy's page has no such member.
/// assert_eq!(ProblemMoney::from_word(None), ProblemMoney::Unknown);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ProblemMoney {
    /// The request moved no money, and left nothing behind that can still be charged.
    NothingCharged,
    /// The request may have begun a payment or moved money.
    #[default]
    Unknown,
    /// The order is paid, or may be paid or can still be paid, by an operation that the request did not begin.
    MayBePaid,
}

impl ProblemMoney {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::NothingCharged, Self::Unknown, Self::MayBePaid];

    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NothingCharged => "nothing_charged",
            Self::Unknown => "unknown",
            Self::MayBePaid => "may_be_paid",
        }
    }

    /// Parses the member of a problem. A member that is absent or has another value tells nothing.
    #[must_use]
    pub fn from_word(word: Option<&str>) -> Self {
        let known = |value: &&Self| Some(value.as_str()) == word;
        Self::ALL
            .iter()
            .copied()
            .find(|value| known(&value))
            .unwrap_or_default()
    }
}
