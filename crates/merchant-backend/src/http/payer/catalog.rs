use crate::catalog::{PRODUCTS, Product};
use crate::config::{MerchantStore, MerchantStores};
use crate::http::Failure;
use crate::http::app::App;
use crate::http::problem::{Problem, ProblemKind};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

/// Whose catalog is wanted; without a key, the first store's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Asked {
    store: Option<String>,
}

/// `GET /api/catalog`: what a store sells, with its prices in cents, and how it is paid.
pub(in crate::http) async fn catalog(
    State(app): State<App>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(asked) = asked.map_err(|_| {
        let detail = "The query may have the field `store` and nothing else.";
        Problem::new(ProblemKind::BadRequest, detail)
    })?;
    let stores = &app.config.stores;
    let store = named(stores, asked.store.as_deref())?;
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
        "methods": app.config.offered_methods().collect::<Vec<_>>(),
        "products": PRODUCTS.iter().filter_map(product).collect::<Vec<_>>(),
        "stores": stores.collect::<Vec<_>>(),
    })))
}

/// The store that a request names by its key.
pub(in crate::http) fn named<'a>(
    stores: &'a MerchantStores,
    key: Option<&str>,
) -> Result<&'a MerchantStore, Problem> {
    stores.named(key).ok_or_else(|| {
        let detail = format!("The field `store` must be one of {}.", stores.keys());
        Problem::new(ProblemKind::BadRequest, detail).with("field", "store")
    })
}
