// The style sheet of the element, which the gallery uses, too. The custom properties and parts by which a page themes it
// are documented at the class.

import { SharedStyleSheet } from '../shared/style-sheet.ts';
import css from './style.css' with { type: 'text' };

/** The build writes the text of the file into this module, so that scripts can adopt it. */
export const sheet = new SharedStyleSheet(css, () => new URL('./style.css', import.meta.url));
