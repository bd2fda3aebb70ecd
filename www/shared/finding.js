// A mistake that was found, for a developer.

/**
 * By its code in docs/diagnostics.md. `is` says what is wrong, and what to do; a mild one stops no payment.
 * @typedef {{ code: string, is: string, mild?: boolean }} Finding
 */

export {};
