// Scopes of access tokens and restricted keys.

/** Names of `(stoa.scope)` in the proto services. */
export const RESOURCES = [
  'catalog',
  'orders',
  'customers',
  'payments',
  'promotions',
  'shipping',
  'content',
  'reviews',
  'returns',
  'messaging',
  'b2b',
  'webhooks',
  'store',
  'ingestion',
] as const;

const SCOPES: ReadonlySet<string> = new Set(RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]));

export const isScope = (text: string): boolean => SCOPES.has(text);

/** Reads a space-separated list of scopes and removes duplicates; returns null if one is unknown. */
export const readScopes = (text: string): readonly string[] | null => {
  const named = [...new Set(text.split(' ').filter((part) => part !== ''))];
  return named.length > 0 && named.every(isScope) ? named : null;
};

export const isWithin = (wanted: readonly string[], granted: readonly string[]): boolean =>
  wanted.every((scope) => granted.includes(scope));
