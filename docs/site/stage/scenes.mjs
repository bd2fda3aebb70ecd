// What the playground can show: how each screen comes about, and the state that the element has then.

/** @import { CheckoutDriver, TestServer } from '../../../npm/element/types/testing.js' */

/**
 * @typedef {object} Play
 * @property {TestServer} server the example answers
 * @property {CheckoutDriver} payer
 * @property {(is: boolean) => void} connect whether requests reach the server
 */

/**
 * @typedef {object} Scene
 * @property {string} name
 * @property {string} label
 * @property {string} group
 * @property {string} state of the element, at the end
 * @property {string} [shows] a part that is on the screen at the end
 * @property {string} [needs] a method that has to be on offer
 * @property {string} [note] what is not as it would be in a shop
 * @property {Partial<import('../../../npm/element/types/testing.js').TestServerOptions>} [server]
 * @property {(play: Play) => unknown} [play]
 */

/** @type {(state: import('../../../npm/element/types/testing.js').TestState) => Scene['play']} */
const endsAs = (state) => async ({ server, payer }) => {
  await payer.choose('QR');
  await payer.reaches('pending');
  server.becomes(state);
};

/** More often than any payer asks. */
const ALWAYS = { times: 1_000_000 };

const LENDER = 'There is no lender behind this example. In a shop the browser would go to the lender\'s page; here it stays, and the element shows the link.';
const BANK = 'There is no bank behind this example. In a shop the browser would go to the bank\'s page; here it stays, and the element shows the link.';

const REPEATS = 'The element repeats the request, with the same idempotency key, for up to half a minute before it gives up.';

/** @type {readonly Scene[]} */
export const SCENES = [
  { name: 'choosing', label: 'Choice of methods', group: 'Before a payment', state: 'choosing' },
  {
    name: 'preparing', label: 'The payment is being prepared', group: 'Before a payment', state: 'authorizing', needs: 'QR',
    play: async ({ server, payer }) => {
      server.pauses('start');
      await payer.choose('QR');
    },
  },
  {
    name: 'qr', label: 'QR code', group: 'Waiting for the payer', state: 'pending', needs: 'QR',
    play: ({ payer }) => payer.choose('QR'),
  },
  {
    name: 'installments', label: 'Installments', group: 'Waiting for the payer', state: 'pending', needs: 'INSTALLMENT', note: LENDER,
    play: ({ payer }) => payer.choose('INSTALLMENT'),
  },
  {
    name: 'cash', label: 'Cash code', group: 'Waiting for the payer', state: 'pending', needs: 'CASHCODE',
    play: ({ payer }) => payer.choose('CASHCODE'),
  },
  {
    name: 'transfer', label: 'Bank transfer', group: 'Waiting for the payer', state: 'pending', needs: 'BANK_TRANSFER', note: BANK,
    play: ({ payer }) => payer.choose('BANK_TRANSFER'),
  },
  {
    name: 'ask', label: 'Question before a cancellation', group: 'Waiting for the payer', state: 'pending', needs: 'QR', shows: 'confirm',
    play: async ({ payer }) => {
      await payer.choose('QR');
      await payer.press('action.cancel-label');
    },
  },
  {
    name: 'cancelling', label: 'Cancellation under way', group: 'Waiting for the payer', state: 'cancelling', needs: 'QR',
    play: async ({ server, payer }) => {
      await payer.choose('QR');
      server.pauses('cancel');
      await payer.cancel();
    },
  },
  {
    name: 'confirming', label: 'Being confirmed', group: 'Waiting for the payer', state: 'checking', needs: 'QR',
    note: 'Your server does not know the end yet. The element promises neither a success nor a failure.',
    play: endsAs('confirming'),
  },
  {
    name: 'overdue', label: 'Deadline passed, no answer yet', group: 'Waiting for the payer', state: 'overdue', needs: 'QR', 
    // The element waits a minute after the deadline before it says so.
    server: { expiresIn: -59, holds: false },
    play: ({ payer }) => payer.choose('QR'),
  },
  { name: 'paid', label: 'Paid', group: 'How it ended', state: 'paid', needs: 'QR', play: endsAs('paid') },
  { name: 'declined', label: 'Declined', group: 'How it ended', state: 'declined', needs: 'QR', play: endsAs('declined') },
  { name: 'expired', label: 'Expired', group: 'How it ended', state: 'expired', needs: 'QR', play: endsAs('expired') },
  {
    name: 'cancelled', label: 'Cancelled by the payer', group: 'How it ended', state: 'cancelled', needs: 'QR',
    play: async ({ payer }) => {
      await payer.choose('QR');
      await payer.cancel();
    },
  },
  { name: 'invalid', label: 'Not usable by the payment service', group: 'How it ended', state: 'invalid', needs: 'QR', play: endsAs('invalid') },
  {
    name: 'reversed', label: 'Paid and given back', group: 'How it ended', state: 'reversed', needs: 'QR',
    // The element asks no more after it read "paid", so both happen between two of its questions.
    play: async ({ server, payer }) => {
      await payer.choose('QR');
      await payer.reaches('pending');
      server.becomes('paid');
      server.becomes('reversed');
    },
  },
  {
    name: 'order-paid', label: 'The order is paid already', group: 'Another tab or device', state: 'paid', needs: 'QR',
    note: 'The order was paid elsewhere after this page had been opened. The payer chooses QR, and reads that nothing more is to be paid.',
    play: async ({ server, payer }) => {
      await payer.reaches('choosing');
      server.begins('QR');
      server.becomes('paid');
      await payer.choose('QR');
    },
  },
  {
    name: 'live', label: 'A code waits elsewhere', group: 'Another tab or device', state: 'choosing', needs: 'INSTALLMENT',
    note: 'A QR code waits in another tab. The payer chooses installments here, and is asked which one counts.',
    play: async ({ server, payer }) => {
      await payer.reaches('choosing');
      server.begins('QR');
      await payer.choose('INSTALLMENT');
      await payer.reaches('authorizing');
    },
  },
  {
    name: 'offline', label: 'No connection while a code waits', group: 'Faults', state: 'pending', needs: 'QR',
    play: async ({ payer, connect }) => {
      await payer.choose('QR');
      await payer.reaches('pending');
      connect(false);
    },
  },
  {
    name: 'offline-start', label: 'No connection at the press', group: 'Faults', state: 'failed', needs: 'QR', note: REPEATS,
    play: async ({ payer, connect }) => {
      await payer.reaches('choosing');
      connect(false);
      await payer.choose('QR');
    },
  },
  {
    name: 'unavailable', label: '503 at the press', group: 'Faults', state: 'failed', needs: 'QR', note: REPEATS,
    play: async ({ server, payer }) => {
      server.fails('start', 'payment-service-unavailable', ALWAYS);
      await payer.choose('QR');
    },
  },
  {
    name: 'refused', label: 'The order is closed', group: 'Faults', state: 'failed', needs: 'QR',
    play: async ({ server, payer }) => {
      server.fails('start', 'order-closed', ALWAYS);
      await payer.choose('QR');
    },
  },
];
