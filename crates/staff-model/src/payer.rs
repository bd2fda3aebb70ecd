use payment_model::Cents;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who pays an order, for the staff who answer the telephone.
///
/// `Debug` prints nothing of it: persons never reach a log.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Payer {
    /// The name; never empty.
    pub name: String,
    /// The e-mail address; a list has none.
    #[serde(default)]
    pub email: Option<String>,
    /// The telephone, with its country code; a list has none.
    #[serde(default)]
    pub phone: Option<String>,
}

impl fmt::Debug for Payer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Payer")
    }
}

/// One product of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Its name, for people.
    pub name: String,
    /// How many.
    pub quantity: u32,
    /// Cents for one.
    pub unit_price: Cents,
}
