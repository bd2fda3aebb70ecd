import type { PaymentCheckout } from './element.js';
import type { CheckoutState } from './events.js';
import type { OfferedMethod } from './attributes.js';
import type { MessageKey } from './messages.js';

/** The payment service's word for each state of a test: `PENDIENTE` for `pending`. */
export const STATES: Readonly<Record<TestState, string>>;

/** `confirming` stands for a state that the server does not tell: the payer reads that the payment is being confirmed. */
export type TestState =
  | 'pending'
  | 'paid'
  | 'settled'
  | 'declined'
  | 'invalid'
  | 'cancelled'
  | 'expired'
  | 'reversed'
  | 'confirming';

/** The addresses of a server: `POST /charges`, its state, its cancellation, and the address of `live-url`. */
export type TestAddress = 'start' | 'status' | 'cancel' | 'live';

/** A problem by the last part of its `type`. */
export type TestProblem =
  | 'bad-request'
  | 'field-not-allowed'
  | 'redirect-url-not-allowed'
  | 'idempotency-key-required'
  | 'cross-site-request'
  | 'order-token-refused'
  | 'not-found'
  | 'order-paid'
  | 'payment-reversed'
  | 'operation-unconfirmed'
  | 'operation-live'
  | 'order-may-be-paid'
  | 'request-running'
  | 'cannot-cancel-now'
  | 'method-not-offered'
  | 'idempotency-key-reused'
  | 'authorization-refused'
  | 'too-many-operations'
  | 'order-closed'
  | 'code-refused'
  | 'order-changed'
  | 'too-many-requests'
  | 'internal'
  | 'shop-answer'
  | 'payment-service-unavailable'
  | 'shop-unavailable'
  | 'not-ready'
  | 'cancel-unconfirmed';

/**
 * What the server knows of the money, in the member `money` of a problem: `nothing_charged` says that this request charged
 * nothing, `unknown` that it may have begun a payment, `may_be_paid` that another operation has paid the order or may pay
 * it. The element reads a problem without the member as `unknown`.
 */
export type TestMoney = 'nothing_charged' | 'unknown' | 'may_be_paid';

/**
 * How a request ends instead of its answer: by a problem; `lost`, carried out, and the answer does not arrive;
 * `unreachable`, not carried out; `unreadable`, a page in place of JSON.
 */
export type TestFault = TestProblem | 'lost' | 'unreachable' | 'unreadable';

/** A request as every tool of interception has it. */
export interface TestRequest {
  method: string;
  url: string;
  headers?: Record<string, string | string[] | undefined> | Headers;
  /** As text, or as the value of the JSON in it. */
  body?: unknown;
}

/** An answer, as `route.fulfill` of Playwright takes it. */
export interface TestAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** An operation of an answer. Everything has a value that a test need not name. Instants are in milliseconds. */
export interface TestOperation {
  merchantCode?: string;
  merchantOperationNumber?: string;
  transactionId?: string;
  method?: OfferedMethod | (string & {});
  state?: TestState;
  /** In whole cents. */
  amount?: string;
  currency?: string;
  startedAt?: number;
  changedAt?: number;
  expiresAt?: number;
  /** Where the payer continues, at a lender or a bank. */
  continueUrl?: string;
  redirectUrl?: string;
  /** A free text about the state. */
  reason?: string;
  /** What the processor of the method added, in place of a sample. */
  processorResponse?: Record<string, unknown>;
}

/** A method that an order cannot be paid by, and why. */
export interface TestRefusedMethod {
  method: string;
  /**
   * The order's amount is beyond a limit of the method; the method is not paid in the order's currency; the order leaves it out;
   * the server does not have it.
   */
  reason: 'below-least' | 'above-most' | 'currency' | 'order' | 'setting';
  /** The limits of the method in the order's currency, in whole cents. */
  least: string | null;
  most: string | null;
}

/** What an order can be paid by. */
export interface TestOffer {
  currency: string;
  methods: readonly OfferedMethod[];
  notOffered: readonly TestRefusedMethod[];
}

/** What the headers of a status answer say. */
export interface TestStatusFacts {
  /** How old the state is, in seconds, because the payment service does not answer. */
  age?: number | undefined;
  /** Whether the request was held. */
  held?: boolean | undefined;
  /** Beside a payment that was given back: whether the order may be paid again. */
  orderState?: 'open' | 'paid' | undefined;
  /** Beside a cancelled operation: why it ended. */
  end?: 'replaced' | 'payer' | 'staff' | undefined;
  /** The tag that the request named: the same answer is 304. */
  known?: string | undefined;
}

/** The answer to `POST /charges` where a payment begins. */
export function started(operation: TestOperation): TestAnswer;
/** The answer of the status address, and of `live-url`. */
export function status(operation: TestOperation, facts?: TestStatusFacts): TestAnswer;
/** The answer to `DELETE /charges/…`. */
export function cancelled(operation: TestOperation): TestAnswer;
/** The answer of `live-url` where the order has no operation, and can be paid by every method of the server. */
export function nothing(): TestAnswer;
/** The answer of `live-url` where the order has no operation, and cannot be paid by some of the server's methods. */
export function offer(offer: TestOffer): TestAnswer;
/** A problem; `members` are added to its body, or replace some of it, such as `money`. */
export function problem(
  name: TestProblem,
  operation?: TestOperation,
  members?: Record<string, unknown> & { money?: TestMoney | undefined },
): TestAnswer;

export interface TestServerOptions {
  /** As the attribute `base-url`: `/api`, or an address on another origin. */
  baseUrl?: string;
  /** The price of the order, in whole cents: `'12990'`. */
  amount?: string;
  /** `PEN`. */
  currency?: string;
  merchantCode?: string;
  /** The methods that the server has: `['QR', 'INSTALLMENT']`. */
  methods?: readonly OfferedMethod[];
  /** The methods of them that the order can be paid by, where it narrows them: all of them. */
  orderMethods?: readonly OfferedMethod[];
  /**
   * What a method takes at least and at most, in whole cents, by currency as it is written in `currency`:
   * `{ QR: { PEN: { least: 600, most: 50000 } } }`. A method that is named here is paid in no other currency, and one that is not
   * has no limits.
   */
  limits?: { readonly [Method in OfferedMethod]?: Readonly<Record<string, { least?: number | string; most?: number | string }>> };
  /** How many seconds a code is valid: 900. */
  expiresIn?: number;
  /** Where the payer continues at a lender or a bank. */
  continueUrl?: string;
  /** Whether questions with `Prefer: wait` are held until something changes. Without, the element asks every two seconds. */
  holds?: boolean;
  /** The server's clock, in milliseconds since 1970. `Date` of its answers has it, by which the element counts down. */
  now?: () => number;
}

/** A merchant's server with one order, in memory. */
export class TestServer {
  constructor(options?: TestServerOptions);
  /** The operations of the order, the oldest first. */
  readonly operations: readonly TestOperation[];
  /** The newest operation. */
  readonly operation: TestOperation | undefined;
  /** Every request so far. */
  readonly requests: readonly { address: TestAddress; method: string; path: string; headers: Record<string, string>; body: string }[];
  /** Whether a request is for one of the element's addresses, before its body is read. */
  takes(request: Pick<TestRequest, 'method' | 'url'>): boolean;
  /**
   * The answer to a request. `null`: end the connection without an answer. `undefined`: the request is for another address of
   * your page; let it pass.
   */
  handle(request: TestRequest): Promise<TestAnswer | null | undefined>;
  /** Begins an operation as another tab or an earlier visit did. */
  begins(method?: OfferedMethod): TestOperation;
  /** An operation is in another state now: the newest one, or that of a number. Throws where that never happens. */
  becomes(state: TestState, which?: { number?: string; reason?: string }): void;
  /** The next request to an address, or the next `times` (`Infinity`: every one), ends so. Throws where the contract does not have it. */
  fails(address: TestAddress, fault: TestFault, options?: { times?: number }): void;
  /** Requests to an address wait until the returned function is called. */
  pauses(address: TestAddress): () => void;
  /** Answers what is held, and holds nothing any more. */
  close(): void;
}

/** A key of one of the element's texts, the whole name of a button or link, or a pattern for it. */
export type DriverPress = MessageKey | RegExp | (string & {});

export interface DriverOptions {
  /** How many milliseconds to wait for a state or a button: 10000. */
  timeout?: number;
}

export interface OutcomeOnScreen {
  state: CheckoutState;
  /** Whether the server answered an end. */
  isFinal: boolean;
  heading: string;
  /** As the screen shows it, with its currency: `S/ 129.90`. */
  amount: string;
  /** The operation's number, without blanks, also where the screen has it behind a press. */
  number: string;
}

/** Drives `<payment-checkout>` as a payer does, by the roles and names of what is on the screen. */
export class CheckoutDriver {
  constructor(element: PaymentCheckout, options?: DriverOptions);
  readonly element: PaymentCheckout;
  readonly state: CheckoutState;
  /** The heading of the screen as it is seen, or that of the question that stands over it. */
  readonly heading: string;
  /** The names of the buttons and links that can be pressed. */
  readonly choices: string[];
  /** The picture of the QR code. */
  readonly qr: string | undefined;
  readonly outcome: OutcomeOnScreen;
  /** Waits for one of these states. */
  reaches(...states: CheckoutState[]): Promise<OutcomeOnScreen>;
  press(name: DriverPress): Promise<void>;
  /** Chooses a method on offer. */
  choose(method: OfferedMethod): Promise<void>;
  /** Cancels the operation that waits, and confirms it. */
  cancel(): Promise<void>;
  /** Leaves the operation that waits for another method, and confirms it. */
  payAnotherWay(): Promise<void>;
  /** Tries again, or asks for a new code. */
  retry(): Promise<void>;
}
