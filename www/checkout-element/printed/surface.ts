// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/** The attributes with a value. */
export const ATTRIBUTES = ['base-url', 'authorize-url', 'status-url', 'cancel-url', 'live-url', 'methods', 'amount', 'currency', 'merchant-name', 'payee-name', 'wallets', 'page-url', 'help-url', 'order', 'order-label', 'redirect-url', 'paid-url', 'redirect-hosts', 'merchant-code', 'merchant-operation-number', 'transaction-id', 'heading-level', 'locale', 'fallback-locale'] as const;

/** The attributes that are there or not. */
export const SWITCHES = ['hide-choice', 'debug'] as const;

/** The attributes that distinguish one checkout from another; the property `request` does, too. */
export const IDENTITY = ['base-url', 'authorize-url', 'status-url', 'cancel-url', 'merchant-code', 'merchant-operation-number'] as const;

/** The methods that the element can offer. */
export const METHODS: readonly string[] = ['QR', 'INSTALLMENT', 'CASHCODE', 'BANK_TRANSFER', 'CARD', 'WALLET'];

/** How a safe address of the help begins. */
export const HELP = /^(https:\/\/|mailto:|tel:|\/(?!\/))/;

/** The states of an operation that waits. */
export const WAITING: readonly string[] = ['REGISTRADO', 'PENDIENTE'];

/** The states of an operation that has ended. */
export const ENDED: readonly string[] = ['INVALIDO', 'AUTORIZADO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'LIQUIDADO', 'EXTORNADO'];

/** The slots with a name. */
export const SLOTS: readonly string[] = ['choosing', 'wallets', 'waiting', 'paid', 'paid-twice', 'declined', 'invalid', 'cancelled', 'expired', 'reversed', 'failed'];

/** The events. */
export const EVENTS: readonly string[] = ['checkout-ready', 'checkout-start', 'checkout-choose', 'checkout-pending', 'checkout-redirect', 'checkout-status', 'checkout-result', 'checkout-state', 'checkout-action', 'checkout-error'];

/** How the keys of what a tab remembers begin. */
export const STORAGE_PREFIX = 'payment-checkout:';

/** The parameter in the address of a payer who returns. */
export const RETURN_PARAMETER = 'checkout';

/** The locales of the texts, by language. */
export const LOCALES: Record<string, string> = {"en":"en","es":"es-PE","pt":"pt-BR"};
