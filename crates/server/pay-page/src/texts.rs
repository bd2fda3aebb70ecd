//! The sentences that only this page needs.

use checkout_texts::Locale;

checkout_texts::texts! {
    pub(crate) enum Text;

    Title = "page.title",
    OnPhone = "page.on-phone",
    OnPhoneLead = "page.on-phone-lead",
    OnPhoneAlt = "page.on-phone-alt",
    Keep = "page.keep",
    GivenBack = "page.given-back",
    ClosedHeading = "page.closed-heading",
    ClosedLead = "page.closed-lead",
    PayAgain = "page.pay-again",
    Back = "page.back",
    TooOften = "page.too-often",
    TryAgainLead = "page.try-again-lead",
    OrderRefused = "page.order-refused",
    TooManyAttempts = "page.too-many-attempts",
    NotFoundLead = "page.not-found-lead",
    Language = "page.language",
    Zone = "page.zone",
}

impl Text {
    pub(crate) fn of(self, locale: Locale) -> &'static str {
        match locale {
            Locale::EsPe => self.spanish(),
            Locale::En => self.english(),
            Locale::PtBr => self.portuguese(),
        }
    }

    fn spanish(self) -> &'static str {
        match self {
            Self::Title => "Pagar a {merchant}",
            Self::OnPhone => "Pagar desde mi celular",
            Self::OnPhoneLead => {
                "Escanea este código con la cámara de tu celular: abre esta misma página."
            }
            Self::OnPhoneAlt => {
                "Código QR con la dirección de esta página. No es el código para pagar."
            }
            Self::Keep => {
                "Guarda la dirección de esta página: siempre muestra el estado actual de tu pago."
            }
            Self::GivenBack => "Devuelto o por devolver: {amount}",
            Self::ClosedHeading => "Este pedido está cerrado",
            Self::ClosedLead => {
                "Ya no se puede pagar. Para comprar, haz un pedido nuevo. Si ya pagaste, escribe a la tienda."
            }
            Self::PayAgain => "Si quieres, puedes pagar otra vez:",
            Self::Back => "Volver a mi pago",
            Self::TooOften => {
                "Se intentó demasiadas veces. Espera un minuto y vuelve a intentarlo."
            }
            Self::TryAgainLead => {
                "Si ya pagaste, no vuelvas a pagar. Espera un momento e inténtalo otra vez."
            }
            Self::OrderRefused => {
                "El pedido que envió la tienda ya no vale. Vuelve a la tienda y empieza a pagar otra vez. Esta vez no se cobró nada."
            }
            Self::TooManyAttempts => {
                "Este pedido ya se intentó pagar demasiadas veces. Espera una hora, o vuelve a la tienda y haz un pedido nuevo. Si ya pagaste, no vuelvas a pagar: escribe a la tienda."
            }
            Self::NotFoundLead => {
                "La dirección está incompleta o ya no vale. Pide a la tienda una nueva."
            }
            Self::Language => "Idioma",
            Self::Zone => "hora de {place}",
        }
    }

    fn english(self) -> &'static str {
        match self {
            Self::Title => "Pay {merchant}",
            Self::OnPhone => "Pay on my phone",
            Self::OnPhoneLead => "Scan this code with your phone's camera: it opens this page.",
            Self::OnPhoneAlt => "QR code with the address of this page. It is not the code to pay.",
            Self::Keep => {
                "Keep the address of this page: it always shows the present state of your payment."
            }
            Self::GivenBack => "Returned or on its way back: {amount}",
            Self::ClosedHeading => "This order is closed",
            Self::ClosedLead => {
                "It cannot be paid any more. To buy, make a new order. If you have already paid, contact the store."
            }
            Self::PayAgain => "You can pay again if you like:",
            Self::Back => "Back to my payment",
            Self::TooOften => "This was tried too often. Wait a minute and try again.",
            Self::TryAgainLead => {
                "If you have already paid, do not pay again. Wait a moment and try again."
            }
            Self::OrderRefused => {
                "The order that the store sent is no longer valid. Go back to the store and start to pay again. Nothing was charged this time."
            }
            Self::TooManyAttempts => {
                "There were too many attempts to pay this order. Wait an hour, or go back to the store and make a new order. If you have already paid, do not pay again: contact the store."
            }
            Self::NotFoundLead => {
                "The address is incomplete or no longer valid. Ask the store for a new one."
            }
            Self::Language => "Language",
            Self::Zone => "{place} time",
        }
    }

    fn portuguese(self) -> &'static str {
        match self {
            Self::Title => "Pagar a {merchant}",
            Self::OnPhone => "Pagar no meu celular",
            Self::OnPhoneLead => {
                "Leia este código com a câmera do celular: ele abre esta mesma página."
            }
            Self::OnPhoneAlt => "Código QR com o endereço desta página. Não é o código para pagar.",
            Self::Keep => {
                "Guarde o endereço desta página: ela sempre mostra o estado atual do seu pagamento."
            }
            Self::GivenBack => "Devolvido ou a caminho: {amount}",
            Self::ClosedHeading => "Este pedido está fechado",
            Self::ClosedLead => {
                "Ele não pode mais ser pago. Para comprar, faça um novo pedido. Se você já pagou, fale com a loja."
            }
            Self::PayAgain => "Se quiser, você pode pagar de novo:",
            Self::Back => "Voltar ao meu pagamento",
            Self::TooOften => "Houve tentativas demais. Espere um minuto e tente de novo.",
            Self::TryAgainLead => {
                "Se você já pagou, não pague de novo. Espere um momento e tente outra vez."
            }
            Self::OrderRefused => {
                "O pedido que a loja enviou não vale mais. Volte à loja e comece a pagar de novo. Desta vez nada foi cobrado."
            }
            Self::TooManyAttempts => {
                "Houve tentativas demais de pagar este pedido. Espere uma hora, ou volte à loja e faça um novo pedido. Se você já pagou, não pague de novo: fale com a loja."
            }
            Self::NotFoundLead => {
                "O endereço está incompleto ou não vale mais. Peça um novo à loja."
            }
            Self::Language => "Idioma",
            Self::Zone => "horário de {place}",
        }
    }
}
