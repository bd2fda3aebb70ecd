// What the shop asks the payment server, and what it has it do: docs/server.md, "Programs of your shop".

/** An order as the payment server knows it; it has more than this shop reads. */
export interface ServerOrder {
  order_id: string;
  amount: string;
  currency: string;
  outcome: 'paid' | 'unconfirmed' | 'waiting' | 'reversed' | 'unpaid';
  closed: boolean;
  payment_may_come: boolean;
}

/** `paid` gives nothing back, and closes the order like the others. */
export interface ClosedOrder {
  result: 'closed' | 'closing' | 'paid';
}

export interface ServerRefund {
  refund_id: string;
  way: 'refund' | 'reversal';
  amount: string;
  state: 'made' | 'pending' | 'unknown' | 'refused' | 'released';
  detail: string;
}

/** The body of a refusal (RFC 9457). */
interface Problem {
  type?: string;
  detail?: string;
}

/** The payment server's refusal. It is certain: nothing was done. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    /** The last part of the problem's `type`, such as `return-by-hand`. */
    readonly word: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The payment server did not say what it did. The same request, with the same key, finds out. */
export class Unanswered extends Error {}

/** Longer than the payment server waits for the payment service. */
const PATIENCE_MS = 60_000;

export class PaymentServer {
  constructor(
    /** Its PUBLIC_URL, such as `https://shop.example/api`. */
    readonly address: string,
    private readonly apiKey: string,
  ) {}

  order(id: string): Promise<ServerOrder> {
    return this.call('GET', `/orders/${encodeURIComponent(id)}`);
  }

  /** No attempt to pay the order begins any more, and its code ends. */
  close(id: string): Promise<ClosedOrder> {
    return this.call('POST', `/orders/${encodeURIComponent(id)}/cancel`);
  }

  /** Gives an amount back, or all that is left. The same key never gives back twice. */
  giveBack(key: string, orderId: string, amount: number | 'all'): Promise<ServerRefund> {
    return this.call('POST', '/refunds', { order_id: orderId, amount }, key);
  }

  refund(id: string): Promise<ServerRefund> {
    return this.call('GET', `/refunds/${encodeURIComponent(id)}`);
  }

  private async call<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.apiKey}` };
    if (body) headers['Content-Type'] = 'application/json';
    if (key) headers['Idempotency-Key'] = `"${key}"`;
    let answer: Response;
    let told: T & Problem;
    try {
      answer = await fetch(`${this.address}/shop${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      told = (await answer.json()) as T & Problem;
    } catch (cause) {
      throw new Unanswered(`the payment server gave no answer to ${method} ${path}`, { cause });
    }
    if (answer.ok) return told;
    const word = told.type?.split(':').at(-1) ?? '';
    const detail = told.detail ?? `The payment server answered ${answer.status}.`;
    // A time to come back says that the same request may do it later, and so does every failure of a server.
    if (answer.status >= 500 || answer.headers.has('Retry-After')) throw new Unanswered(detail);
    throw new Refusal(answer.status, word, detail);
  }
}
