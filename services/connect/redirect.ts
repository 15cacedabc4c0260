// Where a browser may be sent with a decision. What a client registers is judged here once; from then on it is compared
// letter by letter, so that no spelling of another address passes for it.

const LENGTH_MAX = 2_048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** An app's own scheme bears a domain name in reverse, so that two apps do not meet in it. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
const CONTROL = /[\u0000-\u0020\u007f]/;

/** `https`, `http` of this machine alone, or an app's own scheme; without fragment, user and stray characters. */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > LENGTH_MAX || CONTROL.test(text) || text.includes('#') || text.includes('\\')) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return text.startsWith('https://') && url.hostname !== '';
  if (url.protocol === 'http:') return text.startsWith('http://') && LOOPBACK.has(url.hostname);
  return PRIVATE_SCHEME.test(url.protocol);
};

const ASCII = /^[\u0021-\u007e]*$/;

/** The address with more parameters in its query, those that it has left as they are; in the characters that headers bear. */
export const withParameters = (address: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  // As browsers spell what is not: an international name as it is looked up, the rest in percent signs.
  const spelled = ASCII.test(address) ? address : new URL(address).href;
  return `${spelled}${spelled.includes('?') ? '&' : '?'}${added.join('&')}`;
};
