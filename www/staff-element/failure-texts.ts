// The texts that must be there when the wasm, which has all others, cannot be had.

import type { FailureTexts } from '../shared/failure-message.ts';

export const FAILURES: FailureTexts = {
  es: {
    load: ['No pudimos cargar las operaciones', 'Nada cambió. Revisa tu conexión.', 'Reintentar'],
    unable: ['Este navegador no puede mostrar las operaciones', 'Nada cambió. Abre esta página en otro navegador.'],
    outdated: ['Esta página ya no está al día', 'Nada cambió. Recarga la página para seguir.', 'Recargar la página'],
    again: ['Las operaciones no funcionan en esta página', 'Lo que ya enviaste sigue su curso. Avisa a quien cuida el sistema.'],
    crash: [
      'El panel se interrumpió',
      'Lo que ya enviaste sigue su curso: recarga y revisa la operación antes de repetir.',
      'Recargar la página',
    ],
  },
  en: {
    load: ['The operations could not be loaded', 'Nothing was changed. Check your connection.', 'Try again'],
    unable: ['This browser cannot show the operations', 'Nothing was changed. Open this page in another browser.'],
    outdated: ['This page is out of date', 'Nothing was changed. Reload the page to go on.', 'Reload the page'],
    again: ['The operations do not work on this page', 'What you sent goes on. Tell those who run the system.'],
    crash: ['The panel stopped', 'What you sent goes on: reload, and look at the operation before you repeat anything.', 'Reload the page'],
  },
};
