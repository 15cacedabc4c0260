// The dashboard's client against the real system: a session's cookie in place of a key, in either environment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboard } from '#proto/client/dashboard.ts';
import type { Fetch } from '#proto/client/server.ts';
import { join } from '#test/services/staff/client.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore();
});
afterAll(() => stoa?.stop());

/** Sends the cookie as a browser does, and records the headers of each call. */
const browserWith = (cookie: string) => {
  const sent: Readonly<Record<string, string>>[] = [];
  const send: Fetch = (url, init) => {
    sent.push(init.headers);
    return fetch(url, { ...init, headers: { ...init.headers, cookie } });
  };
  return { sent, send };
};

describe('a dashboard', () => {
  it('calls as the signed-in person, without a key', async () => {
    const { cookie, email } = await join(stoa, keys, 'owner');
    const { sent, send } = browserWith(cookie);
    const api = dashboard({ url: stoa.url, environment: 'production', fetch: send });
    expect((await api.staff.session.get()).staff).toMatchObject({ email, role: 'owner', scopes: null });
    expect((await api.orders.list()).orders).toEqual([]);
    expect(sent.map((headers) => headers['x-stoa-dashboard'])).toEqual(['production', 'production']);
    expect(sent.filter((headers) => 'authorization' in headers)).toEqual([]);
  });

  it('writes in the environment that it names, within the role', async () => {
    const { cookie } = await join(stoa, keys, 'catalogue');
    const { send } = browserWith(cookie);
    const sandbox = dashboard({ url: stoa.url, environment: 'sandbox', fetch: send });
    const product = await sandbox.products.create({ name: 'Lamp', price: 10, stock: 1 });
    const production = dashboard({ url: stoa.url, environment: 'production', fetch: send });
    await expect(production.products.get({ id: product.id })).rejects.toMatchObject({ status: 404 });
    await expect(sandbox.customers.list()).rejects.toMatchObject({ status: 403 });
  });
});
