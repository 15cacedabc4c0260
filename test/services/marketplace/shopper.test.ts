// Tests the unified shopper of an operator's merchants, joined by verified addresses only.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import {
  lineOf,
  type Marketplace,
  type Member,
  openMarketplace,
  openOperator,
  refusalFields,
} from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

interface Account {
  readonly id: string;
  readonly token: string;
}

/** A separate address, so that its limit is not shared. */
const visitor = () => ({ 'X-Shopper-IP': `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1` });
const fresh = (): string => `${randomUUID()}@example.com`;

/** A password does not verify the address. */
const register = async ({ send }: Member, email: string): Promise<Account> => {
  const { status, body, text } = await send(
    'POST',
    '/v1/auth/register',
    { email, password: 'correct horse battery' },
    visitor(),
  );
  expect(status, text).toBe(201);
  return { id: body.customer.id, token: body.session.access_token };
};
/** Confirms the mailed code. */
const prove = async ({ send }: Member, email: string): Promise<Account> => {
  expect((await send('POST', '/v1/auth/send-otp', { email }, visitor())).status).toBe(200);
  const code = await eventually(async () => {
    const { messages } = (await send('GET', `/v1/sandbox/messages?email=${encodeURIComponent(email)}`)).body;
    expect(messages[0]?.code).toBeTruthy();
    return messages[0].code;
  });
  const { status, body, text } = await send('POST', '/v1/auth/verify-otp', { email, code }, visitor());
  expect(status, text).toBe(200);
  return { id: body.customer.id, token: body.session.access_token };
};
const proved = async (member: Member, email: string): Promise<Account> => {
  await register(member, email);
  return prove(member, email);
};
const profile = ({ send }: Marketplace, token?: string) =>
  send('GET', '/v1/marketplace/shopper', undefined, token === undefined ? {} : { 'X-Customer-Token': token });
const shopper = async (marketplace: Marketplace, token: string) => {
  const { status, body, text } = await profile(marketplace, token);
  expect(status, text).toBe(200);
  return body.shopper;
};
const accountsOf = (...accounts: readonly (readonly [Member, Account])[]) =>
  accounts
    .map(([{ store }, { id }]) => ({ store_id: store, customer_id: id }))
    .sort((a, b) => (a.store_id < b.store_id ? -1 : 1));

describe('the profile of a shopper', () => {
  test('joins accounts with the same verified address, for any of their tokens', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const [here, there] = [await proved(one, email), await proved(two, email)];
    const seen = await shopper(marketplace, here.token);
    expect(seen).toEqual({
      shopper_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      customers: accountsOf([one, here], [two, there]),
      orders_count: 0,
      addresses: [],
    });
    expect(await shopper(marketplace, there.token)).toEqual(seen);
    const { headers } = await profile(marketplace, here.token);
    expect(headers.get('vary')).toContain('X-Customer-Token');
  });

  test('counts the orders of all joined accounts that are not cancelled, and shows each address once', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const accounts = [await proved(one, email), await proved(two, email)];
    const home = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
    const orders: string[] = [];
    for (const [at, member] of [one, two].entries()) {
      const { id, token } = accounts[at]!;
      const addresses = at === 0 ? [home] : [home, { ...home, line1: '1 Kenyatta Avenue' }];
      const written = await member.send('PATCH', `/v1/customers/${id}`, { addresses }, { 'x-auth-token': token });
      expect(written.status, written.text).toBe(200);
      for (let count = 0; count < 2; count++) {
        const items = [{ variant_id: member.variants[0], quantity: 1 }];
        const { body } = await member.sign('POST', '/v1/orders', { items, customer_id: id });
        orders.push(body.order.id);
      }
    }
    await one.sign('PATCH', `/v1/orders/${orders[0]}`, { order_status: 'cancelled' });
    const seen = await shopper(marketplace, accounts[1]!.token);
    expect(seen.orders_count).toBe(3);
    expect(seen.addresses.map(({ line1 }: { line1: string }) => line1).sort()).toEqual([
      '1 Kenyatta Avenue',
      '12 Moi Avenue',
    ]);
  });

  test('shows a single account, without others’ orders, for an unverified address', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const owner = await proved(one, email);
    const items = [{ variant_id: one.variants[0], quantity: 1 }];
    await one.sign('POST', '/v1/orders', { items, customer_id: owner.id });
    const thief = await register(two, email);
    const claimed = await shopper(marketplace, thief.token);
    expect(claimed).toMatchObject({ customers: accountsOf([two, thief]), orders_count: 0, addresses: [] });
    const own = await shopper(marketplace, owner.token);
    expect(own).toMatchObject({ customers: accountsOf([one, owner]), orders_count: 1 });
    expect(own.shopper_id).not.toBe(claimed.shopper_id);
    // Once verified there, too, both accounts join.
    const now = await prove(two, email);
    expect(await shopper(marketplace, now.token)).toEqual({ ...own, customers: accountsOf([one, owner], [two, now]) });
  });

  test('ignores a merchant’s own assertion, and joins an identity provider’s known subject', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const owner = await proved(one, email);
    const secret = ok(
      await stoa.services.runtime.ask('StoreAdmin/CreateExternalAuthSecret', NO_TENANT, {
        store: two.store,
        environment: 'sandbox',
      }),
    ).external_auth_secret;
    const nowS = Math.floor(stoa.clock.real() / 1_000);
    const assertion = await new SignJWT({ aud: two.store, sub: 'crm-1', email, iat: nowS, exp: nowS + 600 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret));
    const asserted = await two.send('GET', `/v1/customers?email=${email}`);
    expect(asserted.body.customers).toEqual([]);
    const unknownCustomer = `/v1/customers/${randomUUID()}`;
    expect((await two.send('GET', unknownCustomer, undefined, { 'x-external-auth': assertion })).status).not.toBe(401);
    const [account] = (await two.send('GET', `/v1/customers?email=${email}`)).body.customers;
    expect(account.external_id).toBe('crm-1');
    expect((await shopper(marketplace, owner.token)).customers).toEqual(accountsOf([one, owner]));

    const verifier = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ subject: 'crm-1', email }),
    });
    try {
      const idp = { verifier_url: `http://127.0.0.1:${verifier.port}/` };
      expect((await two.send('PATCH', '/v1/store', { idp })).status).toBe(200);
      expect((await two.send('GET', unknownCustomer, undefined, { 'x-idp-token': 'opaque' })).status).not.toBe(401);
      const there = { id: account.id, token: '' };
      expect((await shopper(marketplace, owner.token)).customers).toEqual(accountsOf([one, owner], [two, there]));
    } finally {
      await verifier.stop(true);
    }
  });

  test('drops an account whose address has changed', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const [here, there] = [await proved(one, email), await proved(two, email)];
    const moved = await two.send(
      'PATCH',
      `/v1/customers/${there.id}`,
      { email: fresh() },
      { 'x-auth-token': there.token },
    );
    expect(moved.status, moved.text).toBe(200);
    expect((await shopper(marketplace, here.token)).customers).toEqual(accountsOf([one, here]));
    expect((await shopper(marketplace, there.token)).customers).toEqual(accountsOf([two, there]));
  });

  test('refuses missing tokens and tokens of other operators or environments', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one] = marketplace.members as [Member];
    const { token } = await proved(one, fresh());
    const other = await openMarketplace(stoa);
    const asked = (key: string) =>
      stoa.send('GET', '/v1/marketplace/shopper', { key, headers: { 'X-Customer-Token': token } });
    for (const reply of [
      await profile(marketplace),
      await profile(marketplace, ''),
      await profile(marketplace, 'at_nothing'),
      await profile(marketplace, 'x'.repeat(2_000)),
      await profile(other, token),
      await asked(marketplace.operator.operator_key),
      await marketplace.send('GET', `/v1/marketplace/shopper?customer_token=${token}`),
    ])
      expect(refusalFields(reply)).toEqual([401, 'unauthorized', undefined]);
    expect((await asked(one.keys.secret_test_key)).status).toBe(403);
    expect((await profile(marketplace, token)).headers.get('cache-control')).toBe('private, no-store');
    clock.advance(3_600_000);
    expect((await profile(marketplace, token)).status).toBe(401);
  });

  test('excludes merchants that have left the operator', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const email = fresh();
    const [here, there] = [await proved(one, email), await proved(two, email)];
    const leaving = { operator: marketplace.operator.operator_id, store: two.store, member: false };
    ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, leaving));
    expect((await shopper(marketplace, here.token)).customers).toEqual(accountsOf([one, here]));
    expect((await profile(marketplace, there.token)).status).toBe(401);
  });

  test('receives a separate id for each operator of a merchant', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 1 });
    const [one] = marketplace.members as [Member];
    const { token } = await proved(one, fresh());
    const other = await openOperator(stoa, [one.store]);
    const { body } = await stoa.send('GET', '/v1/marketplace/shopper', {
      key: other.operator_test_key,
      headers: { 'X-Customer-Token': token },
    });
    expect(body.shopper.customers).toHaveLength(1);
    expect(body.shopper.shopper_id).not.toBe((await shopper(marketplace, token)).shopper_id);
  });
});

describe('a checkout with X-Customer-Token', () => {
  test('belongs to the shopper at merchants with the verified address, and is anonymous at the others', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = marketplace.members as [Member, Member, Member];
    const email = fresh();
    const [here, there] = [await proved(one, email), await proved(two, email)];
    await register(three, email);
    const lines = marketplace.members.map((member) => lineOf(member));
    const placed = await marketplace.checkout(lines, { email }, { 'X-Customer-Token': here.token });
    expect(placed.status, placed.text).toBe(201);
    const customers = await Promise.all(
      marketplace.members.map(async (member) => (await member.orders())[0]!.customer_id),
    );
    expect(customers).toEqual([here.id, there.id, null]);
    expect(await shopper(marketplace, there.token)).toMatchObject({ orders_count: 2 });
  });

  test('refuses an invalid token and places no order', async () => {
    const marketplace = await openMarketplace(stoa);
    const outsider = await openMarketplace(stoa);
    const { token } = await proved(outsider.members[0]!, fresh());
    for (const useless of [token, 'x'.repeat(2_000)]) {
      const reply = await marketplace.checkout(undefined, {}, { 'X-Customer-Token': useless });
      expect(refusalFields(reply)).toEqual([401, 'unauthorized', undefined]);
    }
    for (const member of marketplace.members) expect(await member.orders()).toEqual([]);
  });
});
