//! Spanish as it is said in Peru, to a payer: short, calm, money first.
//!
//! *Cancelado* also means "paid" there, so what is cancelled is *anulado*.

use crate::keys::Text;
use crate::outside_texts::{Failures, PageText};

/// The wording of a text.
#[must_use]
pub fn text(text: Text) -> &'static str {
    match text {
        Text::BillTotal => "Total a pagar",
        Text::BillAmount => "Monto",
        Text::BillOrder => "Pedido {order}",

        Text::ActionCheck => "Consultar ahora",
        Text::Checked => "Aún no vemos tu pago. Última consulta: {time}.",
        Text::CheckedInVain => {
            "Si ya pagaste, no vuelvas a pagar. El servicio de pagos no responde ahora. Última respuesta: {time}."
        }
        Text::CheckTooSoon => "Acabamos de consultar. Espera unos segundos y vuelve a intentarlo.",
        Text::ActionRetry => "Intentar de nuevo",
        Text::ActionAnother => "Pagar de otra forma",
        Text::ActionCancel => "Anular",
        Text::ActionCancelLabel => "Anular pago",
        Text::ActionNewQr => "Generar otro QR",

        Text::NumberLabel => "Número de operación",
        Text::NumberCopy => "Copiar",
        Text::NumberCopyLabel => "Copiar número de operación",
        Text::Copied => "Copiado",
        Text::CopyFailed => "No se pudo copiar. Mantén presionado el número para copiarlo.",

        Text::ChooseHeading => "¿Cómo quieres pagar?",
        Text::ChooseOneHeading => "Paga tu pedido",
        Text::ChooseLead => "Te confirmaremos el pago aquí mismo.",
        Text::Trust => "Nunca te pediremos la clave de tu app o banco.",
        Text::ChooseNone => "No hay formas de pago disponibles. Escribe a la tienda.",
        Text::AboveMost => "{method} puedes pagar hasta {most}.",
        Text::BelowLeast => "{method} puedes pagar desde {least}.",
        Text::OtherCurrency => "{method} no puedes pagar en {currency}.",
        Text::NotOffered => "{method} no puedes pagar este pedido.",
        Text::LastDeclined => "Tu intento anterior ({number}) no fue aprobado.",
        Text::LastExpired => "Tu código anterior ({number}) venció sin pago.",
        Text::LastCancelled => "Tu código anterior ({number}) fue anulado.",
        Text::MethodQr => "Con QR",
        Text::MethodQrAbout => "Escanéalo o guárdalo y paga desde tu app.",
        Text::MethodQrWallets => "Con {wallets} o la app de tu banco.",
        Text::MethodInstallment => "En cuotas",
        Text::MethodInstallmentAbout => "Elige tus cuotas con una financiera y vuelve aquí.",
        Text::MethodCashCode => "En efectivo",
        Text::MethodCashCodeAbout => "Recibe un código y paga en un agente.",
        Text::MethodBankTransfer => "Por transferencia",
        Text::MethodBankTransferAbout => "Transfiere desde tu cuenta y vuelve aquí.",
        Text::MethodCard => "Con tarjeta",
        Text::MethodCardAbout => "De crédito o de débito.",
        Text::MethodWallet => "Con billetera digital",
        Text::MethodWalletAbout => "Confirma el pago en tu celular.",
        Text::MethodOther => "Con {method}",
        Text::MethodOtherAbout => "Te mostraremos los pasos.",

        Text::LiveQrHeading => "Ya tienes un QR para este pedido",
        Text::LiveCodeHeading => "Ya tienes un código de este pedido",
        Text::LiveHeading => "Ya empezaste a pagar este pedido",
        Text::LiveLead => {
            "Todavía puedes pagar {pay}. Si ya pagaste, no elijas otra forma: espera la confirmación."
        }
        Text::LiveQrShow => "Ver mi QR",
        Text::LiveCodeShow => "Ver mi código",
        Text::LiveShow => "Ver ese pago",
        Text::LiveReplace => "Anular el anterior y pagar {pay}",

        Text::PreparingHeading => "Preparando tu pedido",
        Text::PreparingLead => "La tienda está preparando tu pedido. Todavía no se cobra nada.",
        Text::AuthorizingQrHeading => "Generando tu QR",
        Text::AuthorizingHeading => "Preparando tu pago",
        Text::AuthorizingLead => "Un momento. Todavía no se cobra nada.",
        Text::AuthorizingSlow => {
            "Está tardando más de lo normal. Espera un poco más o paga de otra forma."
        }
        Text::CheckingHeading => "Consultando tu pago",
        Text::CheckingLead => "Si ya pagaste, no vuelvas a pagar.",
        Text::ConfirmingHeading => "Estamos confirmando tu pago",
        Text::ConfirmingLead => "Si ya pagaste, no vuelvas a pagar. El resultado aparecerá aquí.",

        Text::QrHeading => "Escanea con tu app",
        Text::QrPhoneHeading => "Paga desde este celular",
        Text::QrReady => "Tu QR para pagar {amount} está listo.",
        Text::QrAlt => "Código QR para pagar {amount}. Escanéalo con tu app de pagos o guárdalo.",
        Text::QrAltPayee => {
            "Código QR para pagar {amount} a {payee}. Escanéalo con tu app de pagos o guárdalo."
        }
        Text::QrEnlarge => "Ampliar QR",
        Text::QrSave => "Guardar QR",
        Text::QrShare => "Compartir",
        Text::QrSaved => {
            "Búscalo en tu galería o en tus descargas. ¿No está? Mantén presionado el QR y guárdalo."
        }
        Text::QrOpenStep => "Abre tu app de pagos.",
        Text::QrOpenWalletsStep => "Abre {wallets} o la app de tu banco.",
        Text::QrScanStep => "Escanea este QR.",
        Text::QrUploadStep => "Abre tu app de pagos y súbelo desde tu galería.",
        Text::QrUploadWalletsStep => {
            "Abre {wallets} o la app de tu banco y súbelo desde tu galería."
        }
        Text::QrVerifyStep => "Confirma solo si dice {amount}.",
        Text::QrVerifyPayeeStep => "Confirma solo si dice {payee} y {amount}.",
        Text::QrReturnStep => "Vuelve aquí para ver la confirmación.",
        Text::QrWaiting => "Esperando tu pago",

        Text::DeadlineAt => "Vence: {date}",
        Text::DeadlineLeft => "Vence en {time}",
        Text::DeadlineTooLate => {
            "Si aún no empezaste a pagar, espera: cuando venza podrás generar otro."
        }
        Text::DeadlineSaid => "Tienes {time} para pagar.",
        Text::DeadlinePeru => "hora de Perú",

        Text::LenderHeading => "Continúa con tu financiera",
        Text::LenderLead => "Elige tus cuotas y vuelve aquí para ver la confirmación.",
        Text::LenderLeaving => "Te llevamos a tu financiera",
        Text::ContinueHeading => "Continúa para completar tu pago",
        Text::ContinueLead => "Confirma el pago en la otra página y vuelve aquí.",
        Text::ContinueLeaving => "Te llevamos a completar tu pago",
        Text::ContinueLeavingLead => "Si la página no cambia sola, toca «{link}».",
        Text::ContinueLink => "Continuar",
        Text::LenderLink => "Ir a mi financiera",
        Text::BankLink => "Ir a mi banco",
        Text::ContinueHost => "Irás a {host}",

        Text::CashHeading => "Tu código de pago",
        Text::CashLead => {
            "Paga en un agente con este código. Puedes cerrar esta página: tu código sigue vigente."
        }
        Text::CashLeadDate => {
            "Paga en un agente hasta el {date}. Puedes cerrar esta página: tu código sigue vigente."
        }
        Text::CashLabel => "Código de pago",
        Text::CashCopy => "Copiar código",
        Text::CashPrint => "Imprimir",
        Text::CashHelp => "Ver dónde y cómo pagar",
        Text::CashComingHeading => "Tu código está por llegar",
        Text::CashComingLead => "Lo verás aquí en un momento. Todavía no hay nada que pagar.",
        Text::TransferHeading => "Esperando tu transferencia",
        Text::TransferLead => {
            "Si ya transferiste, no lo repitas. Lo verás aquí cuando tu banco confirme."
        }
        Text::WaitingHeading => "Esperando tu pago",
        Text::WaitingLead => "Si ya pagaste, no vuelvas a pagar. Lo verás aquí al confirmarse.",

        Text::LastCheckHeading => "Se acabó el tiempo para pagar",
        Text::LastCheckLead => "Si acabas de pagar, espera: estamos confirmando tu pago.",
        Text::OverdueQrHeading => "Este QR venció",
        Text::OverdueHeading => "Venció el plazo para pagar",
        Text::OverdueLead => {
            "¿Ya pagaste? No vuelvas a pagar: seguimos consultando y lo verás aquí."
        }
        Text::UnconfirmedQrHeading => "Aún no sabemos si pagaste tu QR anterior",
        Text::UnconfirmedHeading => "Aún no sabemos si se hizo tu pago anterior",
        Text::UnconfirmedLead => "Si ya pagaste, no vuelvas a pagar: lo verás aquí.",
        Text::UnconfirmedElsewhereLead => {
            "Aún no sabemos si se generó tu código. Si te llega uno por correo o mensaje, puedes pagarlo: cuenta, y lo verás aquí."
        }
        Text::UnconfirmedAgain => "¿No pagaste? Podrás pedir otro código desde esta hora: {time}.",
        Text::UnconfirmedNow => "Si no pagaste, ya puedes pedir otro código.",

        Text::CancellingHeading => "Anulando tu pago",
        Text::CancellingLead => "Primero verificamos que no esté pagado.",
        Text::AskHeading => "¿Anular este pago?",
        Text::AskLead => "Si ya pagaste, espera la confirmación.",
        Text::AskKeep => "Volver a mi pago",
        Text::AskCancel => "Sí, anular",
        Text::AskAnotherHeading => "¿Pagar de otra forma?",
        Text::AskAnotherLead => "Este pago se anulará. Si ya pagaste, espera la confirmación.",
        Text::AskAnother => "Anular y elegir otra forma",
        Text::CancelFailed => {
            "No pudimos anular este pago: sigue pendiente. Puedes pagarlo o volver a intentarlo."
        }

        Text::NoticeBefore => "No logramos comunicarnos con la tienda. Seguimos intentando.",
        Text::NoticeOffline => {
            "Se cortó la conexión. Si pagas o ya pagaste, lo confirmaremos apenas se recupere."
        }
        Text::NoticeTroubled => {
            "La tienda tarda en responder. Si ya pagaste, no vuelvas a pagar: seguimos intentando."
        }
        Text::NoticeBack => "Volvió la conexión.",

        Text::PaidHeading => "¡Pago confirmado!",
        Text::PaidLead => "Pagaste {amount}.",
        Text::PaidLeadMerchant => "Pagaste {amount} a {merchant}.",
        Text::PaidLeadOrder => "Pagaste {amount} por tu pedido {order}.",
        Text::PaidOthers => "Ya no uses los otros códigos de este pedido: {numbers}.",
        Text::PaidContinue => "Ver mi pedido",
        Text::PaidLeadsOn => "En 5 segundos irás a {host}.",
        Text::PaidStay => "Quedarme en esta página",
        Text::PaidStays => "Te quedas en esta página.",
        Text::PaidTwiceHeading => "Recibimos dos pagos",
        Text::PaidTwiceLead => {
            "Tu pedido está pagado. La tienda te contactará para devolverte uno."
        }
        Text::PaidTwiceOthers => "Otros números de este pedido: {numbers}.",
        Text::ReceiptTitle => "Constancia de pago",
        Text::ReceiptPayee => "Pagado a",
        Text::ReceiptDate => "Fecha",
        Text::ReceiptMethod => "Método",
        Text::ReceiptOrder => "Referencia",
        Text::ReceiptQr => "Código QR",
        Text::ReceiptInstallment => "Cuotas",
        Text::ReceiptCashCode => "Efectivo",
        Text::ReceiptBankTransfer => "Transferencia",
        Text::ReceiptCard => "Tarjeta",
        Text::ReceiptWallet => "Billetera digital",
        Text::ReceiptSave => "Guardar constancia",
        Text::ReceiptSaved => "Búscala en tu galería o en tus descargas.",
        Text::ReceiptShare => "Compartir",
        Text::ReceiptPrint => "Imprimir",
        Text::DeclinedHeading => "Tu pago no fue aprobado",
        Text::DeclinedLead => {
            "Tu app, banco o financiera no lo aprobó. Puedes intentar otra vez o pagar de otra forma."
        }
        Text::DeclinedCharge => "¿Ves un cargo? Escribe a la tienda antes de intentar otra vez.",
        Text::InvalidHeading => "No se pudo crear este pago",
        Text::InvalidLead => "No se te cobró nada. Vuelve a intentarlo y elige cómo pagar.",
        Text::CancelledHeading => "Pago anulado",
        Text::CancelledLead => "No se te cobró nada. Ya no uses el código o enlace de este pago.",
        Text::CancelledReplaced => {
            "En otra pestaña o dispositivo se eligió otra forma de pago. Continúa ahí o, si ya la cerraste, elige aquí cómo pagar."
        }
        Text::CancelledStaff => "La tienda anuló este pago.",
        Text::CancelledPage => "Se anuló desde otra página de este pedido.",
        Text::CancelledElsewhere => "Se anuló desde otra pestaña, otro dispositivo o la tienda.",
        Text::ExpiredQrHeading => "Este QR venció",
        Text::ExpiredHeading => "Venció el plazo para pagar",
        Text::ExpiredLead => "No vemos tu pago. Si ya pagaste, no vuelvas a pagar: lo verás aquí.",
        Text::ReversedHeading => "Tu pago fue revertido",
        Text::ReversedLead => "Te devolverán el dinero. Tu banco puede decirte cuándo llega.",
        Text::ReversedHelp => "¿Dudas? Escribe a la tienda con tu número de operación.",
        Text::HelpLink => "¿Necesitas ayuda?",
        Text::Details => "Detalles",
        Text::Reason => "Motivo: {reason}",
        Text::Account => "Cuenta de origen",
        Text::Reference => "Referencia del pago",
        Text::PaidAt => "Fecha del pago",

        Text::NetworkHeading => "No pudimos conectarnos",
        Text::NetworkLead => {
            "Aún no sabemos si tu pago se inició. Revisa tu internet e intenta de nuevo."
        }
        Text::ServerHeading => "La tienda tiene un problema",
        Text::ServerLead => "Esta vez no se te cobró nada. Espera un momento e intenta de nuevo.",
        Text::ServerUnknownLead => {
            "Aún no sabemos si tu pago se inició. Espera un momento e intenta de nuevo."
        }
        Text::RefusedHeading => "La tienda no pudo aceptar este pago",
        Text::RefusedLead => "Esta vez no se te cobró nada. Revisa tu pedido o intenta de nuevo.",
        Text::RefusedUnknownLead => {
            "Si ya pagaste, no vuelvas a pagar: escribe a la tienda. Si no, revisa tu pedido o intenta de nuevo."
        }
        Text::MayBePaidHeading => "Es posible que este pedido ya esté pagado",
        Text::MayBePaidLead => {
            "Antes de pagar, pregunta a la tienda si este pedido ya está pagado."
        }
        Text::NoMethodHeading => "No puedes pagar este pedido aquí",
        Text::NotFoundHeading => "No encontramos este pago",
        Text::NotFoundLead => "Si ya pagaste, no vuelvas a pagar: escribe a la tienda.",
        Text::AmountMismatchHeading => "El monto no coincide con tu pedido",
        Text::AmountMismatchLead => "No lo pagues y avisa a la tienda.",
        Text::QrImageHeading => "No pudimos mostrar el QR",
        Text::QrImageLead => "Intenta de nuevo o paga de otra forma.",
        Text::ContinueUrlHeading => "No pudimos abrir la página de pago",
        Text::ContinueUrlLead => {
            "La dirección no es segura, así que no te llevamos. Intenta de nuevo o paga de otra forma."
        }
        Text::PageHeading => "La tienda no pudo empezar el pago",
        Text::PageLead => "Esta vez no se cobró nada. Intenta de nuevo o escríbele a la tienda.",
        Text::ConfigurationHeading => "Aquí todavía no se puede pagar",
        Text::ConfigurationLead => {
            "Falta algo en esta página y esta vez no se te cobró nada. Avisa a la tienda."
        }
    }
}

/// The wording of a text of the server's own page.
pub(super) fn page_text(text: PageText) -> &'static str {
    match text {
        PageText::Title => "Pagar a {merchant}",
        PageText::OnPhone => "Pagar desde mi celular",
        PageText::OnPhoneLead => {
            "Escanea este código con la cámara de tu celular: abre esta misma página."
        }
        PageText::OnPhoneAlt => {
            "Código QR con la dirección de esta página. No es el código para pagar."
        }
        PageText::Keep => {
            "Guarda la dirección de esta página: siempre muestra el estado actual de tu pago."
        }
        PageText::GivenBack => "Devuelto o por devolver: {amount}",
        PageText::ClosedHeading => "Este pedido está cerrado",
        PageText::ClosedLead => {
            "Ya no se puede pagar. Para comprar, haz un pedido nuevo. Si ya pagaste, escribe a la tienda."
        }
        PageText::PayAgain => "Si quieres, puedes pagar otra vez:",
        PageText::Back => "Volver a mi pago",
        PageText::TooOften => {
            "Se intentó demasiadas veces. Espera un minuto y vuelve a intentarlo."
        }
        PageText::TryAgainLead => {
            "Si ya pagaste, no vuelvas a pagar. Espera un momento e inténtalo otra vez."
        }
        PageText::OrderRefused => {
            "El pedido que envió la tienda ya no vale. Vuelve a la tienda y empieza a pagar otra vez. Esta vez no se cobró nada."
        }
        PageText::TooManyAttempts => {
            "Este pedido ya se intentó pagar demasiadas veces. Espera una hora, o vuelve a la tienda y haz un pedido nuevo. Si ya pagaste, no vuelvas a pagar: escribe a la tienda."
        }
        PageText::CodeRefused => {
            "El código QR que recibimos no corresponde a tu pedido, así que no te lo mostramos. No se te cobró nada. Elige otra forma de pago o escribe a la tienda."
        }
        PageText::NotFoundLead => {
            "La dirección está incompleta o ya no vale. Pide a la tienda una nueva."
        }
        PageText::Language => "Idioma",
        PageText::Zone => "hora de {place}",
    }
}

/// The failure messages of the element, shown when its wasm does not run.
pub(super) const FAILURES: Failures = Failures {
    load: (
        "No pudimos cargar el pago",
        "Si ya pagaste, no vuelvas a pagar. Revisa tu conexión.",
        Some("Reintentar"),
    ),
    unable: (
        "Este navegador no puede mostrar el pago",
        "Si ya pagaste, no vuelvas a pagar. Abre esta página en otro navegador.",
        None,
    ),
    outdated: (
        "Esta página ya no está al día",
        "Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.",
        Some("Recargar la página"),
    ),
    crash: (
        "El pago se interrumpió",
        "Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.",
        Some("Recargar la página"),
    ),
    again: (
        "El pago no funciona en esta página",
        "Si ya pagaste, no vuelvas a pagar. La tienda puede decirte el estado.",
        None,
    ),
    number: "Número de operación",
    elsewhere: "Pagar en otra página",
};
