// The long tasks of a visit: those of 50 ms or more, which the browser tells.

/** @import { Marks } from "./probe.mjs" */

/** A task that is shorter blocks no press. */
const SHORT = 50;

/** The time for which long tasks blocked presses before the page was ready. @param {Marks} marks */
export function blockedBefore({ tasks, ready }) {
  const before = tasks.filter(({ start }) => start < ready);
  return before.reduce((sum, { duration }) => sum + duration - SHORT, 0);
}

/** The longest task that began later; 0 if none was long. @param {Marks} marks */
export function longestAfter({ tasks, ready }) {
  return Math.max(0, ...tasks.filter(({ start }) => start >= ready).map(({ duration }) => duration));
}
