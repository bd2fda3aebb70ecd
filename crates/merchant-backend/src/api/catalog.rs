use crate::backend::Backend;
use crate::catalog::{CURRENCY, PRODUCTS};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

/// What the demo shop sells, with prices in cents.
pub(super) async fn catalog(State(backend): State<Backend>) -> Json<Value> {
    Json(json!({
        "merchant_name": backend.config.merchant_name,
        "currency": CURRENCY,
        "methods": backend.config.offered_methods().collect::<Vec<_>>(),
        "products": PRODUCTS,
    }))
}
