use super::value::{Given, MISSING, WrongSettings, file, setting};
use crate::random::identifier;
use crate::redacted_parse_error;
use crate::shop_orders::UniqueFields;
use clap::Args;
use payment_model::Currency;
use payment_rules::offer::MethodLimits;
use payment_rules::order::OrderFacts;
use serde::Deserialize;

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
    /// The amounts and currencies that its payment methods take.
    #[serde(default)]
    pub limits: MethodLimits,
}

/// What to do about a missing or wrong `MERCHANT_CODE`.
const CODE_REMEDY: &str = "give the code that the payment service knows the merchant by, or name a file of several stores in STORES_FILE";

/// What to do about wrong `METHOD_LIMITS`.
const LIMITS_REMEDY: &str = "give a JSON object such as {\"QR\": {\"PEN\": {\"least\": 600, \"most\": 50000}}}, or leave it out";

#[derive(Args, Clone)]
pub(super) struct StoreSettings {
    /// A file of stores, one for each merchant code: `[[store]]` with key, merchant_code,
    /// merchant_name and currency, in place of MERCHANT_CODE and MERCHANT_NAME
    #[arg(long, env, value_name = "FILE", verbatim_doc_comment)]
    stores_file: Option<String>,
    /// The merchant's code at the payment service
    #[arg(long, env, value_name = "CODE", value_parser = setting(CODE_REMEDY, |code| identifier(code).map_err(str::to_owned)))]
    merchant_code: Option<Given<String>>,
    /// The merchant's name as payers know it
    #[arg(long, env, value_name = "NAME")]
    #[arg(value_parser = setting("give the name that payers know the merchant by", |text| Ok(text.to_owned())))]
    merchant_name: Option<Given<String>>,
    /// The amounts that a method takes in each currency, in its smallest unit, such as
    /// {"QR": {"PEN": {"least": 600, "most": 50000}}}: a method that is named is offered in the named
    /// currencies only, and from `least` to `most`, either of which may be left out. In STORES_FILE, `limits` of a
    /// store has the same form, and replaces these for the methods that it names [default: no limits]
    #[arg(long, env, value_name = "JSON", default_value = MISSING, hide_default_value = true, verbatim_doc_comment)]
    #[arg(value_parser = setting(LIMITS_REMEDY, read_limits).optional::<MethodLimits>())]
    method_limits: Given<MethodLimits>,
}

/// Reads limits in which no name comes twice: the parser would take the last one.
fn read_limits(text: &str) -> Result<MethodLimits, String> {
    let unique: Result<UniqueFields, _> = serde_json::from_str(text);
    unique.map_err(|error| format!("is wrong: {error}"))?;
    MethodLimits::parse(text)
}

impl StoreSettings {
    /// The stores of a file, or the only one of a merchant with one code.
    pub(super) fn read(self, wrong: &mut WrongSettings) -> Option<MerchantStores> {
        let limits = self.method_limits.clone().read(wrong);
        let mut stores = self.stores(wrong)?;
        let limits = limits?;
        for store in std::iter::once(&mut stores.first).chain(&mut stores.others) {
            store.limits = std::mem::take(&mut store.limits).or(&limits);
        }
        Some(stores)
    }

    fn stores(self, wrong: &mut WrongSettings) -> Option<MerchantStores> {
        let (code, name) = (self.merchant_code, self.merchant_name);
        let Some(path) = self.stores_file else {
            let missing = || Given(Err(format!("MERCHANT_CODE is missing: {CODE_REMEDY}.")));
            let code = code.unwrap_or_else(missing).read(wrong);
            let name = name.unwrap_or(Given(Ok(String::new()))).read(wrong);
            return Some(MerchantStores::one(code?, name?));
        };
        for (name, given) in [("MERCHANT_CODE", code), ("MERCHANT_NAME", name)] {
            if given.is_some() {
                let both = format!("{name} and STORES_FILE are both set: leave one out.");
                wrong.0.push(both);
            }
        }
        let remedy =
            "name a file of stores, each with key, merchant_code, merchant_name and currency";
        wrong.keep(file("STORES_FILE", &path, remedy, MerchantStores::parse))
    }
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
        Self {
            first: MerchantStore {
                key: ONLY.to_owned(),
                merchant_code,
                merchant_name,
                currency: USUAL_CURRENCY.to_owned(),
                limits: MethodLimits::default(),
            },
            others: Vec::new(),
        }
    }

    /// Reads the text of a file of stores.
    ///
    /// # Errors
    /// The store that is wrong, by name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = redacted_parse_error::read_toml(text)
            .map_err(|place| format!("is wrong at {place}"))?;
        for (at, store) in file.store.iter().enumerate() {
            let wrong = |why: &str| Err(format!("has a wrong store {}: {why}", at + 1));
            for (field, value) in [("key", &store.key), ("merchant_code", &store.merchant_code)] {
                if let Err(why) = identifier(value) {
                    return wrong(&format!("`{field}` {why}"));
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
                let code = &store.merchant_code;
                return wrong(&format!("another one has the merchant code `{code}`"));
            }
        }
        let mut stores = file.store.into_iter();
        let first = stores.next().ok_or("has no [[store]]")?;
        let others = stores.collect();
        Ok(Self { first, others })
    }

    /// Whether a store stops to offer QR after several wrong codes.
    pub(super) fn stop_qr(&mut self, stops: bool) {
        for store in std::iter::once(&mut self.first).chain(&mut self.others) {
            store.limits.stops_qr = stops;
        }
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

impl MerchantStore {
    /// True when a method has limits, and none in the currency of the store.
    pub(super) fn sells_past_limits(&self) -> bool {
        let mut methods = self.limits.methods();
        methods.any(|method| !self.limits.takes(method, &Currency::new(&*self.currency)))
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
