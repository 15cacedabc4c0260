// Lists of a variant's holds over HTTP: checkouts, and orders that are being placed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InventoryUnitHold } from '#proto/gen/inventory.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { EMAIL, items, openShop, type Shop } from '#test/services/agent/shop.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const MINUTE_MS = 60_000;

let clock: ManualClock;
let stoa: Stoa;
let shop: Shop;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa?.stop());
beforeEach(async () => {
  shop = await openShop(stoa, { stock: 100 });
});

const tenant = () => ({ store: shop.store_id, environment: 'production' }) as const;
const path = (query = '') => `/v1/inventory/${shop.variant}/holds${query}`;
const holds = async (): Promise<readonly InventoryUnitHold[]> =>
  (await shop.read(`/v1/inventory/${shop.variant}/holds`)).body.holds;
const begin = async (quantity: number) =>
  (await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, quantity), email: EMAIL })).body.data;

test('names the checkout of a hold, since when and until when, and follows its changes', async () => {
  expect(await holds()).toEqual([]);
  const intent = await begin(3);
  const [hold] = await holds();
  expect(hold).toEqual({
    id: expect.any(String),
    quantity: 3,
    type: 'checkout',
    checkout_intent_id: intent.id,
    order_id: null,
    agent: null,
    created_at: intent.created_at,
    expires_at: hold!.expires_at,
  });
  expect(Math.abs(Date.parse(hold!.expires_at!) - Date.parse(intent.expires_at))).toBeLessThanOrEqual(1_000);
  const changed = await shop.ask('PATCH', `/v1/agent/checkout-intents/${intent.id}`, { items: items(shop, 5) });
  expect(changed.status, changed.text).toBe(200);
  expect((await holds()).map(({ quantity }) => quantity)).toEqual([5]);
  await shop.order({ checkout_intent_id: intent.id });
  await eventually(async () => expect(await holds()).toEqual([]));
});

test('names the assistant that began the checkout', async () => {
  const { ask } = stoa.services.runtime;
  const reply = await ask('AgentSession/BeginCheckout', tenant(), {
    checkout: { items: items(shop, 1) },
    agent: { name: 'Example Assistant', protocol: 'mcp' },
  });
  const { data } = ok(reply);
  expect(await holds()).toMatchObject([{ agent: 'Example Assistant', checkout_intent_id: data.id }]);
});

test('lists the first to end first, and requests that broke off until they expire', async () => {
  const { ask } = stoa.services.runtime;
  const intent = await begin(1);
  const at = (ms: number) => new Date(clock.now(tenant()).getTime() + ms).toISOString();
  for (const [quantity, minutes] of [
    [2, 2],
    [4, 1],
  ] as const)
    ok(
      await ask('Stock/HoldStock', tenant(), {
        hold_id: randomUUID(),
        lines: [{ variant_id: shop.variant, quantity }],
        expires_at: at(minutes * MINUTE_MS),
      }),
    );
  expect((await holds()).map(({ type, quantity, expires_at }) => [type, quantity, expires_at === null])).toEqual([
    ['request', 4, false],
    ['request', 2, false],
    ['checkout', 1, false],
  ]);
  const units = (await holds()).reduce((sum, { quantity }) => sum + quantity, 0);
  await eventually(async () => expect(await shop.available()).toBe(100 - units));
  clock.advance(3 * MINUTE_MS);
  expect((await holds()).map(({ checkout_intent_id }) => checkout_intent_id)).toEqual([intent.id]);
});

test('goes on page after page', async () => {
  for (const quantity of [1, 2, 3]) await begin(quantity);
  const first = (await shop.read(path('?limit=2'))).body;
  expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
  const rest = (await shop.read(path(`?limit=2&cursor=${first.pagination.next_cursor}`))).body;
  expect(rest.pagination).toEqual({ limit: 2, has_more: false, next_cursor: null });
  expect([...first.holds, ...rest.holds]).toEqual(await holds());
  const foreign = await shop.read(path(`?cursor=${first.pagination.next_cursor}x`));
  expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
});

test('requires a secret key of the variant’s own store and environment', async () => {
  await begin(1);
  const other = await openShop(stoa);
  expect((await other.read(path())).status).toBe(404);
  expect((await stoa.send('GET', `/v1/inventory/${shop.variant}/holds`, { key: shop.secret_test_key })).status).toBe(
    404,
  );
  expect((await shop.ask('GET', path())).status).toBe(403);
});
