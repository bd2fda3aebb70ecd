// The texts that must be there when the wasm, which has all others, cannot be had.

/** @type {import('../shared/failure-message.js').FailureTexts} */
export const FAILURES = {
  es: {
    load: ['No pudimos cargar el pago', 'Si ya pagaste, no vuelvas a pagar. Revisa tu conexión.', 'Reintentar'],
    unable: ['Este navegador no puede mostrar el pago', 'Si ya pagaste, no vuelvas a pagar. Abre esta página en otro navegador.'],
    crash: ['El pago se interrumpió', 'Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.', 'Recargar la página'],
  },
  pt: {
    load: ['Não foi possível carregar o pagamento', 'Se você já pagou, não pague de novo. Verifique sua conexão.', 'Tentar de novo'],
    unable: ['Este navegador não consegue mostrar o pagamento', 'Se você já pagou, não pague de novo. Abra esta página em outro navegador.'],
    crash: ['O pagamento foi interrompido', 'Se você já pagou, não pague de novo: recarregue para ver a situação.', 'Recarregar a página'],
  },
  en: {
    load: ['The checkout could not be loaded', 'If you have paid, do not pay again. Check your connection.', 'Try again'],
    unable: ['This browser cannot show the checkout', 'If you have paid, do not pay again. Open this page in another browser.'],
    crash: ['The checkout stopped', 'If you have paid, do not pay again: reload to see the state.', 'Reload the page'],
  },
};
