/** The pictures that the shop has, by the beginning of the product's code. */
const PICTURES = ["cafe", "chocolate", "chompa", "mochila", "bicicleta"];

/**
 * The picture of a product, or the shop's mark where it has none.
 *
 * @param {string} sku
 * @returns {string}
 */
export function art(sku) {
  const wanted = sku.toLowerCase();
  const name = PICTURES.find((known) => wanted.startsWith(known)) ?? "objeto";
  return `/shop/art/${name}.svg`;
}
