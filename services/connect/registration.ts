// Validates an app's registration: the name that merchants see, and the redirect URIs, which must later match character
// by character.

const NAME_LENGTH_MAX = 100;
/** Line breaks and text-direction marks, which could change how the text around the name reads. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const INVALID_NAME =
  'A client’s name has 1 to 100 characters, without line breaks and marks of text direction. Choose another name.';

export const readClientName = (text: string): string | null => {
  const name = text.trim();
  return name === '' || name.length > NAME_LENGTH_MAX || MISLEADING.test(name) ? null : name;
};

const URI_LENGTH_MAX = 2_048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A scheme of the app itself must be a reversed domain name, so that no two apps use the same one. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const CONTROL = /[\u0000-\u0020\u007f]/;

/**
 * Returns whether a redirect URI is allowed: https, http of loopback hosts, or the app's own scheme, without fragment,
 * user and control characters.
 */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > URI_LENGTH_MAX || CONTROL.test(text) || text.includes('#') || text.includes('\\')) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return text.startsWith('https://') && url.hostname !== '';
  if (url.protocol === 'http:') return text.startsWith('http://') && LOOPBACK.has(url.hostname);
  return PRIVATE_SCHEME.test(url.protocol);
};

const ASCII = /^[\u0021-\u007e]*$/;

export const withParameters = (address: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  // Headers hold only ASCII: browsers write an international host in punycode and percent-encode the rest.
  const spelled = ASCII.test(address) ? address : new URL(address).href;
  return `${spelled}${spelled.includes('?') ? '&' : '?'}${added.join('&')}`;
};
