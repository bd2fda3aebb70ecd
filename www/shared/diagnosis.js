// The one road by which a developer is told something, in the console.
//
// A payer pays whether somebody can be told or not: what goes wrong in finding out what there is
// to tell, or in a console that the page replaced, ends here.

/**
 * @param {'error' | 'warn' | 'info'} how
 * @param {() => unknown[]} findOut what to tell; nothing for an empty list
 */
export function diagnose(how, findOut) {
  try {
    const told = findOut();
    if (told.length > 0) console[how](...told);
  } catch {
    // There is nobody left to tell.
  }
}
