// Generated from payment-model; do not edit.
//
// The bodies as they are written. A field that may be absent or null is marked so; fields and
// words that the payment service adds later are to be expected everywhere.

/**
 * An amount of money as the text it came with. Requests carry whole cents (`"387000"` is
 * 3,870.00); the unit of amounts in answers is not shown by the specification.
 */
export type Amount = string;

/**
 * A currency as the text it came with: ISO 4217 alphabetic (`PEN`) or numeric (`604`). The
 * format of currency codes is not shown by the specification.
 */
export type Currency = string;

/**
 * The merchant's code at the payment service (`merchant_code`).
 */
export type MerchantCode = string;

/**
 * The merchant's own identifier of one attempt to pay (`merchant_operation_number`);
 * different for every transaction (Limits).
 */
export type MerchantOperationNumber = string;

/**
 * The service's identifier of a refund (`refund_id`).
 */
export type RefundId = string;

/**
 * The service's identifier of a transaction (`transaction_id`).
 */
export type TransactionId = string;

/**
 * Unix time in seconds (Shared objects, `date`): a whole number, or a decimal one in
 * cash-code answers. A whole number is written without a fraction, however it came.
 */
export type UnixTime = number;

/**
 * The state of a transaction, and of the operation around it (States and transitions).
 */
export type TransactionState = 'REGISTRADO' | 'PENDIENTE' | 'INVALIDO' | 'AUTORIZADO' | 'DENEGADO' | 'CANCELADO' | 'EXPIRADO' | 'LIQUIDADO' | 'EXTORNADO' | (string & {});

/**
 * The state of a refund (Refund operation).
 */
export type RefundState = 'REGISTERED' | 'IN_PROCESS' | 'RESOLVED' | 'REJECTED' | (string & {});

/**
 * The kind of a refund (`type`): it gives back all of a transaction or a part.
 */
export type RefundType = 'TOTAL' | 'PARTIAL' | (string & {});

/**
 * A payment method (`method_name`, and `payment_method.name` of refunds).
 */
export type PaymentMethodName = 'QR' | 'INSTALLMENT' | 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET' | (string & {});

/**
 * How a payment ended, in the words that payers and pages are told.
 */
export type Outcome = "paid" | "declined" | "invalid" | "cancelled" | "expired" | "reversed";

/**
 * The `action` of `POST /charges`: `authorize`.
 */
export type AuthorizeAction = 'authorize';

/**
 * The `action` in the answer of `POST /refund`: `refund`.
 */
export type RefundAction = 'refund';

/**
 * The `channel` of a request: `ecommerce`.
 */
export type Channel = 'ecommerce';

/**
 * An instant as the service writes it (Shared objects, `date`); both fields may be absent.
 */
export interface DateObject {
    /**
     * UTC, `2024-02-07T17:19:27`, with or without fractional seconds and a `Z` or `+00:00`.
     */
    utc_time?: string | null;
    /**
     * Seconds since 1970.
     */
    unix_time?: UnixTime | null;
}

/**
 * The technical result of a request (Shared objects, `meta`); it never says whether a
 * payment was made.
 */
export interface Meta {
    /**
     * Code and messages.
     */
    status: Status;
}

/**
 * The status inside `meta` (Shared objects).
 */
export interface Status {
    /**
     * `00` for success; other values are not shown by the specification.
     */
    code: string;
    /**
     * The message in some languages.
     */
    message_ilgn: LocalizedMessage[];
}

/**
 * A text in one language (Shared objects, `meta.status.message_ilgn`).
 */
export interface LocalizedMessage {
    /**
     * The locale, as in `es_PE`.
     */
    locale: string;
    /**
     * The text.
     */
    value: string;
}

/**
 * Somebody in a request: the blocks `billing`, `shipping` and `customer` (Shared objects).
 * Which parts are required is not shown, so each may be absent.
 */
export interface Person {
    /**
     * Given name.
     */
    first_name?: string | null;
    /**
     * Family name.
     */
    last_name?: string | null;
    /**
     * E-mail address.
     */
    email?: string | null;
    /**
     * Telephone.
     */
    phone?: Phone | null;
    /**
     * Address.
     */
    location?: Location | null;
}

/**
 * A telephone number (Shared objects, person block).
 */
export interface Phone {
    /**
     * Country calling code, as text.
     */
    country_code?: string | null;
    /**
     * The number within the country.
     */
    subscriber?: string | null;
}

/**
 * A postal address (Shared objects, person block).
 */
export interface Location {
    /**
     * Street and number.
     */
    line_1?: string | null;
    /**
     * Flat, floor and the like.
     */
    line_2?: string | null;
    /**
     * City.
     */
    city?: string | null;
    /**
     * State, department or province.
     */
    state?: string | null;
    /**
     * Country; its format is not shown.
     */
    country?: string | null;
}

/**
 * One attempt to pay, with its transactions (Operation; returned by query and
 * cancellation).
 */
export interface Operation {
    /**
     * The merchant's identifier.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The operation's state. A payment is judged by its transaction's state instead.
     */
    state: TransactionState;
    /**
     * When it was registered; present in some answers.
     */
    created_at?: DateObject | null;
    /**
     * The amount; its unit in answers is not shown.
     */
    amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * The transactions; a query answers with the one that was asked for.
     */
    transactions: Transaction[];
}

/**
 * One movement of money within an operation (Transaction).
 */
export interface Transaction {
    /**
     * The service's identifier, unique.
     */
    transaction_id: TransactionId;
    /**
     * `ecommerce` is expected.
     */
    channel: string;
    /**
     * The state, which alone says whether it is paid.
     */
    state: TransactionState;
    /**
     * A free text about the state.
     */
    state_reason: string;
    /**
     * The amount; its unit in answers is not shown (requests carry cents).
     */
    amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * The method and what was sent with it.
     */
    payment_method: PaymentMethod;
    /**
     * The address at which the payer continues, while pending in a redirect flow. It comes from
     * outside, so check it before anybody is led there.
     */
    continue_url?: string | null;
    /**
     * Until when it can be paid, while pending; null afterwards.
     */
    expiration_date?: DateObject | null;
    /**
     * The processor's own members, by method; null while pending in redirect flows.
     */
    processor_response?: ProcessorResponse | null;
    /**
     * Data sent in the request.
     */
    additional_fields?: Record<string, unknown> | null;
    /**
     * The states it went through, oldest first.
     */
    lifecycle: LifecycleEntry[];
}

/**
 * A state and when it was entered (Transaction, `lifecycle`).
 */
export interface LifecycleEntry {
    /**
     * The state entered.
     */
    state: TransactionState;
    /**
     * When.
     */
    date: DateObject;
}

/**
 * The method of a transaction (Transaction, `payment_method`).
 */
export interface PaymentMethod {
    /**
     * The method's name.
     */
    method_name: PaymentMethodName;
    /**
     * The details that were sent with it, echoed; read from `method_details` or `method_detail`.
     */
    method_details?: MethodDetails | null;
}

/**
 * The details of a method, with whatever keys they have (Transaction,
 * `payment_method.method_details`).
 */
export type MethodDetails = { redirect_url?: string | null; callback_url?: string | null; [key: string]: unknown };

/**
 * The object that the processor of a method added (Transaction, `processor_response` by method).
 * It is referential: nothing in it says that a payment was made.
 */
export type ProcessorResponse = QrResponse | InstallmentResponse | CashCodeResponse | BankTransferResponse | Record<string, unknown>;

/**
 * The `processor_response` of method `QR`, in the authorization response.
 */
export interface QrResponse {
    /**
     * When the code was made, as the processor writes it.
     */
    date?: string | null;
    /**
     * The code as a PNG data URI.
     */
    qr_image?: string | null;
    /**
     * The code's identifier.
     */
    qr_id?: string | null;
    /**
     * The processor's result.
     */
    result_message?: ResultMessage | null;
}

/**
 * The `processor_response` of method `INSTALLMENT`, normally when authorized or declined.
 */
export interface InstallmentResponse {
    /**
     * The lender's word on the credit.
     */
    credit_status?: string | null;
    /**
     * The lender's number.
     */
    operation_id?: string | null;
}

/**
 * The `processor_response` of method `CASHCODE`, normally when pending or authorized.
 */
export interface CashCodeResponse {
    /**
     * The code to say at the agent.
     */
    cip?: string | null;
    /**
     * A page with instructions; from outside, so to be checked before it is linked.
     */
    cip_url?: string | null;
    /**
     * When it was paid, as the processor writes it.
     */
    payment_date?: string | null;
    /**
     * The processor's number of the payment.
     */
    operationNumber?: string | null;
    /**
     * The processor's result.
     */
    result_message?: ResultMessage | null;
}

/**
 * The `processor_response` of method `BANK_TRANSFER`, normally at the end.
 */
export interface BankTransferResponse {
    /**
     * The payer's account, masked.
     */
    origin_account?: string | null;
    /**
     * The bank's number of the request.
     */
    request_id?: string | null;
    /**
     * The bank's number of the transfer.
     */
    operation_id?: string | null;
}

/**
 * A result in the words of a processor.
 */
export interface ResultMessage {
    /**
     * The processor's code; empty when it is missing.
     */
    code: string;
    /**
     * Its meaning; empty when it is missing.
     */
    description: string;
}

/**
 * A refund as the service reports it (Refund operation).
 */
export interface Refund {
    /**
     * The service's identifier.
     */
    refund_id: RefundId;
    /**
     * The state.
     */
    state: RefundState;
    /**
     * A text that explains the state.
     */
    refund_reason: string;
    /**
     * All of the transaction or a part.
     */
    type: RefundType;
    /**
     * The operation's number.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The transaction, resolved by the service even when the request sent null.
     */
    transaction_id: TransactionId;
    /**
     * The amount given back; its unit in answers is not shown.
     */
    refund_amount: Amount;
    /**
     * The amount of the refunded transaction; its unit in answers is not shown.
     */
    transaction_amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * Echo of the request.
     */
    additional_fields?: Record<string, unknown> | null;
    /**
     * How it had been paid.
     */
    payment_method: RefundMethod;
    /**
     * The states it went through, oldest first.
     */
    lifecycle: RefundLifecycleEntry[];
}

/**
 * How a refunded transaction had been paid (Refund operation, `payment_method`). Parts that
 * a method does not have are empty.
 */
export interface RefundMethod {
    /**
     * The method.
     */
    name: PaymentMethodName;
    /**
     * The brand of a card.
     */
    brand: string;
    /**
     * The masked number of a card.
     */
    masked_pan: string;
}

/**
 * A state and when a refund entered it (Refund operation, `lifecycle`).
 */
export interface RefundLifecycleEntry {
    /**
     * The state entered.
     */
    state: RefundState;
    /**
     * When.
     */
    date: DateObject;
}

/**
 * The body of `POST /charges`.
 */
export interface AuthorizeRequest {
    /**
     * Always `authorize`.
     */
    action: AuthorizeAction;
    /**
     * Always `ecommerce`.
     */
    channel: Channel;
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The operation's number, never used before.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The method and its details.
     */
    payment_method: AuthorizeMethod;
    /**
     * The amount, the persons and the goods.
     */
    payment_details: PaymentDetails;
}

/**
 * The method to pay by, with the details that the specification shows for it
 * (`POST /charges`, `payment_method`).
 */
export type AuthorizeMethod = { method_name: 'QR'; method_details: { callback_url?: string | null } } | { method_name: 'INSTALLMENT'; method_details: { redirect_url: string; callback_url?: string | null } } | { method_name: 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET'; method_details: Record<string, unknown> };

/**
 * The amount, the persons and the goods of a payment (`POST /charges`, `payment_details`).
 */
export interface PaymentDetails {
    /**
     * The amount in whole cents.
     */
    amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * The person who is billed.
     */
    billing: Person;
    /**
     * The person who receives the goods.
     */
    shipping: Person;
    /**
     * The person who buys.
     */
    customer: Person;
    /**
     * The goods; the items' shape is not shown.
     */
    product_details: unknown[];
}

/**
 * The answer of `POST /charges`; never final, whatever it says.
 */
export interface AuthorizeResponse {
    /**
     * Technical result of the request, as text on the wire.
     */
    success: 'true' | 'false';
    /**
     * `authorize`.
     */
    action: AuthorizeAction;
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The operation's number.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The transaction that was registered.
     */
    transaction: Transaction;
    /**
     * Technical result.
     */
    meta: Meta;
}

/**
 * The answer of `GET /charges/{merchant_code}/{merchant_operation_number}/{transaction_id}`.
 */
export interface QueryResponse {
    /**
     * Technical result of the request.
     */
    success: boolean;
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The operation, with the transaction that was asked for.
     */
    operation: Operation;
    /**
     * Technical result.
     */
    meta: Meta;
}

/**
 * The answer of `DELETE /charges/{merchant_code}/{merchant_operation_number}`.
 */
export interface CancelResponse {
    /**
     * Technical result of the request.
     */
    success: boolean;
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The operation's number; optional.
     */
    merchant_operation_number?: MerchantOperationNumber | null;
    /**
     * The operation as it is after the request.
     */
    operation: Operation;
    /**
     * Technical result.
     */
    meta: Meta;
}

/**
 * The body of `POST /refund`.
 */
export interface RefundRequest {
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The refunds to make, one in each item.
     */
    operations: RefundItem[];
}

/**
 * One refund that is asked for (`operations[]` of the request).
 */
export interface RefundItem {
    /**
     * All of the transaction or a part.
     */
    type: 'TOTAL' | 'PARTIAL';
    /**
     * The operation's number.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The transaction; null lets the service find it.
     */
    transaction_id?: TransactionId | null;
    /**
     * The amount to give back, in whole cents.
     */
    refund_amount: Amount;
    /**
     * Any keys; the service echoes them.
     */
    additional_fields?: Record<string, unknown> | null;
}

/**
 * The answer of `POST /refund`: the requests were registered, no money has moved yet.
 */
export interface RefundResponse {
    /**
     * Technical result of the request, as text on the wire.
     */
    success: 'true' | 'false';
    /**
     * `refund`.
     */
    action: RefundAction;
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * The refunds, one for each item of the request.
     */
    operations: Refund[];
    /**
     * Technical result.
     */
    meta: Meta;
}

/**
 * The answer of `GET /refund/{merchant_code}/{merchant_operation_number}`.
 */
export interface RefundQueryResponse {
    /**
     * Technical result of the request, as text on the wire.
     */
    success: 'true' | 'false';
    /**
     * The merchant's code at the service.
     */
    merchant_code: MerchantCode;
    /**
     * How many refunds follow, as text.
     */
    operations_count: string;
    /**
     * Every refund of the operation.
     */
    operations: Refund[];
    /**
     * Technical result.
     */
    meta: Meta;
}
