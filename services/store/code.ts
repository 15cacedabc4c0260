// A store's code: what its feed addresses call it, made from its name.
import { randomBytes } from 'node:crypto';

/** Shorter than a UUID, so that a code is never taken for an id. */
const LENGTH_MAX = 32;
const SUFFIX_BYTES = 4;

/** The code that a name asks for. */
export const codeOf = (name: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'store' : slug;
};

/** Another one, for a name whose code is taken. */
export const codeBeside = (code: string): string => `${code}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;
