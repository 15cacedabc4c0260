// A shop for tests of accounts: a whole Stoa with two stores, a clock under the test's control, and calls of /v1/auth/*
// as a store's server makes them.
import { expect } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { type Keys, type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const PASSWORD = 'correct horse battery';

export let clock: ManualClock;
export let stoa: Stoa;
export let keys: Keys;
export let other: Keys;

/**
 * Windows of limits are the edge's, by the real time: an owner whose clock stands still until it is seconds behind lets
 * no shopper sign in. This one is a day ahead, and stays so however long a test takes.
 */
export const openShop = (): Promise<void> => open(DAY_MS);
/** With a clock that begins at the real time; `catchUp` keeps it there. */
export const openShopNow = (): Promise<void> => open(0);
const open = async (aheadMs: number): Promise<void> => {
  clock = manualClock(Date.now() + aheadMs);
  stoa = await startStoa({ clock });
  keys = await stoa.createStore();
  other = await stoa.createStore();
};
/** Called before each test, and after a pause. */
export const catchUp = (): void => {
  const behindMs = Date.now() - clock.real();
  if (behindMs > 0) clock.advance(behindMs);
};
export const closeShop = (): Promise<void> => stoa.stop();

export interface Asked {
  readonly key?: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly url?: string;
}

let shoppers = 0;
/** Each call uses another shopper address, so that none meets the limit of an address. */
const address = (): string => `2001:db8::${(++shoppers).toString(16)}`;

export const auth = (method: string, path: string, { key, body, token, headers, url }: Asked = {}): Promise<Reply> =>
  sendTo(url ?? stoa.url, method, path, {
    key: key ?? keys.secret_key,
    body,
    headers: { 'X-Shopper-IP': address(), ...(token === undefined ? {} : { 'x-auth-token': token }), ...headers },
  });

export const register = (body: unknown, key?: string): Promise<Reply> =>
  auth('POST', '/v1/auth/register', { body, ...(key ? { key } : {}) });
export const login = (email: string, password = PASSWORD, key?: string): Promise<Reply> =>
  auth('POST', '/v1/auth/login', { body: { email, password }, ...(key ? { key } : {}) });
export const refresh = (refresh_token: string, key?: string): Promise<Reply> =>
  auth('POST', '/v1/auth/refresh', { body: { refresh_token }, ...(key ? { key } : {}) });
export const me = (token: string, asked: Asked = {}): Promise<Reply> => auth('GET', '/v1/auth/me', { token, ...asked });
export const logout = (token: string, asked: Asked = {}): Promise<Reply> =>
  auth('POST', '/v1/auth/logout', { token, ...asked });

let names = 0;
export const newEmail = (): string => `shopper${++names}@example.com`;

export interface SignedIn {
  readonly email: string;
  readonly id: string;
  readonly access: string;
  readonly refresh: string;
}
export const newCustomer = async (key?: string): Promise<SignedIn> => {
  const email = newEmail();
  const { status, body } = await register({ email, password: PASSWORD }, key);
  expect(status).toBe(201);
  return { email, id: body.customer.id, access: body.session.access_token, refresh: body.session.refresh_token };
};

export const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
export const statusOf = async (reply: Promise<Reply>): Promise<number> => (await reply).status;
