// Logs for a developer why the wasm of the staff's element does not run. The element loads this module only then.

import { diagnose } from '../shared/diagnosis.ts';
import { type FailedLoad, findLoad } from '../shared/load-diagnosis.ts';

export async function explainLoad(facts: FailedLoad) {
  const { code, is } = await findLoad(facts);
  diagnose('error', () => [`payment-operations: ${is} (docs/diagnostics.md#${code})`]);
}
