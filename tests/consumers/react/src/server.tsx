import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Pay } from './Pay.js';

/** The page as a server sends it. */
export const render = () =>
  renderToString(
    <StrictMode>
      <Pay />
    </StrictMode>,
  );
