// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

import type { FailureTexts } from '../../shared/failure-message.ts';

/** The failure messages of the element, shown when its wasm does not run, by language. */
export const FAILURES: FailureTexts = {
  es: {
    load: ["No pudimos cargar el pago","Si ya pagaste, no vuelvas a pagar. Revisa tu conexión.","Reintentar"],
    unable: ["Este navegador no puede mostrar el pago","Si ya pagaste, no vuelvas a pagar. Abre esta página en otro navegador."],
    outdated: ["Esta página ya no está al día","Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.","Recargar la página"],
    crash: ["El pago se interrumpió","Si ya pagaste, no vuelvas a pagar: al recargar verás el estado.","Recargar la página"],
    again: ["El pago no funciona en esta página","Si ya pagaste, no vuelvas a pagar. La tienda puede decirte el estado."],
    number: "Número de operación",
    elsewhere: "Pagar en otra página",
  },
  en: {
    load: ["The checkout could not be loaded","If you have paid, do not pay again. Check your connection.","Try again"],
    unable: ["This browser cannot show the checkout","If you have paid, do not pay again. Open this page in another browser."],
    outdated: ["This page is out of date","If you have paid, do not pay again: reload to see the state.","Reload the page"],
    crash: ["The checkout stopped","If you have paid, do not pay again: reload to see the state.","Reload the page"],
    again: ["The checkout does not work on this page","If you have paid, do not pay again. The store can tell you the state."],
    number: "Operation number",
    elsewhere: "Pay on another page",
  },
  pt: {
    load: ["Não foi possível carregar o pagamento","Se você já pagou, não pague de novo. Verifique sua conexão.","Tentar de novo"],
    unable: ["Este navegador não consegue mostrar o pagamento","Se você já pagou, não pague de novo. Abra esta página em outro navegador."],
    outdated: ["Esta página está desatualizada","Se você já pagou, não pague de novo: recarregue para ver a situação.","Recarregar a página"],
    crash: ["O pagamento foi interrompido","Se você já pagou, não pague de novo: recarregue para ver a situação.","Recarregar a página"],
    again: ["O pagamento não funciona nesta página","Se você já pagou, não pague de novo. A loja pode informar a situação."],
    number: "Número da operação",
    elsewhere: "Pagar em outra página",
  },
};
