// The fields that an answer has to have, and those that a body lacks.

/**
 * The kind of a field: a text, a text of whole cents, an object, or a list of objects. A name that ends in `?` may
 * be missing or null.
 * @typedef {'text' | 'cents' | { [field: string]: Shape } | [{ [field: string]: Shape }]} Shape
 */

const TRANSACTION = /** @type {Shape} */ ({
  transaction_id: 'text',
  state: 'text',
  amount: 'cents',
  currency: 'text',
  payment_method: { method_name: 'text' },
  'expiration_date?': {},
  'continue_url?': 'text',
  'processor_response?': {},
});

/** The answer to `POST`, and to `GET` and `DELETE`. @type {Record<string, Shape>} */
export const SHAPES = {
  POST: { merchant_code: 'text', merchant_operation_number: 'text', transaction: TRANSACTION },
  GET: {
    merchant_code: 'text',
    operation: {
      merchant_operation_number: 'text',
      amount: 'cents',
      currency: 'text',
      transactions: /** @type {Shape} */ ([TRANSACTION]),
    },
  },
};

/** @param {string} field */
const camel = (field) => field.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/**
 * The fields that break a shape, each with what is wrong with it.
 * @param {any} value
 * @param {Shape} shape
 * @param {string} [path]
 * @returns {{ code: string, is: string }[]}
 */
export function breaks(value, shape, path = '') {
  const name = path || 'the body';
  if (typeof shape === 'string') return scalar(value, shape, name);
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [wrong(name, 'a list', value)];
    return value.flatMap((item, index) => breaks(item, shape[0], `${path}[${index}]`));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [wrong(name, 'an object', value)];
  return Object.entries(shape).flatMap(([name, inner]) => {
    const field = name.replace('?', '');
    if (field !== name && (value[field] ?? null) === null) return [];
    const at = path ? `${path}.${field}` : field;
    if (value[field] !== undefined) return breaks(value[field], inner, at);
    const twin = camel(field);
    if (twin !== field && twin in value) {
      return [{ code: 'camel-case', is: `the field ${at} is written ${twin}; the fields have the specification's names` }];
    }
    return [{ code: 'missing-field', is: `the field ${at} is missing` }];
  });
}

/** @param {any} value @param {'text' | 'cents'} kind @param {string} name */
function scalar(value, kind, name) {
  if (typeof value !== 'string') return [wrong(name, kind === 'cents' ? 'a text of whole cents, as in "12990"' : 'a text', value)];
  if (kind === 'cents' && !/^\d+$/.test(value)) return [wrong(name, 'a text of whole cents, as in "12990"', value)];
  return [];
}

/** @param {string} name @param {string} wanted @param {any} value */
function wrong(name, wanted, value) {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'string' ? (wanted.includes('text') ? 'another text' : 'a text') : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return { code: 'wrong-type', is: `the field ${name} has to be ${wanted}, and is ${kind}` };
}
