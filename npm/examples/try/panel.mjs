// The bar below the page: it says that no payment is real, and its buttons decide what happens next.

const BUTTONS = { paid: 'Paid', declined: 'Declined', expired: 'Expired', lost: 'Lost answer', 'new-order': 'New order' };

const STYLE = `
  :host { position: sticky; bottom: 0; z-index: 2147483647; display: block; color-scheme: light }
  section { padding: .5rem 1rem; background: #fff3c4; color: #3d2c00; font: 14px/1.4 system-ui, sans-serif; border-top: 2px solid #b98900 }
  p { margin: 0 0 .3rem }
  div { display: flex; flex-wrap: wrap; gap: .3rem }
  button { min-height: 2.4rem; padding: 0 .6rem; font: inherit; color: inherit; background: #fff; border: 1px solid #8a6700; border-radius: 6px; cursor: pointer }
`;

const host = document.createElement('aside');
host.lang = 'en';
host.setAttribute('aria-label', 'What the payment service says next');
const shadow = host.attachShadow({ mode: 'open' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
shadow.adoptedStyleSheets = [sheet];

const section = document.createElement('section');
const notice = document.createElement('p');
const bold = document.createElement('strong');
bold.textContent = 'No payment here is real. ';
const said = document.createElement('output');
said.textContent = 'Choose a method, then what happens:';
notice.append(bold, said);
const buttons = document.createElement('div');
for (const [act, name] of Object.entries(BUTTONS)) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = name;
  button.addEventListener('click', () => press(act));
  buttons.append(button);
}
section.append(notice, buttons);
shadow.append(section);
document.body.append(host);

async function press(/** @type {string} */ act) {
  const answer = await fetch(`/payment-checkout-try/${act}`, { method: 'POST' });
  said.textContent = await answer.text();
  if (act !== 'new-order') return;
  // The element would go on with the operation of the order before.
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('payment-checkout:')) sessionStorage.removeItem(key);
  location.reload();
}
