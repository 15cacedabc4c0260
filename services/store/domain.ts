// Hosts at whose root a store's agents find it: read in their one spelling.
import { domainToASCII } from 'node:url';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels; the last is no number, so that an address is none. */
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);

/** The host's one spelling: lower case, and ASCII where it has other letters; null where it is none. */
export const hostOf = (text: string): string | null => {
  // What is more than a host would be cut off without a word.
  if (/[/\\:?#@%]/.test(text)) return null;
  const host = domainToASCII(text.trim().toLowerCase());
  return host.length <= 253 && HOST.test(host) ? host : null;
};

/** Each once, in the order in which the merchant names them. */
export const readDomains = (texts: readonly string[]): string[] | Refusal => {
  const hosts = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const host = hostOf(text);
    if (host === null)
      return refuse('invalid_request', 'A domain is a host name without a scheme, a port or a path: shop.example.', {
        param: `domains[${index}]`,
      });
    hosts.add(host);
  }
  return [...hosts];
};

/** Whether a name can only be a domain: a code has no dot, and an id neither. */
export const isDomain = (name: string): boolean => name.includes('.');
