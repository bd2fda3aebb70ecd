//! The texts about payment links, in Spanish and in English.

use super::Text;

/// A text in both languages. The test of all texts finds one that is missing here.
pub(super) fn text(text: Text) -> (&'static str, &'static str) {
    match text {
        Text::TabLinks => ("Enlaces", "Links"),
        Text::LinksNone => (
            "Todavía no hay enlaces. Haz uno y envíalo por chat a quien te va a pagar.",
            "There are no links yet. Make one, and send it to who is going to pay.",
        ),
        Text::LinkNew => ("Nuevo enlace", "New link"),
        Text::LinkLabel => ("Para qué es", "What it is for"),
        Text::LinkUntil => ("Se paga hasta", "Payable until"),
        Text::LinkCustomer => (
            "Nombre del cliente (opcional)",
            "Customer's name (optional)",
        ),
        Text::LinkStore => ("Tienda", "Store"),
        Text::LinkLimit => (
            "Puedes pedir hasta {amount}.",
            "You may ask for up to {amount}.",
        ),
        Text::LinkLeft => (
            "Ahora puedes pedir hasta {amount}.",
            "You may ask for up to {amount} now.",
        ),
        Text::LinkLine => (
            "Escribe de 1 a {count} caracteres en una línea.",
            "Write 1 to {count} characters in one line.",
        ),
        Text::LinkName => (
            "Escribe hasta {count} caracteres en una línea.",
            "Write up to {count} characters in one line.",
        ),
        Text::LinkClock => (
            "Elige otro plazo, o revisa la fecha y la hora de este equipo.",
            "Choose another time, or check the date and the time of this device.",
        ),
        Text::LinkMake => ("Hacer el enlace", "Make the link"),
        Text::LinkReady => ("Enlace listo para enviar", "Link ready to send"),
        Text::LinkAddress => ("Enlace", "Link"),
        Text::LinkText => ("Texto para enviar", "Text to send"),
        Text::LinkMessage => (
            "{shop}: paga {amount} por {label} aquí: {url} (hasta {time})",
            "{shop}: pay {amount} for {label} here: {url} (until {time})",
        ),
        Text::LinkShare => ("Compartir", "Share"),
        Text::LinkQr => ("Mostrar el QR", "Show QR"),
        Text::LinkShow => ("Enviar o mostrar", "Send or show"),
        Text::LinkOperation => ("Ver la operación", "See the operation"),
        Text::LinkEnd => ("Terminar", "End"),
        Text::LinkEndHeading => ("¿Terminar el enlace?", "End the link?"),
        Text::LinkEndLead => (
            "Nadie podrá empezar a pagarlo.",
            "Nobody can begin to pay it any more.",
        ),
        Text::LinkVoid => (
            "Un código que el cliente ya tiene se anula, si se puede.",
            "A code that the customer has is voided if possible.",
        ),
        Text::LinkEndYes => ("Sí, terminar", "Yes, end it"),
        Text::LinkPaid => ("Ya está pagado.", "It is paid already."),
        Text::LinkEnded => ("El enlace terminó.", "The link has ended."),
        Text::LinkCode => (
            "Un código que el cliente ya tiene todavía se puede pagar. La lista dirá si lo pagó.",
            "A code that the customer has may still be paid. The list will say whether it is.",
        ),
        Text::LinkMadeBy => ("Lo hizo {name}", "Made by {name}"),
        Text::LinkEndedBy => ("Lo terminó {name}", "Ended by {name}"),
        Text::LinkNotOpened => ("Sin abrir", "Not opened"),
        Text::LinkWaiting => ("Esperando el pago", "Waiting"),
        Text::LinkOver => ("Terminado", "Over"),
        _ => ("", ""),
    }
}
