// The only way to report something to a developer: the console.
//
// A payment does not depend on these messages. An error while a message is made, or in a console
// that the page replaced, ends here.

/** Does something that only helps a developer. An error in it ends here. @param {() => void} help */
export function quietly(help) {
  try {
    help();
  } catch {
    // No payment depends on it.
  }
}

/**
 * @param {'error' | 'warn' | 'info'} how
 * @param {() => unknown[]} findOut what to tell; nothing for an empty list
 */
export function diagnose(how, findOut) {
  try {
    const told = findOut();
    if (told.length > 0) console[how](...told);
  } catch {
    // There is no other place for the message.
  }
}
