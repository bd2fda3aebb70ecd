import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { orderOf, Pay } from './Pay.js';

/** The page as a server sends it. */
export const render = (search: string) =>
  renderToString(
    <StrictMode>
      <Pay known={orderOf(search)} />
    </StrictMode>,
  );
