// VitePress's own theme without its font, and the playground.

import DefaultTheme from 'vitepress/theme-without-fonts';
import Playground from './Playground.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp: (/** @type {{ app: import('vue').App }} */ { app }) => {
    app.component('Playground', Playground);
  },
};
