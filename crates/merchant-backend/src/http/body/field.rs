//! Reads the fields of a body by name, so that every refusal names a field.

use crate::http::problem::{Problem, ProblemKind};
use payment_model::Fields;
use serde_json::Value;

/// An object in a body, with its path.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    fields: &'a Fields,
    path: &'a str,
}

impl<'a> Object<'a> {
    /// The body itself.
    ///
    /// # Errors
    /// The body is not an object.
    pub fn body(value: &'a Value) -> Result<Self, Problem> {
        let fields = value.as_object().ok_or_else(|| {
            Problem::new(ProblemKind::BadRequest, "The body must be a JSON object.")
        })?;
        Ok(Self { fields, path: "" })
    }

    /// An object somewhere in the body.
    ///
    /// # Errors
    /// The value is not an object.
    pub fn at(value: &'a Value, path: &'a str) -> Result<Self, Problem> {
        let fields = value.as_object().ok_or_else(|| wrong(path, "an object"))?;
        Ok(Self { fields, path })
    }

    /// Refuses fields other than these: to ignore one would hide a mistake, or an attempt to set
    /// what only the server may set.
    ///
    /// # Errors
    /// There is another field; the problem names it.
    pub fn only(&self, allowed: &[&str]) -> Result<(), Problem> {
        let odd = self
            .fields
            .keys()
            .find(|name| !allowed.contains(&name.as_str()));
        odd.map_or(Ok(()), |name| {
            let field = self.name(name);
            let allowed = allowed
                .iter()
                .map(|name| self.name(name))
                .collect::<Vec<_>>();
            let detail = format!(
                "The field `{}` is not allowed; only {} may be sent.",
                shortened(&field),
                if allowed.is_empty() {
                    "an empty object".to_owned()
                } else {
                    allowed.join(", ")
                }
            );
            Err(Problem::new(ProblemKind::FieldNotAllowed, detail).with("field", shortened(&field)))
        })
    }

    /// The value of a field; `null` counts as absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// The value of a field that is an object; `path` is its full path.
    pub(in crate::http) fn object(&self, name: &str, path: &'a str) -> Result<Object<'a>, Problem> {
        Object::at(
            self.get(name).ok_or_else(|| wrong(path, "an object"))?,
            path,
        )
    }

    /// A text that is not empty.
    ///
    /// # Errors
    /// There is no such text; the problem names the field.
    pub fn text(&self, name: &str) -> Result<&'a str, Problem> {
        let text = self
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty());
        text.ok_or_else(|| wrong(&self.name(name), "a text"))
    }

    fn name(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}

/// The problem of a field that is missing or of another type.
#[must_use]
pub fn wrong(field: &str, expected: &str) -> Problem {
    let detail = format!("The field `{field}` must be {expected}.");
    Problem::new(ProblemKind::BadRequest, detail).with("field", field)
}

/// The problem of a field that came more than once, since its meaning is not clear.
pub(in crate::http) fn repeated(field: &str) -> Problem {
    let field = shortened(field);
    let detail = format!("The field `{field}` came more than once; send it once.");
    Problem::new(ProblemKind::BadRequest, detail).with("field", field)
}

/// Cuts a name from outside, which may have any length.
fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::Object;
    use serde_json::json;

    #[test]
    fn refusals_name_the_field_with_its_path() {
        let body = json!({"order_id": "", "payment_method": {"amount": "1"}});
        let root = Object::body(&body).unwrap();
        let field = |problem: crate::http::problem::Problem| problem.body()["field"].clone();
        assert_eq!(field(root.text("order_id").unwrap_err()), "order_id");
        assert_eq!(
            field(root.only(&["order_id"]).unwrap_err()),
            "payment_method"
        );
        let method = root.object("payment_method", "payment_method").unwrap();
        assert_eq!(
            field(method.only(&["method_name"]).unwrap_err()),
            "payment_method.amount"
        );
        assert!(root.only(&["order_id", "payment_method"]).is_ok());
        assert!(Object::body(&json!([])).is_err());
    }
}
