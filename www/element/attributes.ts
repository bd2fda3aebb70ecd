// The attributes of an element, as the page has set them.

import { type PropertyName, propertyOf } from '../shared/custom-element.ts';
import { ATTRIBUTES } from './printed/surface.ts';

/** Attributes with a value, by the names of their properties. */
export type Attributes = { [Name in (typeof ATTRIBUTES)[number] as PropertyName<Name>]?: string };

/** The attributes of an element that are not empty, by the names of their properties. */
export const given = (element: Element): Attributes =>
  Object.fromEntries(ATTRIBUTES.map((name) => [propertyOf(name), element.getAttribute(name) || undefined]));
