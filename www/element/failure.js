// What stands in the element's place when its wasm does not run. The texts are here because
// the ones in the wasm cannot be had.

const TEXTS = {
  es: {
    load: ['No pudimos cargar el pago', 'Si ya pagaste, no vuelvas a pagar. Revisa tu conexión.', 'Reintentar'],
    crash: ['El pago se interrumpió', 'Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.', 'Recargar la página'],
  },
  en: {
    load: ['The checkout could not be loaded', 'If you have paid, do not pay again. Check your connection.', 'Try again'],
    crash: ['The checkout stopped', 'If you have paid, do not pay again: reload to see the state.', 'Reload the page'],
  },
};

/**
 * @param {'load' | 'crash'} kind
 * @param {string} locale
 * @param {() => void} retry
 * @returns {HTMLElement}
 */
export function failure(kind, locale, retry) {
  const [heading, explanation, action] = TEXTS[locale.startsWith('en') ? 'en' : 'es'][kind];
  const box = document.createElement('div');
  box.className = 'failure';
  box.setAttribute('part', 'failure');
  box.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  title.textContent = heading;
  const text = document.createElement('p');
  text.textContent = explanation;
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('part', 'button');
  button.textContent = action;
  button.addEventListener('click', retry);
  box.append(title, text, button);
  return box;
}
