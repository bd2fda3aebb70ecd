// The texts that must be there when the wasm, which has all others, cannot be had.

/** @type {import('./failure.js').FailureTexts} */
export const FAILURES = {
  es: {
    load: ['No pudimos cargar el pago', 'Si ya pagaste, no vuelvas a pagar. Revisa tu conexión.', 'Reintentar'],
    crash: ['El pago se interrumpió', 'Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.', 'Recargar la página'],
  },
  pt: {
    load: ['Não foi possível carregar o pagamento', 'Se você já pagou, não pague de novo. Verifique sua conexão.', 'Tentar de novo'],
    crash: ['O pagamento foi interrompido', 'Se você já pagou, não pague de novo: recarregue para ver a situação.', 'Recarregar a página'],
  },
  en: {
    load: ['The checkout could not be loaded', 'If you have paid, do not pay again. Check your connection.', 'Try again'],
    crash: ['The checkout stopped', 'If you have paid, do not pay again: reload to see the state.', 'Reload the page'],
  },
};
