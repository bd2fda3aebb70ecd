import init from './yew-page.js';

await init();
