// The bar below the page: it says that no payment is real, and its buttons decide what the payment service says next.

const TEXTS = {
  en: {
    name: 'What the payment service says next',
    notice: 'No payment here is real.',
    buttons: { paid: 'Paid', declined: 'Declined', expired: 'Expired', lost: 'Lost answer', 'new-order': 'New order' },
    said: {
      '': 'Choose a method, then what the payment service says:',
      paid: 'The payment service says: paid.',
      declined: 'The payment service says: declined.',
      expired: 'The payment service says: expired.',
      lost: 'The next answers to a start get lost. Choose a method: there will be one operation.',
      'new-order': 'This is a new order.',
      'nothing-yet': 'No payment has begun yet. Choose a method first.',
      never: 'That no longer happens to this payment. Begin a new order.',
    },
  },
  es: {
    name: 'Lo que dice el servicio de pagos',
    notice: 'Ningún pago de esta página es real.',
    buttons: { paid: 'Pagado', declined: 'Rechazado', expired: 'Vencido', lost: 'Respuesta perdida', 'new-order': 'Pedido nuevo' },
    said: {
      '': 'Elige una forma de pago y luego lo que dice el servicio de pagos:',
      paid: 'El servicio de pagos dice: pagado.',
      declined: 'El servicio de pagos dice: rechazado.',
      expired: 'El servicio de pagos dice: vencido.',
      lost: 'Las próximas respuestas a un inicio se pierden. Elige una forma de pago: habrá una sola operación.',
      'new-order': 'Este es un pedido nuevo.',
      'nothing-yet': 'Todavía no empezó ningún pago. Primero elige una forma de pago.',
      never: 'A este pago ya no le pasa eso. Empieza un pedido nuevo.',
    },
  },
};

const STYLE = `
  :host { position: fixed; inset: auto 0 0; z-index: 2147483647; display: block; color-scheme: light }
  section { padding: .5rem 1rem; background: #fff3c4; color: #3d2c00; font: 14px/1.4 system-ui, sans-serif; border-top: 2px solid #b98900 }
  p { margin: 0 0 .3rem }
  div { display: flex; flex-wrap: wrap; gap: .3rem }
  button { min-height: 2.4rem; padding: 0 .6rem; font: inherit; color: inherit; background: #fff; border: 1px solid #8a6700; border-radius: 6px; cursor: pointer }
`;

const lang = document.documentElement.lang.startsWith('es') ? 'es' : 'en';
const texts = TEXTS[lang];

const host = document.createElement('aside');
host.lang = lang;
host.setAttribute('aria-label', texts.name);
const shadow = host.attachShadow({ mode: 'open' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
shadow.adoptedStyleSheets = [sheet];

const section = document.createElement('section');
const notice = document.createElement('p');
const bold = document.createElement('strong');
bold.textContent = `${texts.notice} `;
const said = document.createElement('output');
said.textContent = texts.said[''];
notice.append(bold, said);
const buttons = document.createElement('div');
for (const [act, name] of Object.entries(texts.buttons)) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('click', () => press(act));
  buttons.append(button);
}
section.append(notice, buttons);
shadow.append(section);
document.body.append(host);

// Nothing of the page stays below the bar, neither its end nor what has the focus.
new ResizeObserver(() => {
  const height = `${host.offsetHeight}px`;
  document.body.style.paddingBottom = height;
  document.documentElement.style.scrollPaddingBottom = height;
}).observe(host);

async function press(/** @type {string} */ act) {
  const answer = await fetch(`/payment-checkout-try/${act}`, { method: 'POST' });
  said.textContent = texts.said[/** @type {keyof typeof texts.said} */ (await answer.text())];
  if (act !== 'new-order') return;
  // The element would go on with the operation of the order before.
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('payment-checkout:')) sessionStorage.removeItem(key);
  location.reload();
}
