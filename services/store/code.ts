// A store's code: what its feed addresses call it, made from its name.
import { randomBytes } from 'node:crypto';
import { slugOf } from '#values/slug.ts';

/** Shorter than a UUID, so that a code is never taken for an id. */
const LENGTH_MAX = 32;
const SUFFIX_BYTES = 4;

/** The code that a name asks for. */
export const codeOf = (name: string): string => slugOf(name, LENGTH_MAX) || 'store';

/** Another one, for a name whose code is taken. */
export const codeBeside = (code: string): string => `${code}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;
