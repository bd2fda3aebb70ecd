// Mistakes in what an answer offers to the payer: the amount, the code, the address to go on at.

import { type Finding, finding } from '../../shared/finding.ts';
import { watchPolicy } from '../../shared/load-diagnosis.ts';
import type { Exchange } from '../exchange.ts';
import { bodyOf } from '../exchange.ts';
import type { Settings } from '../settings.ts';
import type { Answer, Transaction } from './contract.ts';

/** How long a browser takes at most to tell that the policy blocked something. */
const POLICY_TOLD_MS = 100;

/** The transactions of an answer, which may lack any field. */
async function transactions(exchange: Exchange | undefined): Promise<Partial<Transaction>[]> {
  const body: Partial<Answer> | null = JSON.parse((await bodyOf(exchange)) ?? 'null');
  return body?.transaction ? [body.transaction] : (body?.operation?.transactions ?? []);
}

export async function findAmount({ amount, currency }: Settings, exchange: Exchange | undefined): Promise<Finding> {
  const [transaction] = await transactions(exchange);
  const authorized = transaction ? `${transaction.amount} ${transaction.currency}` : 'another amount';
  return finding(
    'amount-mismatch',
    `the page says ${amount} ${currency}, and the server authorized ${authorized} (whole cents). No code is shown. Take amount and currency of the page from your server's order`,
  );
}

/** A picture in an address of the kind that codes come in. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

/** True if the policy of the page blocks pictures in such addresses. */
async function blocksPictures() {
  const blocked = watchPolicy();
  await new Promise((settled) => Object.assign(new Image(), { src: PIXEL, onload: settled, onerror: settled }));
  // The browser tells it in a task of its own.
  await new Promise((resolve) => setTimeout(resolve, POLICY_TOLD_MS));
  return /^img|^default/.test(blocked());
}

export async function findPicture(exchange: Exchange | undefined): Promise<Finding> {
  if (await blocksPictures()) {
    return finding(
      'policy',
      'the policy of the page blocks the picture of the code, which is a data: address: it lacks img-src data:. Add it',
    );
  }
  const [transaction] = await transactions(exchange);
  const image = transaction?.processor_response?.qr_image;
  const field = 'the field processor_response.qr_image';
  const is = !image
    ? `${field} is missing. Send it in each answer while a QR operation waits`
    : !/^data:image\/png;base64,/.test(image)
      ? `${field} does not begin with data:image/png;base64,. Send it as the service answered it`
      : `${field} is not a sound PNG. Send it as the service answered it, with the signature of a PNG, at most 512 KiB, and a size that a browser can draw`;
  return finding('qr-image', is);
}

export async function findContinueUrl({ redirectHosts }: Settings, exchange: Exchange | undefined): Promise<Finding> {
  const [transaction] = await transactions(exchange);
  return finding(
    'continue-url',
    `the field continue_url leads ${whereTo(transaction?.continue_url)}${redirectHosts ? `; redirect-hosts allows only ${redirectHosts} (hosts, without scheme and path)` : ''}. Send an https address; only a loopback host may have http`,
  );
}

/** Only the host: the rest may be a secret of the payer. */
function whereTo(url: unknown) {
  try {
    const { protocol, host } = new URL(String(url));
    return `to ${protocol}//${host}`;
  } catch {
    return 'to no address';
  }
}
