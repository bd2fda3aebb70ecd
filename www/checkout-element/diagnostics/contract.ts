// The fields that an answer has to have, and those that a body lacks.

import { type Finding, finding } from '../../shared/finding.ts';

/**
 * The kind of a field: a text, a text of whole cents, an object, or a list of objects. A name that ends in `?` may
 * be missing or null.
 */
export type Shape = 'text' | 'cents' | { [field: string]: Shape } | [{ [field: string]: Shape }];

/** A transaction of an answer, as far as the diagnostics read it. */
export interface Transaction {
  state: string;
  amount: string;
  currency: string;
  payment_method: { method_name: string };
  continue_url?: string | null;
  processor_response?: { qr_image?: string } | null;
}

/** An answer to `POST`, or to `GET` and `DELETE`. */
export interface Answer {
  transaction?: Transaction;
  operation?: { transactions: Transaction[] };
}

const TRANSACTION: { [field: string]: Shape } = {
  transaction_id: 'text',
  state: 'text',
  amount: 'cents',
  currency: 'text',
  payment_method: { method_name: 'text' },
  'expiration_date?': {},
  'continue_url?': 'text',
  'processor_response?': {},
};

/** The answer to `POST`, and to `GET` and `DELETE`. */
export const SHAPES: Record<string, Shape> = {
  POST: { merchant_code: 'text', merchant_operation_number: 'text', transaction: TRANSACTION },
  GET: {
    merchant_code: 'text',
    operation: {
      merchant_operation_number: 'text',
      amount: 'cents',
      currency: 'text',
      transactions: [TRANSACTION],
    },
  },
};

const camel = (field: string) => field.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** The fields that break a shape, each with what is wrong with it. */
export function breaks(value: unknown, shape: Shape, path = ''): Finding[] {
  const name = path ? `the field ${path}` : 'the body';
  if (typeof shape === 'string') return scalar(value, shape, name);
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [wrong(name, 'a list', value)];
    return value.flatMap((item, index) => breaks(item, shape[0], `${path}[${index}]`));
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [wrong(name, 'an object', value)];
  const fields = value as Record<string, unknown>;
  return Object.entries(shape).flatMap(([name, inner]) => {
    const field = name.replace('?', '');
    if (field !== name && (fields[field] ?? null) === null) return [];
    const at = path ? `${path}.${field}` : field;
    if (fields[field] !== undefined) return breaks(fields[field], inner, at);
    const twin = camel(field);
    if (twin !== field && twin in fields) {
      return [finding('camel-case', `the field ${at} is written ${twin}. Send the specification's names as they are`)];
    }
    return [finding('missing-field', `the field ${at} is missing. Add it: openapi.yaml has every field of every answer`)];
  });
}

function scalar(value: unknown, kind: 'text' | 'cents', name: string) {
  if (typeof value !== 'string') return [wrong(name, kind === 'cents' ? 'a text of whole cents, as in "12990"' : 'a text', value)];
  if (kind === 'cents' && !/^\d+$/.test(value)) return [wrong(name, 'a text of whole cents, as in "12990"', value)];
  return [];
}

function wrong(name: string, wanted: string, value: unknown): Finding {
  const kind = typeof value === 'string' && wanted.includes('text') ? 'a text of another form' : kindOf(value);
  return finding('wrong-type', `${name} is ${kind}. Send ${wanted}`);
}

function kindOf(value: unknown) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
