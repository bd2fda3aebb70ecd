use axum::http::StatusCode;
use payment_model::{LocalizedMessage, Meta, Operation, Status};
use serde_json::{Value, json};

/// A rejected request. The specification shows neither these cases nor their bodies, except for 400 and 401 of
/// refunds.
#[derive(Debug)]
pub(crate) enum ServiceError {
    /// The token is missing, wrong or expired.
    Unauthorized,
    /// A header is missing or malformed.
    WrongHeader(&'static str, &'static str),
    /// `Content-Type` is not JSON.
    NotJson,
    /// The body is too large.
    TooLarge,
    /// A field of the body is missing or invalid; the text names it.
    WrongField(String),
    UnknownPath,
    WrongMethod,
    UnknownOperation,
    NumberTaken,
    /// The operation's state does not permit a cancellation.
    NotCancellable(Box<Operation>),
    /// An error of the sandbox itself.
    Internal(String),
}

impl ServiceError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::WrongHeader(..) | Self::WrongField(_) => StatusCode::BAD_REQUEST,
            Self::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnknownPath | Self::UnknownOperation => StatusCode::NOT_FOUND,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::NumberTaken | Self::NotCancellable(_) => StatusCode::CONFLICT,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The code in `meta.status`, with its message in Spanish and in English.
    fn words(&self) -> (&'static str, String, String) {
        match self {
            Self::Unauthorized => (
                "41",
                "El token de acceso falta, no es válido o venció".to_owned(),
                "The access token is missing, wrong or expired".to_owned(),
            ),
            Self::WrongHeader(header, expected) => (
                "42",
                format!("La cabecera {header} falta o no es válida"),
                format!("The header {header} must be {expected}"),
            ),
            Self::NotJson => (
                "42",
                "La cabecera Content-Type debe ser application/json".to_owned(),
                "The header Content-Type must be application/json".to_owned(),
            ),
            Self::TooLarge => (
                "43",
                "El cuerpo de la solicitud es demasiado grande".to_owned(),
                "The body of the request is too large".to_owned(),
            ),
            Self::WrongField(reason) => (
                "40",
                format!("La solicitud no es válida: {reason}"),
                format!("The request is invalid: {reason}"),
            ),
            Self::UnknownPath => (
                "44",
                "La ruta no existe".to_owned(),
                "There is no such path".to_owned(),
            ),
            Self::WrongMethod => (
                "45",
                "La ruta no admite este método HTTP".to_owned(),
                "The path does not take this HTTP method".to_owned(),
            ),
            Self::UnknownOperation => (
                "44",
                "La operación no existe".to_owned(),
                "There is no such operation".to_owned(),
            ),
            Self::NumberTaken => (
                "49",
                "merchant_operation_number ya fue usado".to_owned(),
                "merchant_operation_number was used before".to_owned(),
            ),
            Self::NotCancellable(operation) => (
                "49",
                format!(
                    "La operación está en {} y no se puede cancelar",
                    operation.state
                ),
                format!(
                    "The operation is {} and cannot be cancelled",
                    operation.state
                ),
            ),
            Self::Internal(_) => (
                "99",
                "Error interno".to_owned(),
                "Internal error".to_owned(),
            ),
        }
    }

    /// The body has the form of a successful answer, with a code other than `00`.
    pub(crate) fn body(&self) -> Value {
        let (code, spanish, english) = self.words();
        let mut body = json!({"success": false, "meta": meta(code, spanish, english)});
        if let (Self::NotCancellable(operation), Some(fields)) = (self, body.as_object_mut()) {
            fields.insert("operation".to_owned(), json!(operation));
        }
        body
    }
}

/// Creates a technical result with messages in both languages.
pub(crate) fn meta(code: &str, spanish: String, english: String) -> Meta {
    let message = |locale: &str, value| LocalizedMessage {
        locale: locale.to_owned(),
        value,
    };
    Meta {
        status: Status {
            code: code.to_owned(),
            message_ilgn: vec![message("es_PE", spanish), message("en_US", english)],
        },
    }
}

/// Creates the technical result of a successful request.
pub(crate) fn accepted() -> Meta {
    meta(
        "00",
        "Procesado correctamente".to_owned(),
        "Processed successfully".to_owned(),
    )
}
