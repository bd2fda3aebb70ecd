import { pageSingleton } from '../shared/page-singleton.ts';

/** Why a page does not begin an attempt, in words for the payer. A page may import it from either file of the package. */
export const PageRefusal = pageSingleton('payment-checkout PageRefusal', () => class PageRefusal extends Error {});
