// Printed by `cargo xtask print` from the Rust that declares it; do not edit.

import type {
  OperationPath,
  OperationsErrorDetail,
  OperationsLocale,
  OperationsOpenedDetail,
  OperationsPermissions,
} from './element.js';

/** The attributes of `<payment-operations>`, each with the type of its value. */
export interface OperationsAttributeValues {
  /** The staff's addresses of your server, on the page's own origin: they answer no other one. If absent: an error. */
  'base-url': string;
  /** The language, with Spanish in place of any other: `es-PE`, `en`. If absent: the nearest `lang`. */
  locale: OperationsLocale;
  /** The operation on the screen, as in `100000001/482193017756`. The element keeps it up to date; set it to open one, also before the sign-in, and remove it to go back. If absent: the list. */
  operation: OperationPath;
  /** The permissions that the page uses, with spaces between: `cancel` (which also releases blocked orders), `refund`, `link` (payment links); empty for none. It can only remove permissions; your server decides. If absent: all permissions of the account. */
  permissions: OperationsPermissions;
}

/** The properties and methods of `<payment-operations>`. */
export interface OperationsMembers {
  /** The staff's addresses of your server, on the page's own origin: they answer no other one. */
  baseUrl: string | null;
  /** The language, with Spanish in place of any other: `es-PE`, `en`. */
  locale: OperationsLocale | null;
  /** The operation on the screen, as in `100000001/482193017756`. The element keeps it up to date; set it to open one, also before the sign-in, and remove it to go back. */
  operation: OperationPath | null;
  /** The permissions that the page uses, with spaces between: `cancel` (which also releases blocked orders), `refund`, `link` (payment links); empty for none. It can only remove permissions; your server decides. */
  permissions: OperationsPermissions | null;
}

/** The events of `<payment-operations>`. All bubble, and cross shadow roots. */
export interface OperationsEventMap {
  /** An account is signed in; the event has no name. */
  'operations-signed-in': CustomEvent<null>;
  /** The account is signed out. */
  'operations-signed-out': CustomEvent<null>;
  /** An operation is on the screen; with `null`, none is any more. */
  'operations-opened': CustomEvent<OperationsOpenedDetail | null>;
  /** The element cannot run. */
  'operations-error': CustomEvent<OperationsErrorDetail>;
}
