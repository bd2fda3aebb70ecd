// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/** The texts that a page can override, each with its wording in English and in Spanish. */
export interface MessageTexts {
  /** Total to pay · Total a pagar */
  'bill.total': string;
  /** Amount · Monto */
  'bill.amount': string;
  /** Order {order} · Pedido {order} */
  'bill.order': string;
  /** Check now · Consultar ahora */
  'action.check': string;
  /** We do not see your payment yet. Last checked: {time}. · Aún no vemos tu pago. Última consulta: {time}. */
  'check.nothing-new': string;
  /** If you have paid, do not pay again. The payment service is not answering right now. Last answer: {time}. · Si ya pagaste, no vuelvas a pagar. El servicio de pagos no responde ahora. Última respuesta: {time}. */
  'check.no-answer': string;
  /** We have just checked. Wait a few seconds and try again. · Acabamos de consultar. Espera unos segundos y vuelve a intentarlo. */
  'check.too-soon': string;
  /** Try again · Intentar de nuevo */
  'action.retry': string;
  /** Pay another way · Pagar de otra forma */
  'action.another': string;
  /** Cancel · Anular */
  'action.cancel': string;
  /** Cancel payment · Anular pago */
  'action.cancel-label': string;
  /** Get a new QR · Generar otro QR */
  'action.new-qr': string;
  /** Operation number · Número de operación */
  'number.label': string;
  /** Copy · Copiar */
  'number.copy': string;
  /** Copy operation number · Copiar número de operación */
  'number.copy-label': string;
  /** Copied · Copiado */
  'copy.done': string;
  /** It could not be copied. Press and hold the number to copy it. · No se pudo copiar. Mantén presionado el número para copiarlo. */
  'copy.failed': string;
  /** How would you like to pay? · ¿Cómo quieres pagar? */
  'choose.heading': string;
  /** Pay your order · Paga tu pedido */
  'choose.one-heading': string;
  /** We will confirm your payment right here. · Te confirmaremos el pago aquí mismo. */
  'choose.lead': string;
  /** There is no way to pay here right now. Please contact the store. · No hay formas de pago disponibles. Escribe a la tienda. */
  'choose.none': string;
  /** {method} you can pay up to {most}. · {method} puedes pagar hasta {most}. */
  'choose.above-most': string;
  /** {method} you can pay {least} or more. · {method} puedes pagar desde {least}. */
  'choose.below-least': string;
  /** {method} you cannot pay in {currency}. · {method} no puedes pagar en {currency}. */
  'choose.other-currency': string;
  /** {method} you cannot pay this order. · {method} no puedes pagar este pedido. */
  'choose.not-offered': string;
  /** Your last attempt ({number}) was not approved. · Tu intento anterior ({number}) no fue aprobado. */
  'choose.last-declined': string;
  /** Your last code ({number}) expired without a payment. · Tu código anterior ({number}) venció sin pago. */
  'choose.last-expired': string;
  /** Your last code ({number}) was canceled. · Tu código anterior ({number}) fue anulado. */
  'choose.last-cancelled': string;
  /** We will never ask for the password of your app or bank. · Nunca te pediremos la clave de tu app o banco. */
  'trust.password': string;
  /** By QR · Con QR */
  'method.qr': string;
  /** Scan or save it, and pay in your app. · Escanéalo o guárdalo y paga desde tu app. */
  'method.qr-about': string;
  /** With {wallets} or your bank's app. · Con {wallets} o la app de tu banco. */
  'method.qr-wallets': string;
  /** In installments · En cuotas */
  'method.installment': string;
  /** Choose a plan with a lender and come back here. · Elige tus cuotas con una financiera y vuelve aquí. */
  'method.installment-about': string;
  /** In cash · En efectivo */
  'method.cash-code': string;
  /** Get a code and pay at an agent. · Recibe un código y paga en un agente. */
  'method.cash-code-about': string;
  /** By bank transfer · Por transferencia */
  'method.bank-transfer': string;
  /** Transfer from your account and come back here. · Transfiere desde tu cuenta y vuelve aquí. */
  'method.bank-transfer-about': string;
  /** By card · Con tarjeta */
  'method.card': string;
  /** Credit or debit. · De crédito o de débito. */
  'method.card-about': string;
  /** With a digital wallet · Con billetera digital */
  'method.wallet': string;
  /** Confirm the payment on your phone. · Confirma el pago en tu celular. */
  'method.wallet-about': string;
  /** With {method} · Con {method} */
  'method.other': string;
  /** We will show you the steps. · Te mostraremos los pasos. */
  'method.other-about': string;
  /** You already have a QR for this order · Ya tienes un QR para este pedido */
  'live.qr-heading': string;
  /** You already have a code for this order · Ya tienes un código de este pedido */
  'live.code-heading': string;
  /** You already started to pay this order · Ya empezaste a pagar este pedido */
  'live.heading': string;
  /** You can still pay {pay}. If you have paid, do not choose another way: wait for the confirmation. · Todavía puedes pagar {pay}. Si ya pagaste, no elijas otra forma: espera la confirmación. */
  'live.lead': string;
  /** See my QR · Ver mi QR */
  'live.qr-show': string;
  /** See my code · Ver mi código */
  'live.code-show': string;
  /** See that payment · Ver ese pago */
  'live.show': string;
  /** Cancel that one and pay {pay} · Anular el anterior y pagar {pay} */
  'live.replace': string;
  /** Preparing your order · Preparando tu pedido */
  'preparing.heading': string;
  /** The store is preparing your order. Nothing is charged yet. · La tienda está preparando tu pedido. Todavía no se cobra nada. */
  'preparing.lead': string;
  /** Preparing your QR · Generando tu QR */
  'authorizing.qr-heading': string;
  /** Preparing your payment · Preparando tu pago */
  'authorizing.heading': string;
  /** One moment. Nothing is charged yet. · Un momento. Todavía no se cobra nada. */
  'authorizing.lead': string;
  /** This is taking longer than usual. Wait a little more, or pay another way. · Está tardando más de lo normal. Espera un poco más o paga de otra forma. */
  'authorizing.slow': string;
  /** Checking your payment · Consultando tu pago */
  'checking.heading': string;
  /** If you have already paid, do not pay again. · Si ya pagaste, no vuelvas a pagar. */
  'checking.lead': string;
  /** We are confirming your payment · Estamos confirmando tu pago */
  'confirming.heading': string;
  /** If you have already paid, do not pay again. The result will show here. · Si ya pagaste, no vuelvas a pagar. El resultado aparecerá aquí. */
  'confirming.lead': string;
  /** Scan with your app · Escanea con tu app */
  'qr.heading': string;
  /** Pay from this phone · Paga desde este celular */
  'qr.phone-heading': string;
  /** Your QR to pay {amount} is ready. · Tu QR para pagar {amount} está listo. */
  'qr.ready': string;
  /** QR code to pay {amount}. Scan it with your payment app or save it. · Código QR para pagar {amount}. Escanéalo con tu app de pagos o guárdalo. */
  'qr.alt': string;
  /** QR code to pay {amount} to {payee}. Scan it with your payment app or save it. · Código QR para pagar {amount} a {payee}. Escanéalo con tu app de pagos o guárdalo. */
  'qr.alt-payee': string;
  /** Enlarge QR · Ampliar QR */
  'qr.enlarge': string;
  /** Save QR · Guardar QR */
  'qr.save': string;
  /** Share · Compartir */
  'qr.share': string;
  /** Look for it in your gallery or downloads. Not there? Press and hold the QR to save it. · Búscalo en tu galería o en tus descargas. ¿No está? Mantén presionado el QR y guárdalo. */
  'qr.saved': string;
  /** Open your payment app. · Abre tu app de pagos. */
  'qr.open-step': string;
  /** Open {wallets} or your bank's app. · Abre {wallets} o la app de tu banco. */
  'qr.open-wallets-step': string;
  /** Scan this QR. · Escanea este QR. */
  'qr.scan-step': string;
  /** Open your payment app and upload it from your gallery. · Abre tu app de pagos y súbelo desde tu galería. */
  'qr.upload-step': string;
  /** Open {wallets} or your bank's app and upload it from your gallery. · Abre {wallets} o la app de tu banco y súbelo desde tu galería. */
  'qr.upload-wallets-step': string;
  /** Confirm only if it says {amount}. · Confirma solo si dice {amount}. */
  'qr.verify-step': string;
  /** Confirm only if it says {payee} and {amount}. · Confirma solo si dice {payee} y {amount}. */
  'qr.verify-payee-step': string;
  /** Come back here for the confirmation. · Vuelve aquí para ver la confirmación. */
  'qr.return-step': string;
  /** Waiting for your payment · Esperando tu pago */
  'qr.waiting': string;
  /** Expires: {date} · Vence: {date} */
  'deadline.at': string;
  /** Expires in {time} · Vence en {time} */
  'deadline.left': string;
  /** If you have not started to pay, wait: once it expires you can get a new one. · Si aún no empezaste a pagar, espera: cuando venza podrás generar otro. */
  'deadline.too-late': string;
  /** You have {time} left to pay. · Tienes {time} para pagar. */
  'deadline.said': string;
  /** Peru time · hora de Perú */
  'deadline.peru': string;
  /** Continue with your lender · Continúa con tu financiera */
  'lender.heading': string;
  /** Choose your plan and come back here for the confirmation. · Elige tus cuotas y vuelve aquí para ver la confirmación. */
  'lender.lead': string;
  /** Taking you to your lender · Te llevamos a tu financiera */
  'lender.leaving': string;
  /** Continue to finish your payment · Continúa para completar tu pago */
  'continue.heading': string;
  /** Confirm the payment on the other page and come back here. · Confirma el pago en la otra página y vuelve aquí. */
  'continue.lead': string;
  /** Taking you to finish your payment · Te llevamos a completar tu pago */
  'continue.leaving': string;
  /** If the page does not change by itself, choose “{link}”. · Si la página no cambia sola, toca «{link}». */
  'continue.leaving-lead': string;
  /** Continue · Continuar */
  'continue.link': string;
  /** Go to my lender · Ir a mi financiera */
  'lender.link': string;
  /** Go to my bank · Ir a mi banco */
  'bank.link': string;
  /** You will go to {host} · Irás a {host} */
  'continue.host': string;
  /** Your payment code · Tu código de pago */
  'cash.heading': string;
  /** Pay at an agent with this code. You can close this page: your code stays valid. · Paga en un agente con este código. Puedes cerrar esta página: tu código sigue vigente. */
  'cash.lead': string;
  /** Pay at an agent by {date}. You can close this page: your code stays valid. · Paga en un agente hasta el {date}. Puedes cerrar esta página: tu código sigue vigente. */
  'cash.lead-date': string;
  /** Payment code · Código de pago */
  'cash.label': string;
  /** Copy code · Copiar código */
  'cash.copy': string;
  /** Print · Imprimir */
  'cash.print': string;
  /** See where and how to pay · Ver dónde y cómo pagar */
  'cash.help': string;
  /** Your code is on its way · Tu código está por llegar */
  'cash.coming-heading': string;
  /** It will show here in a moment. There is nothing to pay yet. · Lo verás aquí en un momento. Todavía no hay nada que pagar. */
  'cash.coming-lead': string;
  /** Waiting for your transfer · Esperando tu transferencia */
  'transfer.heading': string;
  /** If you have made it, do not repeat it. It will show here once your bank confirms. · Si ya transferiste, no lo repitas. Lo verás aquí cuando tu banco confirme. */
  'transfer.lead': string;
  /** Waiting for your payment · Esperando tu pago */
  'waiting.heading': string;
  /** If you have already paid, do not pay again. It will show here once confirmed. · Si ya pagaste, no vuelvas a pagar. Lo verás aquí al confirmarse. */
  'waiting.lead': string;
  /** The time to pay is over · Se acabó el tiempo para pagar */
  'last-check.heading': string;
  /** If you have just paid, wait: we are confirming your payment. · Si acabas de pagar, espera: estamos confirmando tu pago. */
  'last-check.lead': string;
  /** This QR has expired · Este QR venció */
  'overdue.qr-heading': string;
  /** The time to pay is up · Venció el plazo para pagar */
  'overdue.heading': string;
  /** Already paid? Do not pay again: we keep checking, and it will show here. · ¿Ya pagaste? No vuelvas a pagar: seguimos consultando y lo verás aquí. */
  'overdue.lead': string;
  /** We do not know yet whether your previous QR was paid · Aún no sabemos si pagaste tu QR anterior */
  'unconfirmed.qr-heading': string;
  /** We do not know yet whether your previous payment was made · Aún no sabemos si se hizo tu pago anterior */
  'unconfirmed.heading': string;
  /** If you have paid, do not pay again: it will show here. · Si ya pagaste, no vuelvas a pagar: lo verás aquí. */
  'unconfirmed.lead': string;
  /** We do not know yet whether your code was made. If one reaches you by mail or message, you can pay it: it counts, and it will show here. · Aún no sabemos si se generó tu código. Si te llega uno por correo o mensaje, puedes pagarlo: cuenta, y lo verás aquí. */
  'unconfirmed.elsewhere-lead': string;
  /** Not paid? You can ask for another code from {time}. · ¿No pagaste? Podrás pedir otro código desde esta hora: {time}. */
  'unconfirmed.again': string;
  /** If you have not paid, you can ask for another code now. · Si no pagaste, ya puedes pedir otro código. */
  'unconfirmed.now': string;
  /** Canceling your payment · Anulando tu pago */
  'cancelling.heading': string;
  /** First we make sure that it is not paid. · Primero verificamos que no esté pagado. */
  'cancelling.lead': string;
  /** Cancel this payment? · ¿Anular este pago? */
  'ask.heading': string;
  /** If you have already paid, wait for the confirmation. · Si ya pagaste, espera la confirmación. */
  'ask.lead': string;
  /** Back to my payment · Volver a mi pago */
  'ask.keep': string;
  /** Yes, cancel · Sí, anular */
  'ask.cancel': string;
  /** Pay another way? · ¿Pagar de otra forma? */
  'ask.another-heading': string;
  /** This payment will be canceled. If you have already paid, wait for the confirmation. · Este pago se anulará. Si ya pagaste, espera la confirmación. */
  'ask.another-lead': string;
  /** Cancel and choose another way · Anular y elegir otra forma */
  'ask.another': string;
  /** We could not cancel this payment: it is still pending. You can pay it or try again. · No pudimos anular este pago: sigue pendiente. Puedes pagarlo o volver a intentarlo. */
  'cancel.failed': string;
  /** We cannot reach the store. We keep trying. · No logramos comunicarnos con la tienda. Seguimos intentando. */
  'notice.before': string;
  /** The connection is gone. If you pay or have paid, we will confirm it once it is back. · Se cortó la conexión. Si pagas o ya pagaste, lo confirmaremos apenas se recupere. */
  'notice.offline': string;
  /** The store is slow to answer. If you have paid, do not pay again: we keep trying. · La tienda tarda en responder. Si ya pagaste, no vuelvas a pagar: seguimos intentando. */
  'notice.troubled': string;
  /** The connection is back. · Volvió la conexión. */
  'notice.back': string;
  /** Payment confirmed! · ¡Pago confirmado! */
  'paid.heading': string;
  /** You paid {amount}. · Pagaste {amount}. */
  'paid.lead': string;
  /** You paid {amount} to {merchant}. · Pagaste {amount} a {merchant}. */
  'paid.lead-merchant': string;
  /** You paid {amount} for your order {order}. · Pagaste {amount} por tu pedido {order}. */
  'paid.lead-order': string;
  /** Do not use the other codes of this order anymore: {numbers}. · Ya no uses los otros códigos de este pedido: {numbers}. */
  'paid.others': string;
  /** View my order · Ver mi pedido */
  'paid.continue': string;
  /** In 5 seconds you will go to {host}. · En 5 segundos irás a {host}. */
  'paid.leads-on': string;
  /** Stay on this page · Quedarme en esta página */
  'paid.stay': string;
  /** You stay on this page. · Te quedas en esta página. */
  'paid.stays': string;
  /** We received two payments · Recibimos dos pagos */
  'paid-twice.heading': string;
  /** Your order is paid. The store will contact you to give one of them back. · Tu pedido está pagado. La tienda te contactará para devolverte uno. */
  'paid-twice.lead': string;
  /** Other numbers of this order: {numbers}. · Otros números de este pedido: {numbers}. */
  'paid-twice.others': string;
  /** Payment receipt · Constancia de pago */
  'receipt.title': string;
  /** Paid to · Pagado a */
  'receipt.payee': string;
  /** Date · Fecha */
  'receipt.date': string;
  /** Method · Método */
  'receipt.method': string;
  /** Reference · Referencia */
  'receipt.order': string;
  /** QR code · Código QR */
  'receipt.qr': string;
  /** Installments · Cuotas */
  'receipt.installment': string;
  /** Cash · Efectivo */
  'receipt.cash-code': string;
  /** Bank transfer · Transferencia */
  'receipt.bank-transfer': string;
  /** Card · Tarjeta */
  'receipt.card': string;
  /** Digital wallet · Billetera digital */
  'receipt.wallet': string;
  /** Save receipt · Guardar constancia */
  'receipt.save': string;
  /** Look for it in your gallery or downloads. · Búscala en tu galería o en tus descargas. */
  'receipt.saved': string;
  /** Share · Compartir */
  'receipt.share': string;
  /** Print · Imprimir */
  'receipt.print': string;
  /** Your payment was not approved · Tu pago no fue aprobado */
  'declined.heading': string;
  /** Your app, bank or lender did not approve it. You can try again or pay another way. · Tu app, banco o financiera no lo aprobó. Puedes intentar otra vez o pagar de otra forma. */
  'declined.lead': string;
  /** Do you see a charge? Contact the store before you try again. · ¿Ves un cargo? Escribe a la tienda antes de intentar otra vez. */
  'declined.charge': string;
  /** This payment could not be created · No se pudo crear este pago */
  'invalid.heading': string;
  /** You were not charged. Try again and choose how to pay. · No se te cobró nada. Vuelve a intentarlo y elige cómo pagar. */
  'invalid.lead': string;
  /** Payment canceled · Pago anulado */
  'cancelled.heading': string;
  /** You were not charged. Do not use the code or link of this payment anymore. · No se te cobró nada. Ya no uses el código o enlace de este pago. */
  'cancelled.lead': string;
  /** Another way to pay was chosen in another tab or on another device. Go on there or, if you have closed it, choose how to pay here. · En otra pestaña o dispositivo se eligió otra forma de pago. Continúa ahí o, si ya la cerraste, elige aquí cómo pagar. */
  'cancelled.replaced': string;
  /** The store canceled this payment. · La tienda anuló este pago. */
  'cancelled.staff': string;
  /** It was canceled from another page of this order. · Se anuló desde otra página de este pedido. */
  'cancelled.page': string;
  /** It was canceled from another tab, another device or the store. · Se anuló desde otra pestaña, otro dispositivo o la tienda. */
  'cancelled.elsewhere': string;
  /** This QR has expired · Este QR venció */
  'expired.qr-heading': string;
  /** The time to pay is up · Venció el plazo para pagar */
  'expired.heading': string;
  /** We do not see your payment. If you have paid, do not pay again: it will show here. · No vemos tu pago. Si ya pagaste, no vuelvas a pagar: lo verás aquí. */
  'expired.lead': string;
  /** Your payment was reversed · Tu pago fue revertido */
  'reversed.heading': string;
  /** Your money is being returned. Your bank can tell you when it arrives. · Te devolverán el dinero. Tu banco puede decirte cuándo llega. */
  'reversed.lead': string;
  /** Questions? Contact the store with your operation number. · ¿Dudas? Escribe a la tienda con tu número de operación. */
  'reversed.help': string;
  /** Need help? · ¿Necesitas ayuda? */
  'help.link': string;
  /** Details · Detalles */
  'ended.details': string;
  /** Reason: {reason} · Motivo: {reason} */
  'ended.reason': string;
  /** From account · Cuenta de origen */
  'ended.account': string;
  /** Payment reference · Referencia del pago */
  'ended.reference': string;
  /** Paid on · Fecha del pago */
  'ended.paid-at': string;
  /** We could not connect · No pudimos conectarnos */
  'error.network-heading': string;
  /** We do not know yet whether your payment has started. Check your connection and try again. · Aún no sabemos si tu pago se inició. Revisa tu internet e intenta de nuevo. */
  'error.network-lead': string;
  /** The store has a problem · La tienda tiene un problema */
  'error.server-heading': string;
  /** You were not charged this time. Wait a moment and try again. · Esta vez no se te cobró nada. Espera un momento e intenta de nuevo. */
  'error.server-lead': string;
  /** We do not know yet whether your payment has started. Wait a moment and try again. · Aún no sabemos si tu pago se inició. Espera un momento e intenta de nuevo. */
  'error.server-unknown-lead': string;
  /** The store could not accept this payment · La tienda no pudo aceptar este pago */
  'error.refused-heading': string;
  /** You were not charged this time. Check your order or try again. · Esta vez no se te cobró nada. Revisa tu pedido o intenta de nuevo. */
  'error.refused-lead': string;
  /** If you have already paid, do not pay again: contact the store. If not, check your order or try again. · Si ya pagaste, no vuelvas a pagar: escribe a la tienda. Si no, revisa tu pedido o intenta de nuevo. */
  'error.refused-unknown-lead': string;
  /** This order may be paid already · Es posible que este pedido ya esté pagado */
  'error.may-be-paid-heading': string;
  /** Before you pay, ask the store whether this order is paid. · Antes de pagar, pregunta a la tienda si este pedido ya está pagado. */
  'error.may-be-paid-lead': string;
  /** You cannot pay this order here · No puedes pagar este pedido aquí */
  'error.no-method-heading': string;
  /** We could not find this payment · No encontramos este pago */
  'error.not-found-heading': string;
  /** If you have already paid, do not pay again: contact the store. · Si ya pagaste, no vuelvas a pagar: escribe a la tienda. */
  'error.not-found-lead': string;
  /** The amount does not match your order · El monto no coincide con tu pedido */
  'error.amount-mismatch-heading': string;
  /** Do not pay it, and tell the store. · No lo pagues y avisa a la tienda. */
  'error.amount-mismatch-lead': string;
  /** We could not show the QR · No pudimos mostrar el QR */
  'error.qr-image-heading': string;
  /** Try again or pay another way. · Intenta de nuevo o paga de otra forma. */
  'error.qr-image-lead': string;
  /** We could not open the payment page · No pudimos abrir la página de pago */
  'error.continue-url-heading': string;
  /** Its address is not safe, so we did not take you there. Try again or pay another way. · La dirección no es segura, así que no te llevamos. Intenta de nuevo o paga de otra forma. */
  'error.continue-url-lead': string;
  /** The store could not begin the payment · La tienda no pudo empezar el pago */
  'error.page-heading': string;
  /** Nothing was charged this time. Try again, or write to the store. · Esta vez no se cobró nada. Intenta de nuevo o escríbele a la tienda. */
  'error.page-lead': string;
  /** You cannot pay here yet · Aquí todavía no se puede pagar */
  'error.configuration-heading': string;
  /** Something is missing on this page, and you were not charged this time. Tell the store. · Falta algo en esta página y esta vez no se te cobró nada. Avisa a la tienda. */
  'error.configuration-lead': string;
}

/** The key of a text. */
export type MessageKey = keyof MessageTexts;
