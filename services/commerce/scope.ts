// Scopes of access tokens and restricted keys.
import { invalid, type Refusal } from '#runtime/call/call.ts';

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
  'mails',
  'b2b',
  'webhooks',
  'store',
  'ingestion',
] as const;

const SCOPES: ReadonlySet<string> = new Set(RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]));

const isScope = (text: string): boolean => SCOPES.has(text);

export const checkScopes = (scopes: readonly string[]): Refusal | null => {
  const wrong = scopes.findIndex((scope) => !isScope(scope));
  return wrong < 0
    ? null
    : invalid(`scopes[${wrong}]`, `The scope ${scopes[wrong]} does not exist. Use RESOURCE:read or RESOURCE:write.`);
};

export const readScopes = (text: string): readonly string[] | null => {
  const named = [...new Set(text.split(' ').filter((part) => part !== ''))];
  return named.length > 0 && named.every(isScope) ? named : null;
};

export const isWithin = (wanted: readonly string[], granted: readonly string[]): boolean =>
  wanted.every((scope) => granted.includes(scope));
