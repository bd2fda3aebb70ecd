// Begins the download of the wasm. It is the first statement of its bundle, so the download runs while the rest of the
// bundle does.

import { WASM } from './wasm.ts';

// A server that draws pages imports the package, too.
if (globalThis.customElements) WASM.begin();
