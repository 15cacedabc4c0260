// The dashboard of a store or an operator as tests use it: staff accounts of every role, and calls with a session's cookie.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { hashOfToken, newSessionToken } from '#edge/gates/staff_session.ts';
import { type Environment, NO_TENANT } from '#runtime/call/call.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Reply, type Stoa, sendTo } from '#test/support/stoa.ts';
import { totpCode, totpStep } from '#values/totp.ts';

export const PASSWORD = 'correct horse battery';

export interface Call {
  readonly body?: unknown;
  readonly cookie?: string;
  readonly environment?: Environment;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

let callers = 0;
/** Each call comes from another address, so that none meets the limit of an address. The edge trusts this proxy. */
const address = (): string => `2001:db8:${(++callers >> 16).toString(16)}:${(callers & 0xffff).toString(16)}::1`;

export const dashboard = (
  stoa: Pick<Stoa, 'url'>,
  method: string,
  path: string,
  { body, cookie, environment = 'production', headers, url }: Call = {},
): Promise<Reply> =>
  sendTo(url ?? stoa.url, method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      'X-Forwarded-For': address(),
      'X-Stoa-Dashboard': environment,
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...headers,
    },
  });

export const cookieOf = ({ headers }: Reply): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

let people = 0;
export const newEmail = (): string => `member${++people}@example.com`;

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
}

/** Key of a store, or of an operator, that invites. */
type InvitingKey = Pick<Keys, 'secret_key'>;

export const invite = (stoa: Stoa, keys: InvitingKey, body: object): Promise<Reply> =>
  stoa.send('POST', '/v1/staff/invitations', { key: keys.secret_key, body });

export const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';

/** Invites a person, who accepts. No edge counts this sign-in against its limit by address. */
export const join = async (stoa: Stoa, keys: InvitingKey, role: StaffRole, email = newEmail()): Promise<Member> => {
  const invited = await invite(stoa, keys, { email, role });
  expect(invited.status, invited.text).toBe(201);
  const token = newSessionToken();
  const accepted = await stoa.services.runtime.ask('StaffSession/AcceptInvitation', NO_TENANT, {
    token: tokenIn(invited.body.link),
    password: PASSWORD,
    session_hash: hashOfToken(token),
  });
  return { id: ok(accepted).staff.id, email, cookie: `stoa_staff=${token}` };
};

/** Begins another session of an account. */
export const enter = async (stoa: Stoa, email: string): Promise<string> => {
  const token = newSessionToken();
  const input = { email, password: PASSWORD, session_hash: hashOfToken(token) };
  ok(await stoa.services.runtime.ask('StaffSession/BeginSession', NO_TENANT, input));
  return `stoa_staff=${token}`;
};

export const signIn = (stoa: Stoa, body: object): Promise<Reply> =>
  dashboard(stoa, 'POST', '/v1/staff/session', { body });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const fromBase32 = (text: string): Uint8Array => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
};

/** The code that an authenticator app shows at a time. */
export const codeAt = (secret: string, atMs: number): string => totpCode(fromBase32(secret), totpStep(atMs));

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
