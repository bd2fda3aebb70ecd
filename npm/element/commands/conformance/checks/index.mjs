// All checks, in the sequence in which they are played: those that move the service's clock come last.

import { believing } from './believing.mjs';
import { cancelling } from './cancelling.mjs';
import { keeping } from './keeping.mjs';
import { lostAnswers } from './lost-answers.mjs';
import { newCodes } from './new-codes.mjs';
import { offering } from './offering.mjs';
import { repeating } from './repeating.mjs';
import { starting } from './starting.mjs';
import { telling } from './telling.mjs';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {'must' | 'may'} level *must* if payers or money depend on it
 * @property {string} why
 * @property {string} where the place in the guides that demands it
 * @property {(shop: import('../shop.mjs').Shop) => Promise<void>} run
 */

/** @type {Check[]} */
export const checks = [...starting, ...offering, ...repeating, ...lostAnswers, ...telling, ...believing, ...cancelling, ...keeping, ...newCodes];
