//! The shop's own addresses under `/api`, of the catalog and of orders. They use the catalog, and the server only through
//! `merchant_backend::Orders`.

mod catalog;
mod orders;

use crate::catalog::{CURRENCIES, sells_in};
use axum::Router;
use axum::routing::{get, post};
use merchant_backend::Orders;

/// Builds the shop's routes.
///
/// # Errors
/// A store sells in a currency without prices in the catalog.
pub fn routes(orders: &Orders) -> Result<Router, String> {
    let mut stores = orders.stores().all();
    if let Some(store) = stores.find(|store| !sells_in(&store.currency)) {
        return Err(format!(
            "STORES_FILE: the store `{}` sells in {}, in which the catalog has no prices; use {}.",
            store.key,
            store.currency,
            CURRENCIES.join(" or ")
        ));
    }
    Ok(Router::new()
        .route("/catalog", get(catalog::catalog))
        .route("/orders", post(orders::create))
        .route("/orders/{order_id}", get(orders::show))
        .with_state(orders.clone()))
}
