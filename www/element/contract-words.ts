// The names that a page and its server may use.

export const METHODS = ['QR', 'INSTALLMENT', 'CASHCODE', 'BANK_TRANSFER', 'CARD', 'WALLET'];

/** The states of an operation that waits, and of one that has ended. */
export const WAITING = ['REGISTRADO', 'PENDIENTE'];
export const ENDED = ['AUTORIZADO', 'LIQUIDADO', 'DENEGADO', 'INVALIDO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO'];

export const SLOTS = [
  'choosing',
  'wallets',
  'waiting',
  'paid',
  'paid-twice',
  'declined',
  'invalid',
  'cancelled',
  'expired',
  'reversed',
  'failed',
];

export const EVENTS = ['ready', 'pending', 'redirect', 'status', 'result', 'error', 'state', 'action'].map((name) => `checkout-${name}`);

/** The addresses of help that the payer is led to: they run nothing. */
export const HELP = /^(https:\/\/|mailto:|tel:|\/(?!\/))/;
