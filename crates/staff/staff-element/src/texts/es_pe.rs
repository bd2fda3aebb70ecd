//! Spanish as it is said in Peru, among staff: short, and money first.
//!
//! *Cancelado* also means "paid" there, so what is cancelled is *anulado*.

use super::Text;

pub(super) fn text(text: Text) -> &'static str {
    match text {
        Text::SignInHeading => "Ingresa",
        Text::SignInAgainHeading => "Tu sesión terminó",
        Text::SignInAgainLead => {
            "Ingresa otra vez para seguir donde estabas. Lo que escribiste sigue aquí."
        }
        Text::SignInName => "Usuario",
        Text::SignInPassword => "Contraseña",
        Text::SignIn => "Ingresar",
        Text::SignInBlocked => {
            "Demasiados intentos. Espera {seconds} s antes de volver a intentar."
        }
        Text::SignedInAs => "Sesión de {name}",
        Text::SignOut => "Cerrar sesión",
        Text::Code => "Código",
        Text::CodeHint => "Los seis dígitos de tu app, o un código de recuperación.",
        Text::SignInCodeHint => {
            "Los seis dígitos de tu app, un código de recuperación o un código de alta."
        }
        Text::StepUpHeading => "Confirma que eres tú",
        Text::StepUpLead => {
            "Esto requiere un código de los últimos cinco minutos. Lo que escribiste se conserva."
        }
        Text::StepUpYes => "Confirmar y seguir",
        Text::SetUpFactor => "Configurar segundo factor",
        Text::ChangeDevice => "Cambiar de dispositivo",
        Text::EnrolmentReplaces => {
            "Con esto terminan el dispositivo anterior, sus códigos de recuperación y tus otras sesiones."
        }
        Text::EnrolmentCode => "Código de alta",
        Text::EnrolmentCodeHint => {
            "Pídeselo a quien administra el servidor. Es válido por una hora."
        }
        Text::EnrolmentKeyLead => {
            "Escanea el código QR con una app de autenticación, o escribe ahí la clave. Después escribe aquí los seis dígitos de la app."
        }
        Text::QrPath => "Código QR para la app de autenticación",
        Text::EnrolmentKey => "Clave",
        Text::EnrolmentLink => "Abrir en una app de este dispositivo",
        Text::EnrolmentUnsure => {
            "Puede que ya esté configurado. Si ahora se rechaza un código, pide otro código de alta."
        }
        Text::RecoveryLead => {
            "Ya está configurado. Sin tu teléfono, cada uno de estos códigos sirve una vez. Solo se muestran ahora: imprímelos o cópialos."
        }
        Text::RecoveryName => "Códigos de recuperación",
        Text::RecoveryYes => "Ya los tengo",
        Text::Print => "Imprimir",

        Text::NavName => "Secciones",
        Text::TabSearch => "Operaciones",
        Text::TabExceptions => "Por revisar",
        Text::ExceptionsBadge => "{count} por revisar",
        Text::GoBack => "← Volver",
        Text::BackToList => "← Operaciones",
        Text::BackToExceptions => "← Por revisar",
        Text::Loading => "Cargando…",
        Text::Refresh => "Actualizar",
        Text::TryAgain => "Intentar de nuevo",
        Text::Close => "Cerrar",
        Text::Back => "Volver sin hacer nada",
        Text::Sending => "Enviando…",
        Text::Copy => "Copiar",
        Text::CopyName => "Copiar: {name}",
        Text::Copied => "Copiado",
        Text::CopyFailed => "No se pudo copiar. Está seleccionado para que lo copies.",

        Text::SearchHeading => "Buscar operaciones",
        Text::IdentifierLabel => "Número, pedido o código",
        Text::StateLabel => "Estado",
        Text::MethodLabel => "Método",
        Text::CodeLabel => "Código de comercio",
        Text::FromLabel => "Desde el día",
        Text::ToLabel => "Hasta el día",
        Text::DaysHint => "Hora de {zone}",
        Text::AmountMinLabel => "Monto mínimo",
        Text::AmountMaxLabel => "Monto máximo",
        Text::FilterAll => "Todos",
        Text::Search => "Buscar",
        Text::Filters => "Filtros",
        Text::FiltersSet => "Filtros ({count})",
        Text::ChipsName => "Filtros rápidos",
        Text::ChipToday => "Hoy",
        Text::ChipWeek => "7 días",
        Text::ChipPaid => "Pagadas",
        Text::ChipRefundable => "Por devolver",
        Text::StatesPaid => "Pagada o liquidada",
        Text::MethodsRefundable => "Los que se reembolsan",
        Text::Clear => "Limpiar",
        Text::Csv => "Descargar CSV",
        Text::FoundNone => {
            "Ninguna operación cumple estos filtros. Escribe el número, pedido o código completo, o amplía las fechas."
        }
        Text::CountNone => "Sin resultados",
        Text::CountOne => "1 operación",
        Text::CountAll => "{count} operaciones",
        Text::CountMore => "{count} operaciones, hay más",
        Text::Sum => "Suma {amount}",
        Text::SumPaid => "pagado {amount}",
        Text::More => "Mostrar más",
        Text::TableName => "Operaciones encontradas",
        Text::SelectAll => "Elegir todas las que se pueden reembolsar",
        Text::ColumnOperation => "Pedido",
        Text::ColumnPayer => "Pagador",
        Text::PayerNone => "Sin nombre",
        Text::ColumnAmount => "Monto",
        Text::ColumnState => "Estado",
        Text::ColumnMethod => "Método",
        Text::ColumnCreated => "Creada",
        Text::ColumnTime => "Hora",
        Text::SelectRow => "Elegir la operación {number}",
        Text::Selected => "Elegidas: {count}",
        Text::SelectedTooMany => "Elige {count} como máximo.",
        Text::SelectedSeveralCodes => "Elige operaciones de un solo código de comercio.",
        Text::RefundSelected => "Reembolsar las elegidas",
        Text::SelectNone => "Quitar selección",

        Text::StateRegistered => "Registrada",
        Text::StatePending => "Pendiente de pago",
        Text::StateInvalid => "Inválida",
        Text::StateAuthorized => "Pagada",
        Text::StateDeclined => "Denegada",
        Text::StateCancelled => "Anulada",
        Text::StateExpired => "Vencida",
        Text::StateSettled => "Liquidada",
        Text::StateReversed => "Revertida",
        Text::StateReversedAfterPayment => "Pagada y revertida",
        Text::StateUnknown => "Estado nuevo",
        Text::StateNone => "Sin estado todavía",
        Text::PhaseSending => "Enviándose",
        Text::PhaseInDoubt => "En duda",
        Text::PhaseRefused => "Rechazada por el servicio",
        Text::PhaseLost => "No llegó al servicio",
        Text::MethodQr => "QR",
        Text::MethodInstallment => "Cuotas",
        Text::MethodCashCode => "Efectivo con código",
        Text::MethodBankTransfer => "Transferencia bancaria",
        Text::MethodCard => "Tarjeta",
        Text::MethodWallet => "Billetera digital",

        Text::ExceptionsHeading => "Por revisar",
        Text::ExceptionsLead => "Lo que no salió como siempre. Lo más urgente va primero.",
        Text::ExceptionsNone => "No hay nada por revisar.",
        Text::ExceptionsCount => "Por revisar: {count}",
        Text::ExceptionsMore => "La lista tiene hasta 100 de cada clase.",
        Text::ExceptionSince => "Desde hace {age}",
        Text::AgeMinutes => "{count} min",
        Text::AgeHours => "{count} h",
        Text::AgeDays => "{count} días",
        Text::Resolve => "Marcar como resuelto",
        Text::Deliver => "Entregar",
        Text::DeliverReason => "Se entrega el pedido",
        Text::ResolveHeading => "¿Está resuelto?",
        Text::ResolveReason => "Qué se hizo",
        Text::ResolveYes => "Sí, está resuelto",
        Text::NothingPaid => "No se pagó nada",
        Text::NothingPaidHeading => "¿No se pagó nada?",
        Text::NothingPaidLead => {
            "El pedido queda como no pagado y se puede pagar otra vez. El servidor deja de preguntar por la operación hasta que el servicio avise de un cambio."
        }
        Text::NothingPaidReason => "Cómo lo sabes",
        Text::NothingPaidYes => "Sí, no se pagó nada",
        Text::ReleaseOrder => "Liberar el pedido",
        Text::ReleaseOrderHeading => "¿Liberar el pedido {order}?",
        Text::ReleaseOrderLead => {
            "Lo tienen que hacer dos personas; después, quien paga podrá tener otro código. Si la operación {number} se paga de todos modos, el pedido puede quedar pagado dos veces."
        }
        Text::ReleaseOrderReason => "Por qué se libera",
        Text::ReleaseOrderYes => "Sí, liberar",
        Text::ReleaseOrderAsked => {
            "Quedó anotado. El pedido queda libre cuando otra persona haga lo mismo."
        }
        Text::ReleaseOrderDone => "El pedido quedó libre: quien paga ya puede tener otro código.",

        Text::OperationHeading => "Operación {number}",
        Text::NumberLabel => "Número de operación",
        Text::OrderLabel => "Pedido",
        Text::TransactionLabel => "Transacción",
        Text::ChangedLabel => "Último cambio",
        Text::QueriedLabel => "Última consulta al servicio",
        Text::NeverQueried => "Todavía no se consultó",
        Text::PaidTwiceNote => {
            "Este pedido se pagó dos veces. Uno de los dos pagos se tiene que devolver."
        }
        Text::FailureNote => "Algo no salió bien con esta operación.",
        Text::ActionsName => "Qué se puede hacer",
        Text::QueryAgain => "Consultar de nuevo",
        Text::Querying => "Consultando…",
        Text::QueriedJustNow => "Se acaba de consultar.",
        Text::FreshState => "El servicio responde: {state} ({wire}).",
        Text::FreshNothing => "El servicio no mostró ninguna transacción.",
        Text::ServiceSays => "Mensaje del servicio: {message}",
        Text::PayerHeading => "Pagador",
        Text::PayerUnknown => "No se sabe quién paga.",
        Text::EmailLabel => "Correo",
        Text::PhoneLabel => "Teléfono",
        Text::OrderPaid => "Pagado",
        Text::OrderOpen => "Sin pagar",
        Text::TransactionHeading => "Transacción",
        Text::ReasonLabel => "Motivo",
        Text::ChannelLabel => "Canal",
        Text::DeadlineLabel => "Se puede pagar hasta",
        Text::ContinueLabel => "Enlace para continuar",
        Text::TimelineHeading => "Historia",
        Text::TimelineNone => "El servicio no contó ninguna historia.",
        Text::ProcessorHeading => "Respuesta del procesador",
        Text::ProcessorNone => "El procesador todavía no dijo nada.",
        Text::AuditHeading => "Quién hizo qué",
        Text::AuditNone => "Nadie hizo nada con esta operación.",
        Text::AuditCancel => "Anuló",
        Text::AuditReverse => "Revirtió",
        Text::AuditRefund => "Reembolsó",
        Text::AuditRelease => "Liberó un reembolso",
        Text::AuditReleaseReversal => "Liberó una reversión",
        Text::AuditAskReleaseOrder => "Pidió liberar el pedido",
        Text::AuditReleaseOrder => "Liberó el pedido",
        Text::AuditReturn => "Reservó o registró una devolución",
        Text::AuditReturnDone => "Hizo una devolución",
        Text::AuditAskReturnGivenUp => "Pidió dejar una devolución",
        Text::AuditReturnGivenUp => "Dejó una devolución",
        Text::AuditResolve => "Resolvió",
        Text::AuditQuery => "Consultó",
        Text::AuditAttempt => "n.º {id}",
        Text::AuditWas => "estaba: {state}",
        Text::AuditIs => "ahora: {state}",
        Text::AuditNotDone => "no se hizo",

        Text::Cancel => "Anular",
        Text::GiveBack => "Devolver dinero",
        Text::GiveBackWhole => "Devolver todo el pago",
        Text::GiveBackTo => "Devolver a {name}",
        Text::CancelHeading => "¿Anular la operación {number}?",
        Text::CancelLead => {
            "Ya no se podrá pagar {amount} con ella. Si se paga mientras tanto, no se toca el pago."
        }
        Text::CancelYes => "Sí, anular",
        Text::Keep => "No, dejarla",
        Text::CancelUncertain => "No se sabe si llegó. Consulta de nuevo antes de hacer otra cosa.",
        Text::CancelledDone => "Está anulada. Nadie pagó {amount}.",
        Text::CancelOther => "El servicio responde: {state}.",
        Text::ReverseHeading => "¿Revertir el pago de la operación {number}?",
        Text::ReverseLead => {
            "Está pagada. Al revertirla se devuelve {amount} a quien pagó, y no se puede deshacer."
        }
        Text::ReverseConfirm => "Escribe {digits}, el final del número, para confirmar",
        Text::ReverseYes => "Sí, devolver el pago",
        Text::ReversedDone => "El pago de {amount} fue revertido.",
        Text::ReversalsHeading => "Anulaciones y reversiones",
        Text::ReversalDone => "Hecha",
        Text::ReversalNotDone => "No se hizo",
        Text::ReversalInDoubtNote => {
            "No se sabe si el servicio la hace. Todo el pago sigue reservado y el servidor sigue preguntando."
        }
        Text::ReversalReleaseLead => {
            "{amount} se podrá devolver otra vez por otra vía. Si la reversión sí llega, se devolverá dos veces."
        }
        Text::NoCancelOver => "Ya terminó sin un pago que devolver.",
        Text::NoCancelUnknown => "No se sabe en qué estado está. Consulta de nuevo.",
        Text::NotPermittedCancel => "Tu cuenta no puede anular ni revertir.",
        Text::NotPermittedRefund => "Tu cuenta no puede devolver este pago.",

        Text::RefundsHeading => "Reembolsos",
        Text::RefundsNone => "No hay reembolsos.",
        Text::RefundableLeft => "Queda por reembolsar: {amount}",
        Text::RefundHeading => "Devolver dinero",
        Text::RefundLine => "Operación {number}, pedido {order}",
        Text::RefundLineLeft => "Quedan {left} de {total}",
        Text::RefundLimit => "Puedes devolver hasta {amount} por vez.",
        Text::AmountLabel => "Monto en {currency}",
        Text::RefundAll => "Todo ({amount})",
        Text::RefundPart => "Una parte",
        Text::RefundDrop => "Quitar",
        Text::RefundReview => "Continuar",
        Text::RefundConfirmHeading => "Revisa antes de devolver",
        Text::RefundConfirmLead => "Se pedirá al servicio de pagos que devuelva:",
        Text::RefundYes => "Sí, reembolsar",
        Text::RefundEdit => "Corregir",
        Text::RefundUnsureHeading => "No se sabe si el reembolso llegó",
        Text::RefundUnsureLead => {
            "Puedes intentar de nuevo: es el mismo pedido y se devuelve una sola vez. Mientras tanto, el monto sigue reservado."
        }
        Text::RefundDoneHeading => "Resultado de cada reembolso",
        Text::RefundDoneLead => "Registrado no es devuelto: el avance se ve en la operación.",
        Text::RefundCorrect => "Corregir los rechazados",
        Text::RefundTotal => "Total",
        Text::RefundPartial => "Parcial",
        Text::RefundTypeLabel => "Tipo",
        Text::RefundIdLabel => "Número de reembolso",
        Text::RefundRegistered => "Registrado",
        Text::RefundInProcess => "En proceso",
        Text::RefundResolved => "Devuelto",
        Text::RefundRejected => "Rechazado",
        Text::AttemptSending => "Enviándose",
        Text::AttemptRegistered => "Registrado",
        Text::AttemptRefused => "Rechazado por el servicio",
        Text::AttemptInDoubt => "En duda",
        Text::AttemptReleased => "Liberado",
        Text::AttemptInDoubtNote => {
            "No se sabe si el servicio lo tiene. El monto sigue reservado y el servidor lo está buscando."
        }
        Text::NoRefundNotSettled => {
            "Se reembolsa cuando está liquidada (LIQUIDADO); ahora: {state}."
        }
        Text::NoRefundMethod => "El servicio no reembolsa pagos con {method}.",
        Text::NoRefundNothingLeft => "No queda nada por devolver.",
        Text::Release => "Liberar el monto",
        Text::ReleaseOwn => "Esto lo hace otra persona, no quien lo pidió.",
        Text::ReleasedBy => "Liberado por {name}",
        Text::ReleaseHeading => "¿Liberar el monto reservado?",
        Text::ReleaseLead => {
            "{amount} se podrá reembolsar otra vez. Si el primer reembolso sí llegó, se devolverá dos veces."
        }
        Text::ReleaseReason => "Cómo se sabe que no llegó",
        Text::ReleaseYes => "Sí, liberar",
        Text::RecordReturn => "Devolver a mano",
        Text::ReturnsHeading => "Devoluciones fuera del servicio",
        Text::ReturnLead => {
            "El servicio no reembolsa este método. Reserva lo que vas a devolver, de {amount} pagados, antes de que salga el dinero; después di que se hizo. Aquí no se mueve dinero."
        }
        Text::ReturnReason => "Cómo se devuelve y por qué",
        Text::ReturnAlready => "El dinero ya salió",
        Text::ReturnYes => "Reservar",
        Text::ReturnYesMade => "Registrar",
        Text::ReturnOpen => "Reservada",
        Text::ReturnUnconfirmed => "Espera a otra persona",
        Text::ReturnDone => "Hecha",
        Text::ReturnGivenUp => "Dejada sin hacer",
        Text::ReturnUnreserved => "Se hizo antes de reservarla.",
        Text::ReturnEndedBy => "Lo dijo {name}",
        Text::ReturnGiveUpAsked => "{name} pidió dejarla sin hacer",
        Text::ReturnMade => "Ya se hizo",
        Text::ReturnMadeHeading => "¿Se hizo la devolución?",
        Text::ReturnMadeReason => "Cómo se comprueba, por ejemplo el número de la transferencia",
        Text::ReturnMadeYes => "Sí, se hizo",
        Text::ReturnGiveUp => "Dejarla sin hacer",
        Text::ReturnWithdraw => "No se hizo",
        Text::ReturnGiveUpHeading => "¿Dejar la devolución sin hacer?",
        Text::ReturnGiveUpReason => "Por qué no se hace",
        Text::ReturnGiveUpYes => "Sí, dejarla sin hacer",
        Text::ReturnGiveUpTwo => "Vale cuando otra persona también lo pida.",
        Text::ReturnAmount => "Reservado: {amount}",
        Text::SameAgain => {
            "No se sabe si se registró. Al intentar de nuevo se registra una sola vez."
        }

        Text::WrongDay => "Ese día no existe.",
        Text::WrongDays => "El último día va después del primero.",
        Text::WrongAmounts => "El máximo es menor que el mínimo.",
        Text::WrongAmountEmpty => "Escribe un monto.",
        Text::WrongAmount => "Escribe un número con los decimales completos, como 1234.50.",
        Text::WrongDecimals => "Tiene más decimales que la moneda.",
        Text::WrongZero => "Tiene que ser más que cero.",
        Text::WrongTooLarge => "Es demasiado grande.",
        Text::WrongMoreThanLeft => "Es más de lo que queda: {amount}.",
        Text::WrongOverLimit => "Es más de lo que todavía puedes devolver: {amount}.",
        Text::WrongNotLoaded => "Todavía no se sabe cuánto queda.",
        Text::WrongReason => "Escribe un motivo.",
        Text::RefusedNotSettled => "Todavía no está liquidada (LIQUIDADO).",
        Text::RefusedMethod => "El servicio no reembolsa este método.",
        Text::RefusedMoreThanLeft => "Es más de lo que queda por reembolsar.",
        Text::RefusedNotTheWhole => "Ya se devolvió una parte: pide solo lo que queda.",
        Text::RefusedOverLimit => "Es más de lo que tu cuenta puede devolver.",
        Text::RefusedBeingReversed => "Su pago puede estar devolviéndose por una reversión.",
        Text::RefusedRestored => {
            "El servidor se restauró de una copia: primero compara la operación con el servicio de pagos y confirma su excepción."
        }
        Text::RefusedTwice => "La operación está dos veces.",
        Text::RefusedUnknown => "El servidor no lo acepta.",

        Text::FailureWait => "Espera {seconds} s.",
        Text::FailureId => "Id de la solicitud",
        Text::FailureLeft => "Ahora se puede devolver hasta {amount}.",
        Text::AnnounceSignedIn => "Ingresaste.",
        Text::AnnounceSignedOut => "Cerraste sesión.",
        Text::AnnounceCancelled => "Listo. El resultado está en pantalla.",
        Text::AnnounceRecorded => "Quedó anotado.",
        Text::AnnounceReleased => "El monto quedó libre.",
        Text::AnnounceResolved => "Quedó resuelto.",
        Text::AnnounceFailed => "No se pudo. El motivo está en pantalla.",

        Text::NewsSound => "Sonido",
        Text::NewsMark => "Marca en el título",
        Text::NewsOne => "1 nueva",
        Text::NewsMany => "{count} nuevas",
        Text::NewsSome => "Hay novedades",
        Text::NewsAge => "Última actualización hace {age}. Reintentando…",
        Text::NewsSaid => "Operaciones nuevas: {new}. Pagadas: {paid}.",
        linked => super::links::text(linked).0,
    }
}
