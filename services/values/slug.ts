// Makes slugs for URLs: lower-case letters, digits and hyphens.
import { transliterated } from './transliteration.ts';

const SLUG_LENGTH_MAX = 200;
const SLUG = /^[a-z0-9][a-z0-9-]{0,199}$/;
const ENDING_LENGTH = 9;

export const isSlug = (text: string): boolean => SLUG.test(text);

export const slugOf = (name: string, lengthMax = SLUG_LENGTH_MAX): string =>
  transliterated(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, lengthMax)
    .replace(/(?<!-)-+$/, '');

const shortId = (id: string): string => id.slice(-8);

export const productSlug = (name: string, id: string): string => {
  const base = slugOf(name, SLUG_LENGTH_MAX - ENDING_LENGTH);
  return base === '' ? shortId(id) : `${base}-${shortId(id)}`;
};

export const slugBase = (name: string, id: string): string =>
  slugOf(name, SLUG_LENGTH_MAX - ENDING_LENGTH) || shortId(id);

export const uniqueSlug = (name: string, id: string, taken: (slug: string) => boolean): string => {
  const base = slugBase(name, id);
  if (!taken(base)) return base;
  for (let number = 2; number < 100; number++) if (!taken(`${base}-${number}`)) return `${base}-${number}`;
  return `${base}-${shortId(id)}`;
};
