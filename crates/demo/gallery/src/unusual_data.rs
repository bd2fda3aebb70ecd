use super::made_up_state::MadeUpState;
use checkout_flow::Money;
use payment_model::{Amount, Currency, Meta};

/// Unusual data that any screen may have to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnusualData {
    /// All data is usual.
    None,
    /// Very long names, one of them without a space.
    LongNames,
    /// An amount that is larger than any real one.
    HugeAmount,
    /// An unknown currency, and an amount that is not a number of cents.
    UnknownCurrency,
    /// The server named no deadline.
    NoDeadline,
    /// A very long reason, and a very long number with separators.
    LongReason,
    /// The shop's numbers have separators.
    OwnNumbers,
    /// The page names neither the merchant nor the price, so only the server's answers have the amount.
    Nameless,
}

impl UnusualData {
    pub(super) const ALL: [Self; 8] = [
        Self::None,
        Self::LongNames,
        Self::HugeAmount,
        Self::UnknownCurrency,
        Self::NoDeadline,
        Self::LongReason,
        Self::OwnNumbers,
        Self::Nameless,
    ];

    /// The name in addresses.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::LongNames => "long-names",
            Self::HugeAmount => "huge-amount",
            Self::UnknownCurrency => "unknown-currency",
            Self::NoDeadline => "no-deadline",
            Self::LongReason => "long-reason",
            Self::OwnNumbers => "own-numbers",
            Self::Nameless => "nameless",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Changes a state so that it has this data.
    pub(super) fn put_into(self, state: &mut MadeUpState) {
        match self {
            Self::None => {}
            Self::LongNames => {
                let name = "Cooperativa de Artesanas y Artesanos Textiles de las Comunidades \
                            Altoandinas Unidas de Apurímac y Huancavelica S. Coop. R. L.";
                state.props.merchant_name = Some(name.into());
                state.props.payee_name = Some("COOPARTESANALTOANDINASAPURIMACHUANCAVELICA".into());
            }
            Self::HugeAmount => state.money = money("98765432109899", "PEN"),
            Self::UnknownCurrency => state.money = money("12.990,5", "ZZZ"),
            Self::NoDeadline => {
                state.deadline = None;
                state.remaining = None;
            }
            Self::LongReason => {
                let reason = "La entidad no pudo procesar la solicitud porque el límite diario de \
                              la cuenta de origen fue superado; consulta con tu entidad e \
                              inténtalo otra vez mañana, o elige otra forma de pago para este \
                              pedido. Código interno ERR_LIMITE_DIARIO_SUPERADO_2026_11_21_0007.";
                reason.clone_into(&mut state.transaction.state_reason);
                if state.refusal.is_some() {
                    state.refusal = Some(Meta::new("21", reason));
                }
                if let Some(operation) = &mut state.operation {
                    operation.merchant_operation_number =
                        "RETAMA-BARRANCO-2026-11-21-000000000000482193017756".into();
                }
            }
            Self::OwnNumbers => {
                state.props.order_label = Some("2026-1001-000000-A".into());
                if let Some(operation) = &mut state.operation {
                    operation.merchant_operation_number = "1001-000000-A".into();
                }
            }
            Self::Nameless => {
                state.props.merchant_name = None;
                state.props.payee_name = None;
                state.props.order_label = None;
                if state.operation.is_none() {
                    state.money = None;
                }
            }
        }
    }
}

fn money(amount: &str, currency: &str) -> Option<Money> {
    Some(Money {
        amount: Amount::new(amount),
        currency: Currency::new(currency),
    })
}
