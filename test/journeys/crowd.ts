// A crowd for tests: many who want one piece of the same thing, by every way in which it is sold.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  as,
  asStore,
  clock,
  closeShop,
  insist,
  issue,
  keys,
  levelOf,
  newBuyer,
  newVariant,
  openShop,
  signed,
  stoa,
} from '#test/services/b2b/shop.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import type { Shopper } from '#test/support/session.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';

/** Stock of the contested variant. */
export const UNITS = 150;
export const OUT_OF_STOCK = [409, 'insufficient_stock'];

const INTENT_MS = 60 * 60_000;

let ada: Shopper;
/** In no session. */
const outsider: Shopper = { id: '', headers: {} };
let otherMerchant: Keys;
let ample: string;
let operatorKey: string;

/** The shop of wholesale, and a second merchant for checkouts over both. */
export const openCrowd = async (): Promise<void> => {
  await openShop({ plan: 'enterprise' });
  ada = await newBuyer();
  otherMerchant = await stoa.createStore({ plan: 'enterprise', country: 'KE' });
  ample = await newVariant({ stock: 1_000_000, shipping_info: { requires_shipping: false } }, otherMerchant);
  operatorKey = (await openOperator(stoa, [keys.store_id, otherMerchant.store_id])).operator_test_key;
};
export const closeCrowd = closeShop;

export const createScarceVariant = (stock = UNITS): Promise<string> =>
  newVariant({ stock, shipping_info: { requires_shipping: false } });
export const emailOf = (at: number): string => `shopper${at}@example.com`;
export const outcomeOf = ({ status, body }: Reply): unknown => (status < 300 ? 'sold' : [status, body.error.code]);

/** Buys one unit for one caller, who repeats the request until the answer is final. */
export type BuyOne = (variant: string, at: number) => Promise<Reply>;

let faults = 0;

const persist = (ask: (key: Record<string, string>) => Promise<Reply>): Promise<Reply> =>
  insist(async (key) => {
    const reply = await ask(key);
    if (reply.status >= 500) faults++;
    return reply;
  });

export const byOrder: BuyOne = (variant, at) => {
  const body = { items: [{ variant_id: variant, quantity: 1 }], email: emailOf(at) };
  return persist((key) => signed('POST', '/v1/orders', body, key));
};

export const startIntent: BuyOne = (variant, at) => {
  const wanted = { items: [{ variant_id: variant, quantity: 1 }], email: emailOf(at) };
  return persist((key) => as(outsider)('POST', '/v1/agent/checkout-intents', wanted, key));
};

export const orderIntent = (started: Reply): Promise<Reply> =>
  persist((key) => signed('POST', '/v1/orders', { checkout_intent_id: started.body.data.id }, key));

export const byIntent: BuyOne = async (variant, at) => {
  const started = await startIntent(variant, at);
  return started.status === 201 ? orderIntent(started) : started;
};

export const byCart: BuyOne = async (variant, at) => {
  const session = { 'X-Session-Id': randomUUID() };
  const line = { variant_id: variant, quantity: 1 };
  const added = await persist((key) => as(outsider)('POST', '/v1/cart/items', line, { ...session, ...key }));
  if (added.status !== 200) return added;
  const body = { cart: true, session_id: session['X-Session-Id'], email: emailOf(at) };
  return persist((key) => signed('POST', '/v1/orders', body, key));
};

export const byCheckout: BuyOne = (variant, at) => {
  const lines = [
    { store_id: keys.store_id, variant_id: variant, quantity: 1 },
    { store_id: otherMerchant.store_id, variant_id: ample, quantity: 1 },
  ];
  const address = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
  const body = { lines, email: emailOf(at), shipping_address: address };
  return persist((headers) => stoa.send('POST', '/v1/cart/checkout', { key: operatorKey, body, headers }));
};

/** Buys by a purchase order that is issued before the crowd arrives. */
export const byPurchaseOrder = async (variant: string): Promise<BuyOne> => {
  const { id } = await issue(ada, [{ variant_id: variant, quantity: 1, unit_price: 7.5 }]);
  return () => persist((key) => asStore()('POST', `/v1/b2b/purchase-orders/${id}/confirm`, undefined, key));
};

/** Ways of the callers, one after the other. */
export const mixBuyers = async (variant: string, callers: number): Promise<BuyOne[]> => {
  const agreed: BuyOne[] = [];
  for (let at = 0; at < callers; at += 20) agreed.push(await byPurchaseOrder(variant));
  return Array.from({ length: callers }, (_, at) =>
    at % 20 === 0 ? agreed[at / 20]! : [byOrder, byIntent, byCheckout, byCart][at % 4]!,
  );
};

/** All of them at once; how many were sold one, where the others were told that none is left. */
export const buyAtOnce = async (variant: string, ways: readonly BuyOne[]): Promise<number> => {
  const outcomes = (await Promise.all(ways.map((way, at) => way(variant, at)))).map(outcomeOf);
  const refused = outcomes.filter((each) => each !== 'sold');
  expect(refused).toEqual(refused.map(() => OUT_OF_STOCK));
  return ways.length - refused.length;
};

/**
 * Whether some callers since the last check got a temporary refusal, as on an overloaded machine. The hold of such an attempt
 * lasts until it is released, and others may be refused meanwhile.
 */
export const wasOverloaded = (): boolean => {
  const was = faults > 0;
  faults = 0;
  return was;
};

/** The catalogue and the stock actor agree at rest, and nothing is held. */
export const expectStock = async (variant: string, pieces: number): Promise<void> => {
  // Longer than an intent lasts, and than an undecided order.
  clock.advance(INTENT_MS);
  await eventually(async () => {
    expect(await levelOf(variant)).toEqual([pieces, pieces]);
    const tenant = { store: keys.store_id, environment: 'sandbox' } as const;
    const { levels } = ok(await stoa.services.runtime.ask('Stock/LookAtStock', tenant, { variant_ids: [variant] }));
    expect(levels).toMatchObject([{ on_hand: pieces, held: 0, available: pieces }]);
  }, 60_000);
};

/** Sells the rest to as many callers at once, and leaves none. */
export const sellRest = async (variant: string, pieces: number): Promise<void> => {
  await expectStock(variant, pieces);
  wasOverloaded();
  const sold = await buyAtOnce(variant, Array<BuyOne>(pieces + 5).fill(byOrder));
  if (!wasOverloaded()) expect(sold).toBe(pieces);
  await expectStock(variant, pieces - sold);
};
