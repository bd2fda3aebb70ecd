//! The names of the exceptions and the advice for them.

use browser_kit::texts::Locale;
use staff_model::ExceptionKind;

/// Returns the name of an exception and the advice for it.
pub(super) fn texts(locale: Locale, kind: ExceptionKind) -> (&'static str, &'static str) {
    match locale {
        Locale::En => en(kind),
        _ => es_pe(kind),
    }
}

fn en(kind: ExceptionKind) -> (&'static str, &'static str) {
    match kind {
        ExceptionKind::InDoubt => (
            "Nobody knows whether the service accepted the operation",
            "The server asks for a day. If it stays unclear, ask the payment service with the operation number.",
        ),
        ExceptionKind::Mismatch => (
            "The service told another amount, currency or number",
            "Do not deliver the order. Compare the amounts with the payment service before you decide.",
        ),
        ExceptionKind::PaidTwice => (
            "The order was paid twice",
            "Give one of the two payments back: reverse it, refund it, or record a return.",
        ),
        ExceptionKind::PaidLate => (
            "Late payment: it came after it had expired or was canceled",
            "Decide whether the order is still delivered. If not, give the payment back.",
        ),
        ExceptionKind::NotSettled => (
            "It is paid and was not settled in time",
            "Ask for its state again. If it stays so, ask the payment service.",
        ),
        ExceptionKind::Blocked => (
            "Somebody waits for another code and cannot have one yet",
            "It may still be paid with the first code. Ask again; if that stays unclear, ask the payment service. Two people can give the order free, and the first code stays watched.",
        ),
        ExceptionKind::WrongCode => (
            "The QR was not for its order",
            "Tell the payment service what is written here. After three in a row the store offers no QR: mark one as resolved once the service has put it right.",
        ),
        ExceptionKind::NumberTaken => (
            "The service says that the number had been used before",
            "The number may be another installation's: cancel nothing with it. Tell your technical staff: each installation needs an OPERATION_PREFIX of its own.",
        ),
        ExceptionKind::RefundUnknown => (
            "Nobody knows whether the service has a refund",
            "Its amount stays reserved. Once it is known that it never arrived, a second person can release it.",
        ),
        ExceptionKind::ReversalUnknown => (
            "Nobody knows whether it was reversed or canceled",
            "Nothing else may be given back meanwhile. Ask again; if it stays unclear, a second person can release it.",
        ),
        ExceptionKind::ReturnUnreserved => (
            "It was given back by hand without a reservation",
            "Check that it was not given back another way as well, and say how it was settled.",
        ),
        ExceptionKind::GivenBackBeyond => (
            "More was given back than was paid",
            "Compare both amounts with the payment service and the payer, and have the excess paid back.",
        ),
        ExceptionKind::Contradicted => (
            "The service's answers contradict each other",
            "The first answer stays. Ask the payment service what is true before you deliver or give anything back.",
        ),
        ExceptionKind::PaymentHeld => (
            "It is paid, and a cancellation may still give it back",
            "The shop does not know of the payment yet. Ask again; if it stays so, ask the payment service, and two people can release the cancellation.",
        ),
        ExceptionKind::Unanswered => (
            "The service gives no usable answer about it",
            "It may have been paid. Tell your technical staff, and ask the payment service with the operation number. If nothing was paid, say so here: the server stops asking until the service reports a change.",
        ),
        ExceptionKind::Restored => (
            "The server was restored from a backup, and this is older",
            "It may have been paid or given back since. Compare it with the payment service, and say here that it is right: nothing of it is given back before.",
        ),
        ExceptionKind::ReturnOpen => (
            "Money is reserved to be given back by hand",
            "Say whether it was made, or give it up. What was made without a reservation is confirmed by a second person.",
        ),
        ExceptionKind::RefundStuck => (
            "The service rejected a refund, or does not end it",
            "If it was rejected, give the money back another way. If it stays open, ask the payment service.",
        ),
        ExceptionKind::EventRefused => (
            "The shop does not accept a message about it",
            "Later messages about the order wait. Tell your technical staff.",
        ),
        ExceptionKind::Unknown => (
            "Something out of the ordinary",
            "Open the operation and look at its details.",
        ),
    }
}

fn es_pe(kind: ExceptionKind) -> (&'static str, &'static str) {
    match kind {
        ExceptionKind::InDoubt => (
            "No se sabe si el servicio aceptó la operación",
            "El servidor pregunta durante un día. Si no se aclara, consulta al servicio de pagos con el número de operación.",
        ),
        ExceptionKind::Mismatch => (
            "El servicio dijo otro monto, moneda o número",
            "No entregues el pedido. Compara los montos con el servicio de pagos antes de decidir.",
        ),
        ExceptionKind::PaidTwice => (
            "El pedido se pagó dos veces",
            "Devuelve uno de los dos pagos: revierte, reembolsa o registra una devolución.",
        ),
        ExceptionKind::PaidLate => (
            "Pago tardío: llegó después de vencer o anularse",
            "Decide si el pedido todavía se entrega. Si no, devuelve el pago.",
        ),
        ExceptionKind::NotSettled => (
            "Está pagada y no se liquidó a tiempo",
            "Consulta de nuevo. Si sigue igual, pregunta al servicio de pagos.",
        ),
        ExceptionKind::Blocked => (
            "Alguien espera otro código y todavía no puede tenerlo",
            "Puede que todavía se pague con el primer código. Consulta de nuevo; si no se aclara, pregunta al servicio de pagos. Dos personas pueden liberar el pedido, y el primer código se sigue vigilando.",
        ),
        ExceptionKind::WrongCode => (
            "El QR no correspondía a su pedido",
            "Avisa al servicio de pagos lo que dice aquí. Después de tres seguidos, la tienda no ofrece QR: marca uno como resuelto cuando el servicio lo haya corregido.",
        ),
        ExceptionKind::NumberTaken => (
            "El servicio dijo que el número ya se había usado",
            "El número puede ser de otra instalación: no anules nada con él. Avisa a sistemas: cada instalación necesita su propio OPERATION_PREFIX.",
        ),
        ExceptionKind::RefundUnknown => (
            "No se sabe si el servicio recibió un reembolso",
            "Su monto sigue reservado. Cuando se sepa que no llegó, otra persona puede liberarlo.",
        ),
        ExceptionKind::ReversalUnknown => (
            "No se sabe si se revirtió o se anuló",
            "Mientras tanto no se puede devolver nada más. Consulta de nuevo; si no se aclara, otra persona puede liberarlo.",
        ),
        ExceptionKind::ReturnUnreserved => (
            "Se devolvió a mano sin reservarlo antes",
            "Revisa que no se haya devuelto también por otra vía, y cuenta cómo se resolvió.",
        ),
        ExceptionKind::GivenBackBeyond => (
            "Se devolvió más de lo que se pagó",
            "Compara los dos montos con el servicio de pagos y con quien pagó, y recupera lo que sobra.",
        ),
        ExceptionKind::Contradicted => (
            "Las respuestas del servicio se contradicen",
            "Vale la primera. Pregunta al servicio de pagos cuál es cierta antes de entregar o devolver algo.",
        ),
        ExceptionKind::PaymentHeld => (
            "Está pagada, y una anulación todavía puede devolver el pago",
            "La tienda aún no sabe del pago. Consulta de nuevo; si sigue igual, pregunta al servicio de pagos, y dos personas pueden liberar la anulación.",
        ),
        ExceptionKind::Unanswered => (
            "El servicio no da una respuesta útil sobre ella",
            "Puede que se haya pagado. Avisa a sistemas y consulta al servicio de pagos con el número de operación. Si no se pagó nada, confírmalo aquí: el servidor deja de preguntar hasta que el servicio avise de un cambio.",
        ),
        ExceptionKind::Restored => (
            "El servidor se restauró de una copia, y esto es anterior",
            "Puede que después se haya pagado o devuelto. Compáralo con el servicio de pagos y confirma aquí que está bien: antes no se devuelve nada.",
        ),
        ExceptionKind::ReturnOpen => (
            "Hay dinero reservado para devolver a mano",
            "Di si se hizo o déjala sin hacer. La que se hizo sin reserva la confirma otra persona.",
        ),
        ExceptionKind::RefundStuck => (
            "El servicio rechazó un reembolso o no lo termina",
            "Si lo rechazó, devuelve el dinero de otra manera. Si sigue abierto, consulta al servicio de pagos.",
        ),
        ExceptionKind::EventRefused => (
            "La tienda no acepta un aviso sobre la operación",
            "Los avisos siguientes del pedido esperan. Dile a tu equipo técnico.",
        ),
        ExceptionKind::Unknown => (
            "Algo fuera de lo común",
            "Abre la operación y revisa su detalle.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{en, es_pe};
    use staff_model::ExceptionKind;

    #[test]
    fn every_kind_has_its_words_and_cancelado_is_never_said() {
        let kinds = ExceptionKind::ALL.iter().chain([&ExceptionKind::Unknown]);
        for kind in kinds.copied() {
            let (english, spanish) = (en(kind), es_pe(kind));
            let all = [english.0, english.1, spanish.0, spanish.1];
            assert!(all.iter().all(|text| !text.is_empty()), "{kind:?}");
            // In Peru it also means "paid".
            let spanish = [spanish.0, spanish.1].concat().to_lowercase();
            assert!(!spanish.contains("cancel"), "{kind:?}");
        }
    }
}
