// Tells a developer, in the console, why the wasm of the staff's element does not run. Loaded only then.

import { diagnose } from '../shared/diagnosis.js';
import { findLoad } from '../shared/load-diagnosis.js';

/** @param {{ url: string | URL, reason: unknown }} facts */
export async function explainLoad(facts) {
  for (const { code, is } of await findLoad(facts)) {
    diagnose('error', () => [`payment-operations: ${is} (docs/diagnostics.md#${code})`]);
  }
}
