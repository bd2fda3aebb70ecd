// How a check says what it found.

/** The server did something else than the contract says. */
export class Broken extends Error {
  /** @param {string} expected @param {string} seen */
  constructor(expected, seen) {
    super(`expected ${expected}, and saw ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}

/** The run cannot cause here what the check is about. */
export class Skipped extends Error {}

/**
 * @param {unknown} condition
 * @param {string} expected
 * @param {unknown} seen an answer, or anything that can be printed
 * @returns {asserts condition}
 */
export function expect(condition, expected, seen) {
  if (!condition) throw new Broken(expected, String(seen));
}

/** @param {string} reason @returns {never} */
export function skip(reason) {
  throw new Skipped(reason);
}

const PAID = ['AUTORIZADO', 'LIQUIDADO'];
const ENDED = ['INVALIDO', 'DENEGADO', 'CANCELADO', 'EXPIRADO', 'EXTORNADO'];
/** What the element repeats by itself; it shows any other answer from 400 to 499 as a refusal. */
const REPEATED = [408, 425, 429];
const FINAL_CONFLICTS = ['order-paid', 'payment-reversed', 'operation-live', 'order-may-be-paid'];
/** What a problem may say of the money. One that says nothing of it means `unknown`. */
const MONEY = ['nothing_charged', 'unknown', 'may_be_paid'];

/** @typedef {import('./payer.mjs').Answer} Answer */

/** True if a payer would read that it is paid. @param {Answer} answer */
export const saysPaid = (answer) => answer.status === 200 && answer.states.some((state) => PAID.includes(state));

/** True if a payer would read that it has ended without a payment. @param {Answer} answer */
export const saysEnded = (answer) => answer.status === 200 && answer.states.some((state) => ENDED.includes(state));

/** True if a payer would read that the payment was refused. @param {Answer} answer */
export function isRefusal(answer) {
  if (answer.status === 409) return FINAL_CONFLICTS.includes(answer.problem);
  return answer.status >= 400 && answer.status < 500 && !REPEATED.includes(answer.status);
}

/** True if the address says that there is no such operation. @param {Answer} answer */
export const isUnknown = (answer) => [401, 403, 404, 410].includes(answer.status);

/** @param {Answer} answer @param {string} state */
export function expectState(answer, state) {
  expect(answer.status === 200 && answer.states.includes(state), `200 with the state ${state}`, answer);
}

/** Nobody may read an end, of either kind, that no believed answer told. @param {Answer} answer @param {string} because */
export function expectOpen(answer, because) {
  expect(!saysPaid(answer), `no paid state, since ${because}`, answer);
  expect(!saysEnded(answer) && !isUnknown(answer), `no end of the payment, since ${because}`, answer);
}

/**
 * A problem says nothing of the money that is untrue. It need not say anything, and an answer that is no problem does not.
 * @param {Answer} answer @param {'nothing_charged' | 'may_be_paid'} untrue @param {string} because
 */
export function expectMoney(answer, untrue, because) {
  const money = answer.problem ? answer.body.money : undefined;
  if (money === undefined) return;
  const allowed = MONEY.filter((word) => word !== untrue);
  const seen = `"money": ${JSON.stringify(money)} in ${answer}`;
  expect(allowed.includes(money), `"money" as ${allowed.join(' or ')}, or no such member, since ${because}`, seen);
}

/** @param {number} ms @param {AbortSignal} [signal] */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
