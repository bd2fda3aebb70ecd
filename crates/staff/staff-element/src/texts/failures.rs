//! What went wrong, in a sentence.

use crate::staff_state::FailureKind;
use browser_kit::texts::Locale;

/// The sentence about a failure.
pub(super) fn text(locale: Locale, kind: FailureKind) -> &'static str {
    match locale {
        Locale::En => en(kind),
        _ => es_pe(kind),
    }
}

fn en(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Network => "The server cannot be reached. Check your network.",
        FailureKind::Timeout => "The server did not answer in time.",
        FailureKind::Unreadable => "The server answered something that cannot be read.",
        FailureKind::SignInRequired => {
            "Your session had ended and nothing was done. Press again once you are signed in."
        }
        FailureKind::SignInRefused => "The user name or the password is wrong.",
        FailureKind::SecondFactorRequired => {
            "A code of your second factor is needed. This request was not carried out."
        }
        FailureKind::SecondFactorRefused => {
            "The code is wrong, used or expired. Check it, or take another one."
        }
        FailureKind::SecondFactorMissing => {
            "Your account may only look until you set up its second factor."
        }
        FailureKind::TooManyRequests => "Too many requests at once.",
        FailureKind::NotPermitted | FailureKind::LinkRefused => {
            "Your account may not do this. Ask somebody who may."
        }
        FailureKind::NotFound => {
            "It does not exist, or belongs to a merchant that your account does not see."
        }
        FailureKind::OperationPaid => "The operation is paid by now. Nothing was canceled.",
        FailureKind::CannotCancelNow => "It is not possible now. Ask again, then try again.",
        FailureKind::Unconfirmed => "It was sent, and the service did not confirm it.",
        FailureKind::ServiceUnavailable => {
            "The payment service does not answer. Try again in some minutes."
        }
        FailureKind::ServiceUnauthorized => {
            "The payment service does not accept the merchant's token. Tell your technical staff: it has to be renewed."
        }
        FailureKind::ServiceRefused => "The payment service said no.",
        FailureKind::SecondPerson => "Another person does this, not who asked for it.",
        FailureKind::NotInDoubt => "It is no longer in doubt. Refresh the operation.",
        FailureKind::NotBlocked => "It no longer blocks the order, or not for 15 minutes yet.",
        FailureKind::NotResolvable => {
            "What happened is not known yet: it stays listed until it is known or released."
        }
        FailureKind::Settled => "It is settled. A refund gives it back.",
        FailureKind::NoTransaction => "The service named no transaction of this operation.",
        FailureKind::ReturnRefused => {
            "It is not possible: more than what is paid and not yet given back, or beside a reversal. Nothing was recorded."
        }
        FailureKind::ReversalRefused => {
            "Nothing was sent: part of it is given back, reserved or unknown, or it is more than you may give back."
        }
        FailureKind::ReturnEnded => {
            "Somebody said already what became of it. Refresh the operation."
        }
        FailureKind::RefundsUnknown => {
            "What was refunded before cannot be found out now, and nothing was sent. Try again in some minutes."
        }
        FailureKind::RefundRefused => "Nothing was sent. Correct what is marked.",
        FailureKind::Running => "The same request is still on its way.",
        FailureKind::KeyReused => {
            "This form was used for something else already. Close it and start again."
        }
        FailureKind::BadRequest => "The server does not accept the request.",
        FailureKind::CrossSite => {
            "The server accepts no requests from this page. Tell your technical staff."
        }
        FailureKind::Server => {
            "The server failed. Try again; if it stays so, tell your technical staff."
        }
    }
}

fn es_pe(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Network => "No hay conexión con el servidor. Revisa tu red.",
        FailureKind::Timeout => "El servidor no respondió a tiempo.",
        FailureKind::Unreadable => "El servidor respondió algo que no se entiende.",
        FailureKind::SignInRequired => {
            "Tu sesión terminó y no se hizo nada. Vuelve a pulsar cuando hayas ingresado."
        }
        FailureKind::SignInRefused => "El usuario o la contraseña no son correctos.",
        FailureKind::SecondFactorRequired => {
            "Hace falta un código de tu segundo factor. Esta solicitud no se realizó."
        }
        FailureKind::SecondFactorRefused => {
            "El código no es correcto, ya se usó o venció. Revísalo, o usa otro."
        }
        FailureKind::SecondFactorMissing => {
            "Tu cuenta solo puede mirar hasta que configures su segundo factor."
        }
        FailureKind::TooManyRequests => "Demasiadas solicitudes seguidas.",
        FailureKind::NotPermitted | FailureKind::LinkRefused => {
            "Tu cuenta no puede hacer esto. Pídelo a quien sí puede."
        }
        FailureKind::NotFound => "No existe, o es de un comercio que tu cuenta no ve.",
        FailureKind::OperationPaid => "La operación ya está pagada. No se anuló nada.",
        FailureKind::CannotCancelNow => "Ahora no se puede. Consulta de nuevo y vuelve a intentar.",
        FailureKind::Unconfirmed => "Se envió, y el servicio no lo confirmó.",
        FailureKind::ServiceUnavailable => {
            "El servicio de pagos no responde. Intenta en unos minutos."
        }
        FailureKind::ServiceUnauthorized => {
            "El servicio de pagos no acepta el token del comercio. Avisa a sistemas: hay que renovarlo."
        }
        FailureKind::ServiceRefused => "El servicio de pagos dijo que no.",
        FailureKind::SecondPerson => "Esto lo hace otra persona, no quien lo pidió.",
        FailureKind::NotInDoubt => "Ya no está en duda. Actualiza la operación.",
        FailureKind::NotBlocked => "Ya no bloquea el pedido, o todavía no lleva 15 minutos.",
        FailureKind::NotResolvable => {
            "Aún no se sabe qué pasó: sigue en la lista hasta que se sepa o se libere."
        }
        FailureKind::Settled => "Ya está liquidada. Se devuelve con un reembolso.",
        FailureKind::NoTransaction => "El servicio no dio una transacción para esta operación.",
        FailureKind::ReturnRefused => {
            "No se puede: es más de lo que está pagado y todavía no se devolvió, o hay una reversión en curso. No se registró nada."
        }
        FailureKind::ReversalRefused => {
            "No se envió nada: una parte está devuelta, reservada o en duda, o es más de lo que puedes devolver."
        }
        FailureKind::ReturnEnded => "Alguien ya dijo qué pasó con ella. Actualiza la operación.",
        FailureKind::RefundsUnknown => {
            "Ahora no se puede saber qué se reembolsó antes, y no se envió nada. Intenta en unos minutos."
        }
        FailureKind::RefundRefused => "No se envió nada. Corrige lo que está marcado.",
        FailureKind::Running => "El mismo pedido todavía está en camino.",
        FailureKind::KeyReused => {
            "Este formulario ya se usó para otra cosa. Ciérralo y empieza de nuevo."
        }
        FailureKind::BadRequest => "El servidor no acepta el pedido.",
        FailureKind::CrossSite => {
            "El servidor no acepta pedidos desde esta página. Avisa a sistemas."
        }
        FailureKind::Server => {
            "El servidor falló. Intenta de nuevo; si sigue igual, avisa a sistemas."
        }
    }
}
