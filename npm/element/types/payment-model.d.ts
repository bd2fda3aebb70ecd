// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

// The bodies as they are written. A field that may be absent or null is marked so; fields and
// words that the payment service adds later are to be expected everywhere.

/**
 * An amount as the unchanged text of a request or an answer.
 */
export type Amount = string;

/**
 * A currency as the unchanged text of a request or an answer. The specification does not define its format:
 * an alphabetic (`PEN`) or a numeric code (`604`) of ISO 4217 is expected.
 */
export type Currency = string;

/**
 * The merchant's code at the payment service (`merchant_code`).
 */
export type MerchantCode = string;

/**
 * The merchant's own identifier of one attempt to pay (`merchant_operation_number`). It must be
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
 * Unix time in seconds (Shared objects, `date`), which has a fraction in cash-code answers. A whole number
 * is always serialized without a fraction.
 */
export type UnixTime = number;

/**
 * The state of a transaction and of its operation (States and transitions).
 */
export type TransactionState = 'REGISTRADO' | 'PENDIENTE' | 'INVALIDO' | 'AUTORIZADO' | 'DENEGADO' | 'CANCELADO' | 'EXPIRADO' | 'LIQUIDADO' | 'EXTORNADO' | (string & {});

/**
 * The state of a refund (Refund operation).
 */
export type RefundState = 'REGISTERED' | 'IN_PROCESS' | 'RESOLVED' | 'REJECTED' | (string & {});

/**
 * The kind of a refund (`type`): of the whole transaction or of a part.
 */
export type RefundType = 'TOTAL' | 'PARTIAL' | (string & {});

/**
 * The name of a payment method (`method_name`, and `payment_method.name` of refunds).
 */
export type PaymentMethodName = 'QR' | 'INSTALLMENT' | 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET' | (string & {});

/**
 * The result of a payment, as pages and payers see it.
 */
export type Outcome = "paid" | "declined" | "invalid" | "cancelled" | "expired" | "reversed";

/**
 * The `action` of `POST /charges`, which is always `authorize`.
 */
export type AuthorizeAction = 'authorize';

/**
 * The `action` in the answer of `POST /refund`, which is always `refund`.
 */
export type RefundAction = 'refund';

/**
 * The `channel` of `POST /charges`, which is always `ecommerce`.
 */
export type Channel = 'ecommerce';

/**
 * An instant in the two forms of the service (Shared objects, `date`). Both fields may be absent.
 */
export interface DateObject {
    /**
     * In UTC: `2024-02-07T17:19:27`, with or without fractional seconds and with or without `Z` or
     * `+00:00`.
     */
    utc_time?: string | null;
    /**
     * Seconds since 1970.
     */
    unix_time?: UnixTime | null;
}

/**
 * The technical result of a request (Shared objects, `meta`). It never proves a payment.
 */
export interface Meta {
    /**
     * The code and the messages.
     */
    status: Status;
}

/**
 * The status inside `meta` (Shared objects).
 */
export interface Status {
    /**
     * `00` for success. The specification shows no other values.
     */
    code: string;
    /**
     * The message in one or more languages.
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
 * A person in a request: `billing`, `shipping` or `customer` (Shared objects). The specification does not
 * show which fields are required, so all are optional.
 */
export interface Person {
    /**
     * The given name.
     */
    first_name?: string | null;
    /**
     * The family name.
     */
    last_name?: string | null;
    /**
     * The e-mail address.
     */
    email?: string | null;
    /**
     * The telephone number.
     */
    phone?: Phone | null;
    /**
     * The postal address.
     */
    location?: Location | null;
}

/**
 * A telephone number (Shared objects, person block).
 */
export interface Phone {
    /**
     * The country calling code, as text.
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
     * The street and the number.
     */
    line_1?: string | null;
    /**
     * Further lines, such as the flat and the floor.
     */
    line_2?: string | null;
    /**
     * The city.
     */
    city?: string | null;
    /**
     * The state, department or province.
     */
    state?: string | null;
    /**
     * The country. The specification does not define its format.
     */
    country?: string | null;
}

/**
 * An attempt to pay with its transactions, in the answers to a query and a cancellation (Operation).
 */
export interface Operation {
    /**
     * The merchant's identifier.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The operation's state. Whether it is paid is decided by the state of the transaction.
     */
    state: TransactionState;
    /**
     * The time of the registration, in some answers.
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
     * The transactions. The answer to a query has the queried one.
     */
    transactions: Transaction[];
}

/**
 * A movement of money within an operation (Transaction).
 */
export interface Transaction {
    /**
     * The service's unique identifier.
     */
    transaction_id: TransactionId;
    /**
     * Expected to be `ecommerce`.
     */
    channel: string;
    /**
     * The state. No other field proves a payment.
     */
    state: TransactionState;
    /**
     * A free text about the state.
     */
    state_reason: string;
    /**
     * The amount. The specification does not define its unit in answers; requests have cents.
     */
    amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * The method with its details.
     */
    payment_method: PaymentMethod;
    /**
     * The address at which the payer continues, while pending in a redirect flow. It is untrusted input:
     * check it before you lead a payer there.
     */
    continue_url?: string | null;
    /**
     * The deadline for the payer, while pending; null afterwards.
     */
    expiration_date?: DateObject | null;
    /**
     * The processor's own data, whose form depends on the method; null while pending in redirect flows.
     */
    processor_response?: ProcessorResponse | null;
    /**
     * The additional fields of the request.
     */
    additional_fields?: Record<string, unknown> | null;
    /**
     * The previous states and the current one, oldest first.
     */
    lifecycle: LifecycleEntry[];
}

/**
 * A state with the time at which a transaction entered it (Transaction, `lifecycle`).
 */
export interface LifecycleEntry {
    /**
     * The state.
     */
    state: TransactionState;
    /**
     * The time at which it was entered.
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
     * The details of the request, from `method_details` or `method_detail`.
     */
    method_details?: MethodDetails | null;
}

/**
 * The details of a method, with any keys (Transaction, `payment_method.method_details`).
 */
export type MethodDetails = { redirect_url?: string | null; callback_url?: string | null; [key: string]: unknown };

/**
 * The data that the processor of a method added (Transaction, `processor_response` by method). It never
 * proves a payment.
 */
export type ProcessorResponse = QrResponse | InstallmentResponse | CashCodeResponse | BankTransferResponse | Record<string, unknown>;

/**
 * The `processor_response` of method `QR`, in the authorization response.
 */
export interface QrResponse {
    /**
     * The time at which the code was created, in the processor's own format.
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
     * The lender's own status of the credit.
     */
    credit_status?: string | null;
    /**
     * The lender's number of the operation.
     */
    operation_id?: string | null;
}

/**
 * The `processor_response` of method `CASHCODE`, normally when pending or authorized.
 */
export interface CashCodeResponse {
    /**
     * The code that the payer gives to the agent.
     */
    cip?: string | null;
    /**
     * The address of a page with instructions. It is untrusted input: check it before you link it.
     */
    cip_url?: string | null;
    /**
     * The time of the payment, in the processor's own format.
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
     * The masked number of the payer's account.
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
 * A processor's own result code, with its description.
 */
export interface ResultMessage {
    /**
     * The processor's code; empty if it is missing.
     */
    code: string;
    /**
     * The meaning of the code; empty if it is missing.
     */
    description: string;
}

/**
 * A refund as the service reports it (Refund operation). A text that is missing, null or of another form is
 * empty, and another form of the additional fields is kept under the empty name.
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
     * A text for people that explains the state.
     */
    refund_reason: string;
    /**
     * Whether the whole transaction or a part is refunded.
     */
    type: RefundType;
    /**
     * The operation's number.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The transaction, even if the request had null.
     */
    transaction_id: TransactionId;
    /**
     * The amount to give back. The specification does not define its unit in answers.
     */
    refund_amount: Amount;
    /**
     * The amount of the refunded transaction. The specification does not define its unit in answers.
     */
    transaction_amount: Amount;
    /**
     * The currency.
     */
    currency: Currency;
    /**
     * The additional fields of the request.
     */
    additional_fields?: Record<string, unknown> | null;
    /**
     * How the transaction was paid.
     */
    payment_method: RefundMethod;
    /**
     * The previous states and the current one, oldest first.
     */
    lifecycle: RefundLifecycleEntry[];
}

/**
 * How a refunded transaction was paid (Refund operation, `payment_method`). Fields that do not apply to
 * the method are empty.
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
 * A state with the time at which a refund entered it (Refund operation, `lifecycle`).
 */
export interface RefundLifecycleEntry {
    /**
     * The state.
     */
    state: RefundState;
    /**
     * The time at which it was entered.
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
     * The operation's number, which must never have been used before.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The method and its details.
     */
    payment_method: AuthorizeMethod;
    /**
     * The amount, the persons and the products.
     */
    payment_details: PaymentDetails;
}

/**
 * The payment method of a request, with the details that the specification shows for it (`POST /charges`,
 * `payment_method`).
 */
export type AuthorizeMethod = { method_name: 'QR'; method_details: { callback_url?: string | null } } | { method_name: 'INSTALLMENT'; method_details: { redirect_url: string; callback_url?: string | null } } | { method_name: 'CASHCODE' | 'BANK_TRANSFER' | 'CARD' | 'WALLET'; method_details: Record<string, unknown> };

/**
 * The amount, the persons and the products of a payment (`POST /charges`, `payment_details`).
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
     * The person who receives the products.
     */
    shipping: Person;
    /**
     * The person who buys.
     */
    customer: Person;
    /**
     * The products. The specification does not show the form of the items.
     */
    product_details: unknown[];
}

/**
 * The answer of `POST /charges`. It is never a final result.
 */
export interface AuthorizeResponse {
    /**
     * Technical result of the request, as text on the wire.
     */
    success: 'true' | 'false';
    /**
     * Expected to be `authorize`.
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
     * The operation, with the queried transaction.
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
     * The operation's number, in some answers.
     */
    merchant_operation_number?: MerchantOperationNumber | null;
    /**
     * The operation after the cancellation.
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
     * The requested refunds.
     */
    operations: RefundItem[];
}

/**
 * An item of a refund request (`operations[]`).
 */
export interface RefundItem {
    /**
     * Whether the whole transaction or a part is refunded.
     */
    type: 'TOTAL' | 'PARTIAL';
    /**
     * The operation's number.
     */
    merchant_operation_number: MerchantOperationNumber;
    /**
     * The transaction. With null, the service finds it by the operation's number.
     */
    transaction_id?: TransactionId | null;
    /**
     * The amount to give back, in whole cents.
     */
    refund_amount: Amount;
    /**
     * Any data, which the service repeats in its answers.
     */
    additional_fields?: Record<string, unknown> | null;
}

/**
 * The answer of `POST /refund`: the refunds were registered, but no money has moved yet.
 */
export interface RefundResponse {
    /**
     * Technical result of the request, as text on the wire.
     */
    success: 'true' | 'false';
    /**
     * Expected to be `refund`. Any other word is accepted too, since an unreadable answer would leave the
     * refund in doubt.
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
     * The number of refunds, as text.
     */
    operations_count: string;
    /**
     * All refunds of the operation.
     */
    operations: Refund[];
    /**
     * Technical result.
     */
    meta: Meta;
}
