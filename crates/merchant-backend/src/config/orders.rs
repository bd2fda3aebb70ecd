use super::Settings;
use crate::shop_orders::{OrderKeys, OrderSource, Shop};
use url::Url;

const SECRET_HINT: &str =
    "give at least 32 random characters, which the shop's server knows too, or leave it out";

/// Reads the source of orders, and adds its errors to `wrongs`.
pub(super) fn order_source(
    given: &Settings,
    public_url: Option<&Url>,
    wrongs: &mut Vec<String>,
) -> Option<OrderSource> {
    let (url, secret, file) = (
        given.orders_url.as_deref().map(str::trim),
        given.orders_secret.as_deref().map(str::trim),
        given.orders_keys_file.as_deref().map(str::trim),
    );
    let audience = public_url.map(Url::as_str).unwrap_or_default();
    let source = match (url, secret, file) {
        (None, None, None) => Ok(OrderSource::Registered),
        (_, Some(_), Some(_)) | (Some(_), _, Some(_)) => {
            let name = if url.is_some() { "ORDERS_URL" } else { "ORDERS_SECRET" };
            Err(format!("{name} and ORDERS_KEYS_FILE are both set: leave one out."))
        }
        (None, None, Some(file)) => OrderKeys::open(file, audience)
            .map(OrderSource::Signed)
            .map_err(|why| {
                format!("ORDERS_KEYS_FILE {why}: name a file of keys, each with kid, alg, and secret or public_key.")
            }),
        (None, Some(secret), None) => OrderKeys::shared(secret, audience)
            .map(OrderSource::Signed)
            .map_err(|why| format!("ORDERS_SECRET {why}: {SECRET_HINT}.")),
        (Some(_), None, None) => Err(format!("ORDERS_SECRET is missing beside ORDERS_URL: {SECRET_HINT}.")),
        (Some(_), Some(secret), None) if secret.len() < 32 => {
            Err(format!("ORDERS_SECRET is too short: {SECRET_HINT}."))
        }
        (Some(url), Some(secret), None) => Shop::new(url, secret)
            .map(OrderSource::Shop)
            .map_err(|why| {
                format!("ORDERS_URL {why}: give the address at which the shop tells an order, such as https://shop.example/orders/{{order_id}}, or leave it out.")
            }),
    };
    source.map_err(|wrong| wrongs.push(wrong)).ok()
}
