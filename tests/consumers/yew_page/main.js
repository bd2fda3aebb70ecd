import init from './yew_page.js';

await init({ module_or_path: new URL('yew_page_bg.wasm', import.meta.url) });
