// Validates and normalises the domain names at which assistants find a store.
import { domainToASCII } from 'node:url';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Excludes IP addresses: there must be two labels, and the last must start with a letter. */
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);

/** Returns the host in lower-case ASCII; null if the text is no host name. */
export const hostOf = (text: string): string | null => {
  // Refused, because domainToASCII silently drops a path, port or user.
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

/** Returns whether the name is a domain; codes and ids contain no dot. */
export const isDomain = (name: string): boolean => name.includes('.');
