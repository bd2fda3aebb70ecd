// Mistakes in what an answer offers to the payer: the amount, the code, the address to go on at.

import type { Finding } from '../../shared/finding.ts';
import type { Exchange } from '../exchange.ts';
import { bodyOf } from '../exchange.ts';
import type { Settings } from '../settings.ts';
import type { Answer, Transaction } from './contract.ts';

/** The transactions of an answer, which may lack any field. */
async function transactions(exchange: Exchange | undefined): Promise<Partial<Transaction>[]> {
  const body: Partial<Answer> | null = JSON.parse((await bodyOf(exchange)) ?? 'null');
  return body?.transaction ? [body.transaction] : (body?.operation?.transactions ?? []);
}

export async function findAmount({ amount, currency }: Settings, exchange: Exchange | undefined): Promise<Finding[]> {
  const [transaction] = await transactions(exchange);
  const authorized = transaction ? `${transaction.amount} ${transaction.currency}` : 'another amount';
  return [
    {
      code: 'amount-mismatch',
      is: `the page says ${amount} ${currency}, and the server authorized ${authorized} (whole cents). No code is shown. Take amount and currency of the page from your server's order`,
    },
  ];
}

export async function findPicture(exchange: Exchange | undefined): Promise<Finding[]> {
  const [transaction] = await transactions(exchange);
  const image = transaction?.processor_response?.qr_image;
  const field = 'the field processor_response.qr_image';
  const is = !image
    ? `${field} is missing: a QR operation that waits carries the code in each answer`
    : !/^data:image\/png;base64,/.test(image)
      ? `${field} does not begin with data:image/png;base64,`
      : `${field} is not a sound PNG: it needs the signature of a PNG, at most 512 KiB, and a size that a browser can draw`;
  return [{ code: 'qr-image', is }];
}

export async function findContinueUrl({ redirectHosts }: Settings, exchange: Exchange | undefined): Promise<Finding[]> {
  const [transaction] = await transactions(exchange);
  return [
    {
      code: 'continue-url',
      is: `the field continue_url leads ${whereTo(transaction?.continue_url)}${redirectHosts ? `; redirect-hosts allows only ${redirectHosts} (hosts, without scheme and path)` : ''}. It has to be https, but on a loopback host`,
    },
  ];
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
