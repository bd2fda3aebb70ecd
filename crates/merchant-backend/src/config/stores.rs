use crate::random::identifier;
use crate::redacted_parse_error;
use payment_model::Currency;
use payment_rules::order::OrderFacts;
use serde::Deserialize;
use std::fs;

/// The key of the only store, if the settings name no others.
const ONLY: &str = "default";

/// The currency of that store.
const USUAL_CURRENCY: &str = "PEN";

/// A store of the merchant's, with its merchant code at the payment service and the currency of its
/// prices.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MerchantStore {
    /// The key by which pages name the store.
    pub key: String,
    /// Its merchant code at the service.
    pub merchant_code: String,
    /// Its name, for payers.
    pub merchant_name: String,
    /// The currency of its prices.
    pub currency: String,
}

/// The merchant's stores, side by side; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantStores {
    first: MerchantStore,
    others: Vec<MerchantStore>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    store: Vec<MerchantStore>,
}

impl MerchantStores {
    /// The only store of a merchant.
    #[must_use]
    pub fn one(merchant_code: String, merchant_name: String) -> Self {
        let first = MerchantStore {
            key: ONLY.to_owned(),
            merchant_code,
            merchant_name,
            currency: USUAL_CURRENCY.to_owned(),
        };
        Self {
            first,
            others: Vec::new(),
        }
    }

    /// Reads a file of stores.
    ///
    /// # Errors
    /// The file cannot be read, or a store in it is wrong; the error names it.
    pub fn open(path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("is `{path}`, which cannot be read ({error})"))?;
        Self::parse(&text).map_err(|why| format!("is `{path}`, which {why}"))
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// The store that is wrong, by name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = redacted_parse_error::read_toml(text)
            .map_err(|place| format!("is wrong at {place}"))?;
        for (at, store) in file.store.iter().enumerate() {
            let wrong = |why: &str| Err(format!("has a wrong store {}: {why}", at + 1));
            for (field, value) in [("key", &store.key), ("merchant_code", &store.merchant_code)] {
                if value.is_empty() || identifier(value).is_err() {
                    return wrong(&format!(
                        "`{field}` must be 1 to 64 letters, digits, `-` and `_`"
                    ));
                }
            }
            if Currency::new(&*store.currency).iso().is_none() {
                return wrong("`currency` must be a code of ISO 4217, such as PEN or 604");
            }
            let before = &file.store[..at];
            if before.iter().any(|other| other.key == store.key) {
                return wrong(&format!("another one has the key `{}`", store.key));
            }
            let same = |other: &MerchantStore| other.merchant_code == store.merchant_code;
            if before.iter().any(same) {
                return wrong(&format!(
                    "another one has the merchant code `{}`",
                    store.merchant_code
                ));
            }
        }
        let mut stores = file.store.into_iter();
        let first = stores.next().ok_or("has no [[store]]")?;
        Ok(Self {
            first,
            others: stores.collect(),
        })
    }

    /// Every store, the default one first.
    pub fn all(&self) -> impl Iterator<Item = &MerchantStore> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The store that is meant when none is named.
    pub(crate) fn first(&self) -> &MerchantStore {
        &self.first
    }

    /// The store of this key, or the first one when none is named.
    #[must_use]
    pub fn named(&self, key: Option<&str>) -> Option<&MerchantStore> {
        match key {
            None => Some(&self.first),
            Some(key) => self.all().find(|store| store.key == key),
        }
    }

    /// The store of this merchant code.
    #[must_use]
    pub fn of_code(&self, merchant_code: &str) -> Option<&MerchantStore> {
        self.all()
            .find(|store| store.merchant_code == merchant_code)
    }

    /// The store of an order; `None` when it is not there any more, or sells in another currency.
    pub(crate) fn of_order(&self, order: &OrderFacts) -> Option<&MerchantStore> {
        let store = self.of_code(&order.merchant_code);
        store.filter(|store| store.sells_in(&order.currency))
    }

    /// The keys of all stores, for the answer to a request with an unknown key.
    #[must_use]
    pub fn keys(&self) -> String {
        let keys: Vec<_> = self.all().map(|store| store.key.as_str()).collect();
        keys.join(", ")
    }
}

impl MerchantStore {
    /// True when its prices are in this currency, in any spelling of the currency.
    #[must_use]
    pub fn sells_in(&self, currency: &str) -> bool {
        Currency::new(currency).same_as(&Currency::new(&*self.currency))
    }
}

#[cfg(test)]
mod tests {
    use super::MerchantStores;

    fn store(key: &str, code: &str, currency: &str) -> String {
        format!(
            "[[store]]\nkey = \"{key}\"\nmerchant_code = \"{code}\"\nmerchant_name = \"Shop\"\ncurrency = \"{currency}\"\n"
        )
    }

    #[test]
    fn stores_are_found_by_key_and_by_code() {
        let text = store("lima", "shop-pen", "PEN") + &store("usd", "shop-usd", "840");
        let stores = MerchantStores::parse(&text).unwrap();
        let code = |key| stores.named(key).map(|store| &*store.merchant_code);
        assert_eq!(code(None), Some("shop-pen"));
        assert_eq!(code(Some("usd")), Some("shop-usd"));
        assert_eq!(code(Some("shop-usd")), None);
        let dollars = stores.of_code("shop-usd").unwrap();
        assert!(dollars.sells_in("USD") && !dollars.sells_in("PEN"));
        assert_eq!(stores.keys(), "lima, usd");
    }

    #[test]
    fn a_wrong_store_is_named() {
        let good = store("lima", "shop", "PEN");
        for (text, named) in [
            (String::new(), "no [[store]]"),
            ("[[store]]".to_owned(), "line 1"),
            (good.clone() + "token = \"x\"\n", "unknown field `token`"),
            (store("", "shop", "PEN"), "store 1: `key`"),
            (store("lima", "a/b", "PEN"), "store 1: `merchant_code`"),
            (
                good.clone() + &store("eur", "eur", "EURO"),
                "store 2: `currency`",
            ),
            (good.clone() + &store("lima", "two", "USD"), "key `lima`"),
            (good + &store("two", "shop", "USD"), "merchant code `shop`"),
        ] {
            let wrong = MerchantStores::parse(&text).unwrap_err();
            assert!(wrong.contains(named), "{wrong}");
        }
    }
}
