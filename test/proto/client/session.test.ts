// A shopper's session through the client: sent where it belongs, renewed before its end and after a refusal, once for many
// calls; against the real system, whose sandbox ends sessions by its clock.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Server, server } from '#proto/client/server.ts';
import type { SessionTokens, ShopperCredential } from '#proto/client/session.ts';
import { StoaError, storefront } from '#proto/client/storefront.ts';
import { type Exchange, randomId } from '#proto/client/transport.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const HOUR_S = 3_600;

let stoa: Stoa;
let keys: Keys;
let back: Server;
let renewals = 0;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  back = server({
    url: stoa.url,
    key: keys.secret_test_key,
    observe: ({ operation }: Exchange) => {
      if (operation === 'POST /v1/auth/refresh') renewals++;
    },
  });
});

let shoppers = 0;
/** Each registration has its own address, and so its own limit. */
const register = async () => {
  const ip = `2001:db8:1:${(++shoppers).toString(16)}::1`;
  const shopper = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  return { ip, ...(await back.as({ ip }).auth.register(shopper)) };
};

describe('a server on behalf of a shopper', () => {
  it('refreshes a session that has ended once for many calls at once, and tells of it', async () => {
    const { customer, session, ip } = await register();
    const changes: (ShopperCredential | null)[] = [];
    const ada = back.as({ ip, credential: session, onChange: (credential) => changes.push(credential) });
    await back.sandbox.timeTravel({ advance_seconds: 2 * HOUR_S });
    renewals = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.customers.get({ id: customer.id, fields: ['id'] })),
    );
    expect(answers).toEqual(Array(20).fill({ customer: { id: customer.id } }));
    expect(renewals).toBe(1);
    expect(changes).toEqual([
      expect.objectContaining({ access_token: expect.not.stringContaining(session.access_token) }),
    ]);
    expect((await ada.auth.me.get({ fields: ['email'] })).customer.email).toBe(customer.email);
  });

  it('refreshes before the end, without a refusal', async () => {
    const { customer, session, ip } = await register();
    const ending: SessionTokens = { ...session, expires_at: new Date(Date.now() + 30_000).toISOString() };
    const ada = back.as({ ip, credential: ending });
    renewals = 0;
    await ada.wishlist.get({ customer_id: customer.id });
    expect(renewals).toBe(1);
    expect(ada.shopper.credential).not.toBe(ending);
  });

  it('refuses a shopper’s call when the refresh token is spent too', async () => {
    const { customer, session, ip } = await register();
    const ada = back.as({ ip, credential: session });
    await ada.auth.logout();
    const error = await ada.customers.get({ id: customer.id }).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(StoaError);
    expect(error).toMatchObject({ code: 'unauthorized', status: 401 });
  });
});

describe('a storefront', () => {
  it('asks the shop’s own server to renew, and is signed out where that says so', async () => {
    const { customer, session, ip } = await register();
    let answer: ShopperCredential | null = (
      await back.as({ ip }).auth.refresh({ refresh_token: session.refresh_token })
    ).session;
    const shop = storefront({
      url: stoa.url,
      key: keys.publishable_test_key,
      // The first token is known to be spent: it was refreshed elsewhere, and that is what the callback learns.
      shopper: { credential: { ...session, access_token: 'at_gone' }, renew: async () => answer },
    });
    expect((await shop.wishlist.get({ customer_id: customer.id })).wishlist.items).toEqual([]);
    expect(shop.shopper.credential).toBe(answer);
    answer = null;
    shop.shopper.signIn({ access_token: 'at_gone', expires_at: session.expires_at });
    await expect(shop.wishlist.get({ customer_id: customer.id })).rejects.toMatchObject({ status: 401 });
    expect(shop.shopper.credential).toBeNull();
  });

  it('waits for a renewal no longer than a call may last, and until its signal', async () => {
    const { customer, session } = await register();
    const ending: SessionTokens = { ...session, expires_at: new Date(Date.now() + 30_000).toISOString() };
    const gone: SessionTokens = { ...session, access_token: 'at_gone' };
    for (const credential of [ending, gone]) {
      const shopper = { credential, renew: () => new Promise<never>(() => {}) };
      const shop = storefront({ url: stoa.url, key: keys.publishable_test_key, shopper });
      const wishlist = (options: object) =>
        shop.wishlist.items.add({ customer_id: customer.id, product_id: 'p' }, options);
      await expect(wishlist({ timeoutMs: 500 })).rejects.toMatchObject({ code: 'timeout', unknown: false });
      const controller = new AbortController();
      const call = wishlist({ signal: controller.signal });
      setTimeout(() => controller.abort('changed my mind'), 100);
      await expect(call).rejects.toBe('changed my mind');
    }
  });

  it('starts with a browsing session and a renewal by default', async () => {
    const shop = storefront({ url: stoa.url, key: keys.publishable_test_key, shopper: { sessionId: undefined } });
    expect((await shop.cart.get()).cart.items).toEqual([]);
    const { customer, session, ip } = await register();
    const spent: SessionTokens = { ...session, access_token: 'at_gone' };
    const ada = back.as({ ip, credential: spent, renew: undefined });
    expect((await ada.wishlist.get({ customer_id: customer.id })).wishlist.items).toEqual([]);
  });

  it('keeps the session from carts that name no customer, and merges them at signing in', async () => {
    const product = await back.products.create({ name: 'Mug', price: 12, stock: 5 });
    const seen: string[] = [];
    const shop = storefront({
      url: stoa.url,
      key: keys.publishable_test_key,
      shopper: { sessionId: randomId() },
      fetch: (url, init) => {
        seen.push(
          Object.keys(init.headers)
            .filter((name) => name.startsWith('x-'))
            .sort()
            .join(' '),
        );
        return fetch(url, init);
      },
    });
    await shop.cart.items.add({ product_id: product.id });
    const { customer, session } = await register();
    shop.shopper.signIn(session);
    await shop.cart.get();
    const { cart } = await shop.cart.merge({ customer_id: customer.id });
    expect(cart).toMatchObject({ customer_id: customer.id, item_count: 1 });
    await shop.products.list();
    expect(seen).toEqual(['x-session-id', 'x-session-id', 'x-auth-token x-session-id', '']);
  });
});
