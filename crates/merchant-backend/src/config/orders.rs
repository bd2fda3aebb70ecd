use crate::shop_orders::{OrderKeys, OrderSource, Shop};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

const SECRET_HINT: &str =
    "give at least 32 random characters, which the shop's server knows too, or leave it out";

/// The source of orders, from `ORDERS_URL`, `ORDERS_SECRET` and `ORDERS_KEYS_FILE`.
pub(super) fn order_source(
    url: Option<&str>,
    secret: Option<&SecretString>,
    file: Option<&str>,
    public_url: Option<&Url>,
) -> Result<OrderSource, String> {
    let audience = public_url.map(Url::as_str).unwrap_or_default();
    let secret = secret.map(ExposeSecret::expose_secret);
    match (url.map(str::trim), secret, file.map(str::trim)) {
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
    }
}
