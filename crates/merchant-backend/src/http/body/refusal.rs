use crate::http::problem::{Problem, ProblemKind};

/// The longest name of a field in a problem: a name from outside may have any length.
const LONGEST_NAME_CHARACTERS: usize = 100;

/// The problem of a body that is not of its type. Only the path and the kind of the fault come from
/// the parser: its message may quote a value, and a value may be a person or a password.
pub(super) fn unread(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let (path, error) = (error.path(), error.inner());
    if !error.is_data() {
        return not_json(error);
    }
    let path = match path.iter().next() {
        Some(_) => path.to_string(),
        None => String::new(),
    };
    let message = error.to_string();
    let mut parts = message.split('`');
    match (parts.next(), parts.next()) {
        (Some("unknown field "), _) => not_allowed(&path),
        // The path ends before the field; its name is one of the type, not of the body.
        (Some("missing field "), Some(name)) => missing(&inside(&path, name)),
        (Some("duplicate field "), Some(name)) => repeated(&inside(&path, name)),
        _ if path.is_empty() => {
            let detail = "The body must be a JSON object in the form that this address takes.";
            Problem::new(ProblemKind::BadRequest, detail)
        }
        _ => refused(ProblemKind::BadRequest, &path, "has a wrong type or form"),
    }
}

fn inside(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The problem of a text that is no JSON.
pub(super) fn not_json(error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let detail = format!("The body is not valid JSON at line {line}, column {column}.");
    Problem::new(ProblemKind::BadRequest, detail)
}

/// The problem of a field that is missing.
pub(in crate::http) fn missing(field: &str) -> Problem {
    refused(ProblemKind::BadRequest, field, "is missing")
}

/// The problem of a field that came more than once, since its meaning is not clear.
fn repeated(field: &str) -> Problem {
    let why = "came more than once; send it once";
    refused(ProblemKind::BadRequest, field, why)
}

/// The problem of a field that may not be sent.
pub(in crate::http) fn not_allowed(field: &str) -> Problem {
    refused(ProblemKind::FieldNotAllowed, field, "is not allowed here")
}

/// The problem of a field whose value breaks a rule that its type does not have.
pub(in crate::http) fn wrong(field: &str, expected: &str) -> Problem {
    refused(
        ProblemKind::BadRequest,
        field,
        &format!("must be {expected}"),
    )
}

fn refused(kind: ProblemKind, field: &str, why: &str) -> Problem {
    let field: String = field.chars().take(LONGEST_NAME_CHARACTERS).collect();
    Problem::new(kind, format!("The field `{field}` {why}.")).with("field", field)
}
