use crate::catalog::{PRODUCTS, Product};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use merchant_backend::{Failure, MerchantStore, MerchantStores, Orders, Problem};
use serde::Deserialize;
use serde_json::{Value, json};

/// The query with the key of a store; without a key, the first store is used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    store: Option<String>,
}

/// `GET /api/catalog`: the products of a store with their prices in cents, and its payment methods.
pub(super) async fn catalog(
    State(orders): State<Orders>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(asked) = asked.map_err(|_| {
        Problem::bad_request("The query may have the field `store` and nothing else.")
    })?;
    let stores = orders.stores();
    let store = store_named(stores, asked.store.as_deref())?;
    let product = |product: &Product| {
        let price = product.price_in(&store.currency)?;
        Some(json!({
            "sku": product.sku, "name": product.name, "description": product.description,
            "price": price,
        }))
    };
    let stores = stores.all().map(|store| {
        json!({"key": store.key, "merchant_name": store.merchant_name, "currency": store.currency})
    });
    Ok(Json(json!({
        "store": store.key,
        "merchant_name": store.merchant_name,
        "currency": store.currency,
        "methods": orders.methods(),
        "products": PRODUCTS.iter().filter_map(product).collect::<Vec<_>>(),
        "stores": stores.collect::<Vec<_>>(),
    })))
}

/// Finds the store with the key in a request.
pub(super) fn store_named<'a>(
    stores: &'a MerchantStores,
    key: Option<&str>,
) -> Result<&'a MerchantStore, Problem> {
    stores.named(key).ok_or_else(|| {
        let detail = format!("The field `store` must be one of {}.", stores.keys());
        Problem::bad_request(detail).with("field", "store")
    })
}
