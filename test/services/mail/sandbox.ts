// A sandbox whose outbox tests read: orders, shoppers and the mails that they cause.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { SentMessage } from '#proto/gen/mail.ts';
import { requireSuccess } from '#test/contracts/owner.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sendTo } from '#test/support/stoa.ts';

export interface MailSandbox {
  readonly keys: Keys;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many endpoints
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any>;
  /** Signed, as orders and payments need it. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  sign(method: string, path: string, body: unknown): Promise<any>;
  /** Adds languages to the store; it writes English. */
  addLanguages(...languages: readonly string[]): Promise<void>;
  newEmail(): string;
  /** Variant of a new product at 12.50 with 20 units. */
  variant(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: an order
  order(email: string, more?: object): Promise<any>;
  mailsTo(email: string): Promise<SentMessage[]>;
  /** Waits for mails of exactly these kinds, in any order, and returns the one of the first kind. */
  receives(email: string, ...kinds: readonly string[]): Promise<SentMessage>;
}

export const openMailSandbox = async (
  stoa: Stoa,
  store: Readonly<Record<string, unknown>> = {},
): Promise<MailSandbox> => {
  const keys = await stoa.createStore({ name: 'Lamps & Sons', ...store });
  const key = keys.secret_test_key;
  const send: MailSandbox['send'] = (method, path, body, headers = {}) =>
    sendTo(stoa.url, method, path, { key, body, headers });
  const call: MailSandbox['call'] = (...request) => requireSuccess(send(...request));
  const sign: MailSandbox['sign'] = async (method, path, body) =>
    requireSuccess(sendTo(stoa.url, method, path, { key, signWith: keys.hmac_test_secret, body }));
  const variant = async (): Promise<string> =>
    (
      await call('POST', '/v1/products', {
        name: 'Lamp',
        price: 12.5,
        stock: 20,
        shipping_info: { requires_shipping: false },
      })
    ).variant_id;
  const mailsTo: MailSandbox['mailsTo'] = async (email) =>
    (await call('GET', `/v1/sandbox/messages?email=${encodeURIComponent(email)}`)).messages;
  return {
    keys,
    send,
    call,
    sign,
    addLanguages: async (...languages) => {
      await requireSuccess(sendTo(stoa.url, 'PATCH', '/v1/store', { key: keys.secret_key, body: { languages } }));
    },
    newEmail: () => `${randomUUID()}@example.com`,
    variant,
    order: async (email, more = {}) => {
      const items = [{ variant_id: await variant(), quantity: 2 }];
      return (await sign('POST', '/v1/orders', { items, email, ...more })).order;
    },
    mailsTo,
    receives: (email, ...kinds) =>
      eventually(async () => {
        const mails = await mailsTo(email);
        expect(mails.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
        return mails.find(({ kind }) => kind === kinds[0])!;
      }),
  };
};
