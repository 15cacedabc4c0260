// Validates and normalises the domains at whose root agents find a store.
import { domainToASCII } from 'node:url';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Excludes IP addresses: the last of at least two labels starts with a letter. */
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);

/** Returns the host in lower case and ASCII, or null where the text is no host name. */
export const hostOf = (text: string): string | null => {
  // Refused, since domainToASCII silently drops a path, port or user.
  if (/[/\\:?#@%]/.test(text)) return null;
  const host = domainToASCII(text.trim().toLowerCase());
  return host.length <= 253 && HOST.test(host) ? host : null;
};

export const readDomains = (texts: readonly string[]): string[] | Refusal => {
  const hosts = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const host = hostOf(text);
    if (host === null)
      return refuse(
        'invalid_request',
        `The domain ${text} is no host name. Leave out scheme, port and path, as in shop.example.`,
        {
          param: `domains[${index}]`,
        },
      );
    hosts.add(host);
  }
  return [...hosts];
};

/** Codes and ids have no dot. */
export const isDomain = (name: string): boolean => name.includes('.');
