// What the gallery says about each screen. Its state comes from the element's own code, its slots and
// parts from the drawing itself.

/** The groups, in the order of a payment, each with the states that belong to it. */
export const GROUPS = [
  { name: 'Choose', states: ['choosing'] },
  { name: 'Wait', states: ['authorizing', 'pending'] },
  { name: 'Confirm', states: ['checking', 'overdue', 'cancelling'] },
  { name: 'End', states: ['paid', 'declined', 'invalid', 'cancelled', 'expired', 'reversed'] },
  { name: 'Failures', states: ['failed'] },
];

/** One sentence for each screen. @type {Record<string, string>} */
const SENTENCES = {
  choosing: 'The methods on offer, in the order of the attribute methods.',
  'choosing-one': 'With one method there is one button.',
  'choosing-again': 'An earlier attempt of this order ended without a payment.',
  'choosing-wallets': 'The page names the apps that pay its codes: the attribute wallets.',
  'asking-to-replace': 'Another tab or device has a code of this order, so the payer is asked before another method ends it.',
  'choosing-without-qr': 'The order is larger than your server takes by QR: a sentence in place of the button.',
  'choosing-one-left': 'Your server takes the order by one method only.',
  'choosing-refused': 'The payer chose a method by which your server does not take this order.',
  'choosing-on-page': 'Your page has a list of methods of its own: the attribute hide-choice. An earlier attempt ended without a payment.',
  preparing: 'Your page makes the order at the press: checkout-start and waitUntil. The payer may leave.',
  authorizing: 'Your server prepares the operation; the outline of the next screen holds its place.',
  'authorizing-slow': 'It takes longer than usual, and the payer is told so.',
  'authorizing-offline': 'The connection is lost before a code is there; the same attempt is sent again.',
  checking: 'After a reload the element asks your server before it shows anything.',
  qr: 'The code to scan or, on a phone, to save.',
  'qr-wallets': 'The steps name the apps of the attribute wallets.',
  'qr-payee': 'The payer’s app shows another name than the shop’s: the attribute payee-name.',
  'qr-shared': 'The browser shares files, so the code can be shared with an app.',
  'qr-saved': 'The payer saved the code, and reads what to do with the picture.',
  'qr-last-minute': 'Less than a minute is left to pay.',
  'qr-offline': 'The connection is lost; a payment that was made meanwhile is confirmed later.',
  'qr-troubled': 'Your server does not answer as it should; the element goes on asking.',
  'qr-checked': 'The payer asked, and there is no news.',
  'qr-checked-in-vain': 'The payer asked, and your server could not be reached.',
  'qr-asking': 'Before a cancellation the payer is asked.',
  'qr-asking-another': 'Another method ends this code, so the payer is asked first.',
  'qr-only-way': 'The only method: nothing else can be chosen.',
  'qr-not-cancelled': 'The cancellation could not be confirmed, and the code stays.',
  'qr-read-only': 'In a browser without your session the payer sees the payment, and cannot cancel it.',
  cancelling: 'A cancellation is under way.',
  'last-check': 'The time to pay is up, and a payment of the last second may still arrive.',
  overdue: 'The deadline has passed, and your server still waits; a late payment may arrive.',
  unconfirmed: 'It is not known yet whether the earlier code was paid; a new one can be had at this time.',
  'unconfirmed-again': 'It is not known yet whether the earlier code was paid; the payer may ask again.',
  leaving: 'The page goes to the lender by itself.',
  lender: 'A link leads to the lender, as after checkout-redirect was prevented.',
  'cash-code': 'A code to pay in cash, which outlives the page.',
  'cash-code-to-come': 'The code to pay in cash reaches the payer by another way.',
  transfer: 'A link leads to the bank.',
  card: 'A payment by card that waits elsewhere.',
  wallet: 'A payment by wallet that waits elsewhere.',
  'method-nobody-knows': 'Your server answers with a method that the element does not know.',
  confirming: 'Your server answers a state that is no end.',
  paid: 'Your server confirmed the payment.',
  'paid-late': 'Paid, and the earlier codes of the order are not to be used any more.',
  'paid-twice': 'Two operations of the order are paid; one payment has to be given back.',
  'paid-installments': 'Paid in installments, with the lender’s number.',
  'paid-cash': 'Paid in cash, with the agent’s number.',
  'paid-transfer': 'Paid by transfer, with the account it came from.',
  'paid-next': 'Your page names the page that follows a payment: the attribute paid-url.',
  declined: 'The payer’s bank or app did not approve it.',
  'declined-installments': 'The lender did not approve it.',
  invalid: 'The service could not use the operation.',
  cancelled: 'It was canceled before a payment.',
  'cancelled-elsewhere': 'Another tab or device, or the shop, ended it.',
  expired: 'The code expired without a payment.',
  'expired-cash': 'The code to pay in cash expired without a payment.',
  reversed: 'It was paid and then given back.',
  'reversed-payable': 'It was given back, and the order may be paid anew.',
  network: 'Your server cannot be reached.',
  server: 'Your server fails, and says that nothing was charged.',
  'server-unknown': 'Your server fails, or answers what the contract does not have: nobody knows whether a payment began.',
  'may-be-paid': 'Your server says that the order may be paid already, as after a restore from a backup.',
  'refused-uncharged': 'Your server refused the request, and says that nothing was charged.',
  refused: 'Your server refused the request, with the reason of the payment service.',
  'no-method': 'No method of your page is offered for this order; your way out stands in the slot failed.',
  'not-found': 'This payer has no operation with the numbers of the attributes, or the server has not known it for two minutes.',
  'amount-mismatch': 'The authorized amount is not the price on the page, so no code is shown.',
  'qr-image': 'The service’s code is no sound picture.',
  'continue-url': 'The service’s address is not safe to follow.',
  page: 'Your page could not prepare the order: the promise of checkout-start was rejected, or took longer than 15 seconds.',
  'page-refused': 'Your page refused the attempt with a reason for the payer: PageRefusal.',
  configuration: 'An attribute or property is missing or wrong; the console names it.',
};

/** The event that tells of a state, when it is another than `checkout-state`. @param {string} state @param {string} screen */
function event(state, screen) {
  if (state === 'failed') return `checkout-error, code ${screen === 'page-refused' ? 'page' : screen}`;
  if (GROUPS[3].states.includes(state)) return `checkout-result, outcome ${state}`;
  if (state === 'pending') return 'checkout-pending';
  if (state === 'choosing') return 'checkout-ready';
  return screen === 'confirming' ? 'checkout-status' : 'checkout-state';
}

/**
 * @param {string} screen
 * @param {string} state
 */
export function about(screen, state) {
  return {
    sentence: SENTENCES[screen] ?? '',
    event: event(state, screen),
  };
}
