// Reads mails of a sandbox, and the links and codes in them.
import { expect } from 'vitest';
import { auth, keys, newCustomer, type SignedIn, statusOf, stoa } from '#test/services/customer/client.ts';
import type { Reply } from '#test/support/stoa.ts';

export const PATHS = {
  'magic-link': 'POST /v1/auth/magic-link',
  'magic-link/verify': 'POST /v1/auth/magic-link/verify',
  'send-otp': 'POST /v1/auth/send-otp',
  'verify-otp': 'POST /v1/auth/verify-otp',
  'reset-password': 'POST /v1/auth/reset-password',
  'reset-password/confirm': 'POST /v1/auth/reset-password/confirm',
} as const;
export const ask = (path: keyof typeof PATHS, body: unknown, key = keys.secret_test_key): Promise<Reply> =>
  auth('POST', PATHS[path].slice(5), { key, body });
export const shopper = (): Promise<SignedIn> => newCustomer(keys.secret_test_key);

export interface Message {
  readonly to: string;
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string | null;
  readonly code: string | null;
}
export const messagesTo = async (email: string, key = keys.secret_test_key): Promise<Message[]> => {
  const { status, body } = await stoa.send('GET', `/v1/sandbox/messages?email=${encodeURIComponent(email)}`, { key });
  expect(status).toBe(200);
  return body.messages;
};
/** Returns the newest mail; with `kind` the newest of that kind, since mails about orders follow by themselves. */
export const newest = async (email: string, kind?: string): Promise<Message> =>
  (await messagesTo(email)).find((message) => kind === undefined || message.kind === kind)!;
export const tokenOf = ({ link }: Message): string => new URL(link!).searchParams.get('token')!;
export const linkFor = async (path: 'magic-link' | 'reset-password', email: string): Promise<string> => {
  expect(await statusOf(ask(path, { email }))).toBe(200);
  return tokenOf(await newest(email, path.replace('-', '_')));
};
export const codeFor = async (email: string): Promise<string> => {
  expect(await statusOf(ask('send-otp', { email }))).toBe(200);
  return (await newest(email, 'otp')).code!;
};
