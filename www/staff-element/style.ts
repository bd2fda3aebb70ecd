// The look of the staff's element: one style sheet, read once and adopted by every element.
//
// The custom properties and parts by which a page themes it stand at its class, in `operations.js`.

import { SharedStyleSheet } from '../shared/style-sheet.ts';
import css from './style.css' with { type: 'text' };

/** The style sheet of every element. The build writes the text of the file into this module, so that scripts can adopt it. */
export const sheet = new SharedStyleSheet(css, () => new URL('./style.css', import.meta.url));
