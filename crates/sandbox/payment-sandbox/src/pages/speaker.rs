use super::words::Words;
use maud::{Markup, html};

/// The company of a page. Names and marks are invented, so that no page can be mistaken for one of a real
/// company.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Wallet,
    Lender,
    Bank,
    Agent,
}

impl Speaker {
    /// The CSS class of the page, with its color and its frame.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Wallet => "wallet",
            Self::Lender => "lender",
            Self::Bank => "bank",
            Self::Agent => "agent",
        }
    }

    /// The name at the top of the page.
    pub(super) fn name(self, words: &Words) -> &'static str {
        match self {
            Self::Wallet => "Apu",
            Self::Lender => "Cuotas Nube",
            Self::Bank => words.bank_name,
            Self::Agent => words.agent_name,
        }
    }

    /// The kind of company, such as a wallet.
    pub(super) fn kind(self, words: &Words) -> &'static str {
        match self {
            Self::Wallet => words.wallet_kind,
            Self::Lender => words.lender_kind,
            Self::Bank => words.bank_kind,
            Self::Agent => words.agent_kind,
        }
    }

    /// The company's mark: a mountain, a cloud, columns or an awning.
    pub(super) fn mark(self) -> Markup {
        let path = match self {
            Self::Wallet => "M4 26 13 10l5 8 3-4 7 12zM23 6a3 3 0 1 0 .01 0",
            Self::Lender => "M10 25a6 6 0 0 1-.6-11.9A8 8 0 0 1 24.6 14 5.6 5.6 0 0 1 23.4 25z",
            Self::Bank => "M5 13 16 6l11 7zM8 15h3v8H8zm6.5 0h3v8h-3zm6.5 0h3v8h-3zM5 25h22v2H5z",
            Self::Agent => {
                "M6 7h20l3 7a4 4 0 0 1-6.5 2 4 4 0 0 1-6.5 0 4 4 0 0 1-6.5 0A4 4 0 0 1 3 14zM7 19h18v8H7z"
            }
        };
        html! {
            svg class="mark" viewBox="0 0 32 32" width="40" height="40" aria-hidden="true" {
                path d=(path) {}
            }
        }
    }
}
