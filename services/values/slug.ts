// Names in addresses: lower-case letters, digits and hyphens.
import { transliterated } from './transliteration.ts';

const SLUG_LENGTH_MAX = 200;
const SLUG = /^[a-z0-9][a-z0-9-]{0,199}$/;
/** What a number or a short id adds. */
const ENDING_LENGTH = 9;

/** Whether it can be a slug at all. */
export const isSlug = (text: string): boolean => SLUG.test(text);

/** The name as it may stand in an address; empty when nothing of it can. */
export const slugOf = (name: string, lengthMax = SLUG_LENGTH_MAX): string =>
  transliterated(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, lengthMax)
    .replace(/-+$/, '');

/** The random tail of an id, in eight characters. */
const shortId = (id: string): string => id.slice(-8);

/** Specification, "Product": lowercase product name with hyphens plus a short id. */
export const productSlug = (name: string, id: string): string => {
  const base = slugOf(name, SLUG_LENGTH_MAX - ENDING_LENGTH);
  return base === '' ? shortId(id) : `${base}-${shortId(id)}`;
};

/** What the slugs of a name begin with; a search for taken ones looks for these. */
export const slugBase = (name: string, id: string): string =>
  slugOf(name, SLUG_LENGTH_MAX - ENDING_LENGTH) || shortId(id);

/** The slug itself, or with the first number behind it that makes it one of its own. */
export const uniqueSlug = (name: string, id: string, taken: (slug: string) => boolean): string => {
  const base = slugBase(name, id);
  if (!taken(base)) return base;
  for (let number = 2; number < 100; number++) if (!taken(`${base}-${number}`)) return `${base}-${number}`;
  return `${base}-${shortId(id)}`;
};
