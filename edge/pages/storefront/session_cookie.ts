// The cookie with the browsing session, which names an anonymous cart. The browser's script reads it too, because it
// calls the API itself.

const SESSION_COOKIE = 'stoa-shop-session';

const YEAR_S = 365 * 24 * 60 * 60;
const SESSION = /^[\w.-]{8,128}$/;

/** `cookies` is a `Cookie` header or `document.cookie`. Returns null without a valid session. */
export const readSession = (cookies: string | null): string | null => {
  for (const part of (cookies ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === SESSION_COOKIE && SESSION.test(value)) return value;
  }
  return null;
};

/** `Lax`, so that another site's form cannot change the cart. */
export const sessionCookie = (session: string, base: string, isSecure: boolean): string =>
  `${SESSION_COOKIE}=${session}; Path=${base || '/'}; Max-Age=${YEAR_S}; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/**
 * Returns a script that begins the browser's session before anything can be pressed. A form that is sent before the
 * shop's script runs, or sent twice, then names the session that the script continues.
 */
export const sessionScript = (base: string): string =>
  [
    `if(!/(^|; )${SESSION_COOKIE}=/.test(document.cookie))document.cookie="${SESSION_COOKIE}="`,
    `(localStorage.getItem("${SESSION_COOKIE}")||crypto.getRandomValues(new Uint32Array(4)).join(""))`,
    `"; Path=${base || '/'}; Max-Age=${YEAR_S}; SameSite=Lax"`,
    '(location.protocol=="https:"?"; Secure":"")',
  ].join('+');
