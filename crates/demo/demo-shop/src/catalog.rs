use merchant_backend::OrderItem;
use payment_model::Currency;

/// The currencies of the prices, with the default one first.
pub(crate) const CURRENCIES: [&str; 2] = ["PEN", "USD"];
/// The largest quantity of a product in an order, and the largest number of different products.
const MAX_ITEMS: u32 = 99;

/// A product of the shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) sku: &'static str,
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// The prices in cents, in the sequence of [`CURRENCIES`].
    prices: [u64; 2],
}

impl Product {
    /// The price of one piece in a currency, which may be an alphabetic or a numeric code.
    pub(crate) fn price_in(&self, currency: &str) -> Option<u64> {
        let wanted = Currency::new(currency);
        let mut priced = CURRENCIES.iter().zip(self.prices);
        let found = priced.find(|(currency, _)| wanted.same_as(&Currency::new(**currency)));
        found.map(|(_, price)| price)
    }
}

/// True when the products have prices in this currency.
pub(crate) fn sells_in(currency: &str) -> bool {
    PRODUCTS
        .iter()
        .all(|product| product.price_in(currency).is_some())
}

/// The products of the demo shop.
pub(crate) const PRODUCTS: &[Product] = &[
    Product {
        sku: "cafe-250",
        name: "Café de altura, 250 g",
        description: "Grano entero de Chanchamayo, tueste medio.",
        prices: [3290, 890],
    },
    Product {
        sku: "chocolate-70",
        name: "Chocolate 70\u{a0}%, 3\u{a0}barras",
        description: "Cacao de Piura, sin lecitina.",
        prices: [4500, 1190],
    },
    Product {
        sku: "chompa-alpaca",
        name: "Chompa de alpaca",
        description: "Tejida en Arequipa, cuello redondo.",
        prices: [25_900, 6900],
    },
    Product {
        sku: "mochila-telar",
        name: "Mochila de telar",
        description: "Lana teñida con plantas, forro de algodón.",
        prices: [12_990, 3490],
    },
    Product {
        sku: "bicicleta-urbana",
        name: "Bicicleta urbana",
        description: "Aro 28, siete cambios, parrilla incluida.",
        prices: [149_900, 39_900],
    },
];

/// Items that cannot be ordered. The message names the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ItemRefusal {
    #[error("`items` must hold 1 to {MAX_ITEMS} items")]
    Count,
    #[error("`items[{0}].sku` is not in the catalog")]
    Sku(usize),
    #[error("`items[{0}].quantity` must be a whole number from 1 to {MAX_ITEMS}")]
    Quantity(usize),
}

/// Looks up the prices of the ordered items.
pub(crate) fn price<'a>(
    wanted: impl ExactSizeIterator<Item = (&'a str, u32)>,
    currency: &str,
) -> Result<Vec<OrderItem>, ItemRefusal> {
    if wanted.len() == 0 || wanted.len() > MAX_ITEMS as usize {
        return Err(ItemRefusal::Count);
    }
    wanted
        .enumerate()
        .map(|(at, (sku, quantity))| {
            let product = PRODUCTS.iter().find(|product| product.sku == sku);
            let product = product.ok_or(ItemRefusal::Sku(at))?;
            let unit_price = product.price_in(currency).ok_or(ItemRefusal::Sku(at))?;
            if !(1..=MAX_ITEMS).contains(&quantity) {
                return Err(ItemRefusal::Quantity(at));
            }
            Ok(OrderItem {
                sku: product.sku.to_owned(),
                name: product.name.to_owned(),
                quantity,
                unit_price,
            })
        })
        .collect()
}

/// The total price of all items in cents.
pub(crate) fn total(items: &[OrderItem]) -> u64 {
    items
        .iter()
        .map(|item| item.unit_price * u64::from(item.quantity))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{ItemRefusal, PRODUCTS, price, sells_in, total};

    #[test]
    fn no_line_breaks_before_a_percent_sign() {
        for product in PRODUCTS {
            for text in [product.name, product.description] {
                assert!(!text.contains(" %"), "{text}");
            }
        }
    }

    #[test]
    fn items_are_priced_by_the_catalog() {
        let check = |wanted: &[(&'static str, u32)], expected: Result<u64, ItemRefusal>| {
            let priced = price(wanted.iter().copied(), "604");
            assert_eq!(priced.map(|items| total(&items)), expected, "{wanted:?}");
        };
        check(&[("cafe-250", 2), ("chocolate-70", 1)], Ok(11_080));
        check(&[("bicicleta-urbana", 99)], Ok(14_840_100));
        let dollars = price([("cafe-250", 2)].into_iter(), "USD");
        assert_eq!(dollars.map(|items| total(&items)), Ok(1780));
        assert!(sells_in("840") && !sells_in("EUR"));
        check(&[], Err(ItemRefusal::Count));
        check(&[("cafe-250", 1); 100], Err(ItemRefusal::Count));
        check(&[("cafe-250", 1), ("", 1)], Err(ItemRefusal::Sku(1)));
        check(&[("cafe-250", 0)], Err(ItemRefusal::Quantity(0)));
        check(&[("cafe-250", 100)], Err(ItemRefusal::Quantity(0)));
    }
}
