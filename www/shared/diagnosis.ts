// The only way to report something to a developer: the console.
//
// No payment depends on these messages. An error while a message is made, or in a console that the page replaced, ends here.

/** Runs something that only helps a developer. An error in it ends here. */
export function quietly(help: () => void) {
  try {
    help();
  } catch {
    // No payment depends on it.
  }
}

/** Logs what `findOut` returns; an empty list logs nothing. */
export function diagnose(how: 'error' | 'warn' | 'info', findOut: () => unknown[]) {
  try {
    const values = findOut();
    if (values.length > 0) console[how](...values);
  } catch {
    // There is no other place for the message.
  }
}
