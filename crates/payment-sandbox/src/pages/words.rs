use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use std::convert::Infallible;

/// The language of a page: Spanish, or English where the address says `lang=en`. The
/// browser's own preference is left aside, so that a page reads the same for whoever opens it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Spanish,
    English,
}

#[derive(Deserialize)]
struct LanguageQuery {
    lang: Option<String>,
}

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let asked = Query::<LanguageQuery>::try_from_uri(&parts.uri)
            .ok()
            .and_then(|query| query.0.lang);
        Ok(match asked.as_deref() {
            Some("en") => Self::English,
            _ => Self::Spanish,
        })
    }
}

impl Language {
    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::Spanish => &SPANISH,
            Self::English => &ENGLISH,
        }
    }

    /// A path of ours that stays in this language.
    pub(super) fn path(self, path: &str) -> String {
        match self {
            Self::Spanish => path.to_owned(),
            Self::English => format!("{path}?lang=en"),
        }
    }
}

/// Every text of the pages; a missing one does not compile.
pub(super) struct Words {
    pub(super) code: &'static str,
    pub(super) test_only: &'static str,
    pub(super) other_language: &'static str,
    pub(super) operation: &'static str,
    pub(super) left: &'static str,
    pub(super) days: &'static str,
    pub(super) pay_to: &'static str,

    pub(super) wallet: &'static str,
    pub(super) wallet_lead: &'static str,
    pub(super) nothing_pending: &'static str,
    pub(super) nothing_pending_hint: &'static str,
    pub(super) refresh: &'static str,
    pub(super) paste: &'static str,
    pub(super) open: &'static str,
    pub(super) confirm_payment: &'static str,
    pub(super) pay: &'static str,
    pub(super) reject: &'static str,
    pub(super) back_to_wallet: &'static str,

    pub(super) lender: &'static str,
    pub(super) choose: &'static str,
    pub(super) installments: &'static str,
    pub(super) installments_of: &'static str,
    pub(super) no_interest: &'static str,
    pub(super) approve_credit: &'static str,
    pub(super) reject_credit: &'static str,
    pub(super) bank: &'static str,
    pub(super) confirm_transfer: &'static str,
    pub(super) approve_transfer: &'static str,
    pub(super) reject_transfer: &'static str,
    pub(super) leave: &'static str,
    pub(super) back_to_shop: &'static str,

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

static SPANISH: Words = Words {
    code: "es",
    test_only: "Entorno de prueba: no se mueve dinero",
    other_language: "English",
    operation: "Operación",
    left: "Quedan",
    days: "días",
    pay_to: "Pagas a",
    wallet: "Tu billetera",
    wallet_lead: "Elige un cobro para pagarlo, como si hubieras escaneado su QR.",
    nothing_pending: "No hay cobros pendientes",
    nothing_pending_hint: "Genera un QR en la tienda y vuelve a esta página.",
    refresh: "Actualizar",
    paste: "O pega el contenido de un QR",
    open: "Abrir",
    confirm_payment: "Confirma tu pago",
    pay: "Pagar",
    reject: "Rechazar",
    back_to_wallet: "Volver a tu billetera",
    lender: "Crédito en cuotas",
    choose: "Elige tus cuotas",
    installments: "Número de cuotas",
    installments_of: "cuotas de",
    no_interest: "Sin intereses",
    approve_credit: "Aprobar crédito",
    reject_credit: "Rechazar crédito",
    bank: "Transferencia bancaria",
    confirm_transfer: "Confirma tu transferencia",
    approve_transfer: "Confirmar transferencia",
    reject_transfer: "Rechazar transferencia",
    leave: "Volver a la tienda sin decidir",
    back_to_shop: "Volver a la tienda",
    agent: "Agente de pagos en efectivo",
    cash_code: "Código de pago",
    find: "Buscar",
    take_payment: "Registrar pago",
    other_code: "Buscar otro código",
    paid: Notice {
        heading: "Pago realizado",
        text: "La tienda recibirá la confirmación. Ya puedes cerrar esta página.",
    },
    declined: Notice {
        heading: "Pago rechazado",
        text: "No se cobró nada. Si quieres pagar, empieza de nuevo en la tienda.",
    },
    expired: Notice {
        heading: "Este cobro venció",
        text: "Ya no se puede pagar. Pide uno nuevo en la tienda.",
    },
    cancelled: Notice {
        heading: "Este cobro fue cancelado",
        text: "La tienda lo canceló. Si quieres pagar, pide uno nuevo.",
    },
    reversed: Notice {
        heading: "Pago devuelto",
        text: "El pago se realizó y después se devolvió.",
    },
    invalid: Notice {
        heading: "Este cobro no es válido",
        text: "El servicio lo rechazó. Empieza de nuevo en la tienda.",
    },
    not_ready: Notice {
        heading: "Este cobro aún no está listo",
        text: "Espera un momento y actualiza la página.",
    },
    unknown: Notice {
        heading: "No encontramos este cobro",
        text: "Revisa el código o la dirección, o pide un cobro nuevo en la tienda.",
    },
};

static ENGLISH: Words = Words {
    code: "en",
    test_only: "Test environment: no money moves",
    other_language: "Español",
    operation: "Operation",
    left: "Time left:",
    days: "days",
    pay_to: "You pay",
    wallet: "Your wallet",
    wallet_lead: "Choose a charge to pay it, as if you had scanned its QR.",
    nothing_pending: "Nothing to pay",
    nothing_pending_hint: "Make a QR in the shop and come back to this page.",
    refresh: "Refresh",
    paste: "Or paste what a QR says",
    open: "Open",
    confirm_payment: "Confirm your payment",
    pay: "Pay",
    reject: "Decline",
    back_to_wallet: "Back to your wallet",
    lender: "Instalment credit",
    choose: "Choose your instalments",
    installments: "Number of instalments",
    installments_of: "instalments of",
    no_interest: "Without interest",
    approve_credit: "Approve credit",
    reject_credit: "Decline credit",
    bank: "Bank transfer",
    confirm_transfer: "Confirm your transfer",
    approve_transfer: "Confirm transfer",
    reject_transfer: "Decline transfer",
    leave: "Back to the shop without deciding",
    back_to_shop: "Back to the shop",
    agent: "Cash payment agent",
    cash_code: "Payment code",
    find: "Find",
    take_payment: "Take payment",
    other_code: "Find another code",
    paid: Notice {
        heading: "Payment made",
        text: "The shop will be told. You can close this page.",
    },
    declined: Notice {
        heading: "Payment declined",
        text: "Nothing was charged. To pay, start again in the shop.",
    },
    expired: Notice {
        heading: "This charge has expired",
        text: "It can no longer be paid. Ask for a new one in the shop.",
    },
    cancelled: Notice {
        heading: "This charge was cancelled",
        text: "The shop cancelled it. To pay, ask for a new one.",
    },
    reversed: Notice {
        heading: "Payment given back",
        text: "The payment was made and then given back.",
    },
    invalid: Notice {
        heading: "This charge is not valid",
        text: "The service rejected it. Start again in the shop.",
    },
    not_ready: Notice {
        heading: "This charge is not ready yet",
        text: "Wait a moment and refresh the page.",
    },
    unknown: Notice {
        heading: "We cannot find this charge",
        text: "Check the code or the address, or ask for a new charge in the shop.",
    },
};
