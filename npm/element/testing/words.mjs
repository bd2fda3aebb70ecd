// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

/** The methods, each with the key of the text on its button. */
export const METHODS = Object.freeze({
  QR: 'method.qr',
  INSTALLMENT: 'method.installment',
  CASHCODE: 'method.cash-code',
  BANK_TRANSFER: 'method.bank-transfer',
  CARD: 'method.card',
  WALLET: 'method.wallet',
});

/**
 * What a payer presses, by the keys of the element's texts, in each language.
 * @satisfies {Record<string, readonly string[]>}
 */
export const WORDS = Object.freeze({
  "method.qr": ["Con QR","By QR","Com QR Code"],
  "method.installment": ["En cuotas","In installments","Parcelado"],
  "method.cash-code": ["En efectivo","In cash","Em dinheiro"],
  "method.bank-transfer": ["Por transferencia","By bank transfer","Por transferência"],
  "method.card": ["Con tarjeta","By card","Com cartão"],
  "method.wallet": ["Con billetera digital","With a digital wallet","Com carteira digital"],
  "action.check": ["Consultar ahora","Check now","Verificar agora"],
  "action.retry": ["Intentar de nuevo","Try again","Tentar de novo"],
  "action.new-qr": ["Generar otro QR","Get a new QR","Gerar outro QR Code"],
  "action.another": ["Pagar de otra forma","Pay another way","Pagar de outra forma"],
  "action.cancel-label": ["Anular pago","Cancel payment","Cancelar pagamento"],
  "ask.keep": ["Volver a mi pago","Back to my payment","Voltar ao meu pagamento"],
  "ask.cancel": ["Sí, anular","Yes, cancel","Sim, cancelar"],
  "ask.another": ["Anular y elegir otra forma","Cancel and choose another way","Cancelar e escolher outra forma"],
  "live.qr-show": ["Ver mi QR","See my QR","Ver meu QR Code"],
  "live.code-show": ["Ver mi código","See my code","Ver meu código"],
  "live.show": ["Ver ese pago","See that payment","Ver esse pagamento"],
  "live.replace": ["Anular el anterior y pagar {pay}","Cancel that one and pay {pay}","Cancelar o anterior e pagar {pay}"],
  "lender.link": ["Ir a mi financiera","Go to my lender","Ir para a financeira"],
  "bank.link": ["Ir a mi banco","Go to my bank","Ir para o meu banco"],
  "continue.link": ["Continuar","Continue","Continuar"],
});
