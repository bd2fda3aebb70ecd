// Comes first in its bundle, so that the download runs while the rest of the bundle does.

import { WASM } from './wasm.ts';

// A server that draws pages imports the package, too.
if (globalThis.customElements) WASM.begin();
