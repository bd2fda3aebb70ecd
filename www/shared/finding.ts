/** The kinds of mistakes, each a heading in docs/diagnostics.md. */
export const FINDING_CODES = [
  'amount',
  'amount-mismatch',
  'base-url',
  'blocked',
  'cached',
  'callback-url',
  'camel-case',
  'continue-url',
  'heading-level',
  'help-url',
  'hidden-headers',
  'html',
  'locale',
  'messages',
  'methods',
  'missing-field',
  'name',
  'no-answer',
  'no-date',
  'no-qr-image',
  'no-session',
  'no-wasm',
  'no-webassembly',
  'not-found',
  'not-held',
  'not-json',
  'operation',
  'order',
  'other-operation',
  'other-transaction',
  'other-version',
  'page-url',
  'paid-url',
  'policy',
  'qr-image',
  'redirect-hosts',
  'redirect-url',
  'refused',
  'replaced',
  'request',
  'sandbox',
  'server-error',
  'switch',
  'unasked-304',
  'unfilled',
  'unknown-conflict',
  'unknown-state',
  'unreachable',
  'unreadable',
  'wrong-method',
  'wrong-type',
] as const;

/** A mistake of the page or of its server, for a developer. */
export interface Finding {
  code: (typeof FINDING_CODES)[number];
  /** What is wrong, and what to do. */
  is: string;
  /** True if no payment stops because of it. */
  mild?: boolean;
}

export const finding = (code: Finding['code'], is: string, mild?: boolean): Finding => ({ code, is, mild });
