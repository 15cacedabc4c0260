// Reads and writes the cookie of a staff session. A call with it must name its environment in `X-Stoa-Dashboard`: a page of
// another site can send neither that header nor the cookie.
import { createHash, randomBytes } from 'node:crypto';
import type { Route } from '#proto/route.ts';
import { type Environment, refuse } from '#runtime/call/call.ts';

export const DASHBOARD_HEADER = 'x-stoa-dashboard';

/**
 * Name of the cookie. Browsers take one with the prefix only from this host over TLS. Without it, a shop
 * at another subdomain could set the cookie and sign a person in as someone else.
 */
const cookieName = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-stoa_staff' : 'stoa_staff');

const TOKEN_BYTES = 32;
const TOKEN = /^ss_[A-Za-z0-9_-]{43}$/;
/** Lifetime of a session, so that the cookie never ends first. */
const COOKIE_S = 30 * 86_400;

export const SESSION_ENDED = refuse('unauthorized', 'The staff session has ended.', { hint: 'Sign in again.' });

export const NO_SESSION = refuse('unauthorized', 'A staff session is required.', {
  hint: 'Sign in at POST /v1/staff/session, and send the header `X-Stoa-Dashboard: production` or `sandbox`.',
});

/** Name of a session in the cache of principals. Line breaks separate it from all values of an `Authorization` header. */
export type StaffCredential = `staff\n${Environment}\n${string}`;

/** Returns null if the call has no session's cookie, or no header of the dashboard beside it. */
export const staffCredentialOf = ({ headers }: Pick<Request, 'headers'>, publicUrl: string): StaffCredential | null => {
  const environment = headers.get(DASHBOARD_HEADER);
  if (environment !== 'production' && environment !== 'sandbox') return null;
  const start = `${cookieName(publicUrl)}=`;
  const cookies = (headers.get('cookie') ?? '').split(';').map((each) => each.trim());
  const token = cookies.find((each) => each.startsWith(start))?.slice(start.length) ?? '';
  return TOKEN.test(token) ? `staff\n${environment}\n${token}` : null;
};

export interface StaffToken {
  readonly environment: Environment;
  readonly token: string;
}

export const readStaffCredential = (credential: string): StaffToken | null => {
  const [kind, environment, token = ''] = credential.split('\n');
  if (kind !== 'staff' || token === '') return null;
  return { environment: environment === 'sandbox' ? 'sandbox' : 'production', token };
};

export const newSessionToken = (): string => `ss_${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const cookie = (value: string, seconds: number, publicUrl: string): string =>
  `${cookieName(publicUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${publicUrl.startsWith('https:') ? '; Secure' : ''}`;

const sessionCookie = (token: string, publicUrl: string): string => cookie(token, COOKIE_S, publicUrl);

export const setSessionCookie = (
  { newSession }: { readonly newSession: string | null },
  { ends_session }: Pick<Route, 'ends_session'>,
  response: Response,
  publicUrl: () => string,
): void => {
  if (!response.ok || (newSession === null && !ends_session)) return;
  response.headers.append(
    'Set-Cookie',
    newSession === null ? cookie('', 0, publicUrl()) : sessionCookie(newSession, publicUrl()),
  );
};
