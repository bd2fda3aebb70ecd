// The texts that must be there when the wasm, which has all others, cannot be had.

/** @type {import('./failure.js').FailureTexts} */
export const FAILURES = {
  es: {
    load: ['No pudimos cargar las operaciones', 'Nada cambió. Revisa tu conexión.', 'Reintentar'],
    crash: ['El panel se interrumpió', 'Lo que ya enviaste sigue su curso: recarga y revisa la operación antes de repetir.', 'Recargar la página'],
  },
  en: {
    load: ['The operations could not be loaded', 'Nothing was changed. Check your connection.', 'Try again'],
    crash: ['The desk stopped', 'What you sent goes on: reload, and look at the operation before you repeat anything.', 'Reload the page'],
  },
};
