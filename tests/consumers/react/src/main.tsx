import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { orderOf, Pay } from './Pay.js';

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');
const page = (
  <StrictMode>
    <Pay known={orderOf(location.search)} />
  </StrictMode>
);
// A server may have rendered it already.
if (root.firstElementChild) hydrateRoot(root, page);
else createRoot(root).render(page);
