import init from './yew_page.js';

await init();
