use merchant_backend::{MerchantStore, MerchantStores, Problem};

/// Finds the store with the key in a request.
pub(super) fn named<'a>(
    stores: &'a MerchantStores,
    key: Option<&str>,
) -> Result<&'a MerchantStore, Problem> {
    stores.named(key).ok_or_else(|| {
        let detail = format!("The field `store` must be one of {}.", stores.keys());
        Problem::bad_request(detail).with("field", "store")
    })
}
