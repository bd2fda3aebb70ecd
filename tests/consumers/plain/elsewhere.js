// Another tag, and a wasm that is hosted elsewhere.

import { define } from './element/element.js';

define('my-checkout', { wasm: '/moved/checkout.wasm' });
