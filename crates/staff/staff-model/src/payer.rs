use payment_model::Cents;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The payer of an order, for staff who talk to the payer.
///
/// `Debug` prints no field, since personal data must not reach a log.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Payer {
    /// The name; never empty.
    pub name: String,
    /// The e-mail address; absent in a list.
    #[serde(default)]
    pub email: Option<String>,
    /// The telephone number with its country code; absent in a list.
    #[serde(default)]
    pub phone: Option<String>,
}

impl fmt::Debug for Payer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Payer")
    }
}

/// A product of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// The name of the product.
    pub name: String,
    /// The number of pieces.
    pub quantity: u32,
    /// The price of one piece in cents.
    pub unit_price: Cents,
}
