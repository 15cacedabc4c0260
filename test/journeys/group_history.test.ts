// Random concurrent checkouts over up to twenty merchants, with every failure of one. All orders of a group exist or none
// does, every unit is where its orders say, and every merchant's ledger is balanced. STOA_GROUPS sets their number, STOA_SEED
// another history.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { CheckoutGroup } from '#proto/gen/checkout.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  type Line,
  lineOf,
  type Marketplace,
  type Member,
  openMarketplace,
  openMember,
} from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const GROUPS = Number(process.env.STOA_GROUPS ?? 150);
const SEED = Number(process.env.STOA_SEED ?? 20_261_124);
const MERCHANTS = 20;
const VARIANTS = 2;
const AT_ONCE = 8;
/** So few that some checkouts find too little of something. */
const STOCK = Math.ceil(GROUPS * 0.4);

let stoa: Stoa;
let marketplace: Marketplace;
let outsider: Member;
beforeAll(async () => {
  stoa = await sharedStoa();
  marketplace = await openMarketplace(stoa, { merchants: MERCHANTS, variants: VARIANTS, stock: STOCK });
  outsider = await openMember(stoa);
  for (const [at, { send }] of marketplace.members.entries()) {
    if (at % 4 === 0) await send('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 });
    const few = { name: 'Few', type: 'percentage', value: 25, code: 'FEW', usage_limit: 3, status: 'active' };
    if (at % 4 === 1) await send('POST', '/v1/promotions', few);
  }
}, 120_000);

const checkoutPlan = fc.record({
  merchants: fc.shuffledSubarray([...Array(MERCHANTS).keys()], { minLength: 2 }),
  variants: fc.integer({ min: 1, max: VARIANTS }),
  quantity: fc.integer({ min: 1, max: 2 }),
  fault: fc.constantFrom('none', 'none', 'none', 'none', 'code', 'sold out', 'crossed', 'forged'),
  which: fc.nat(),
  after: fc.constantFrom('nothing', 'cancel', 'fail', 'pay', 'pay and cancel', 'pay and refund'),
});
type CheckoutPlan = typeof checkoutPlan extends fc.Arbitrary<infer T> ? T : never;

const disturbance = fc.record({
  kind: fc.constantFrom('none', 'lapses', 'leaves'),
  merchant: fc.nat({ max: MERCHANTS - 1 }),
});
type Disturbance = typeof disturbance extends fc.Arbitrary<infer T> ? T : never;

const linesOf = ({ merchants, variants, quantity, fault, which }: CheckoutPlan): readonly Line[] => {
  const lines = merchants.flatMap((at) => {
    const member = marketplace.members[at]!;
    return member.variants.slice(0, variants).map((variant) => lineOf(member, quantity, variant));
  });
  const spoilt = {
    'sold out': { quantity: STOCK + 1 },
    // One store's thing in the name of another, and a store that is not the operator's.
    crossed: { variant_id: outsider.variants[0]! },
    forged: { store_id: outsider.store },
    code: {},
    none: {},
  }[fault];
  const at = which % lines.length;
  return lines.with(at, { ...lines[at]!, ...spoilt });
};

/** Makes a merchant lapse or leave during checkouts, and return. */
const disturb = async ({ kind, merchant }: Disturbance): Promise<void> => {
  const { store } = marketplace.members[merchant]!;
  const { ask } = stoa.services.runtime;
  for (const gone of [true, false]) {
    if (kind === 'lapses') ok(await ask('StoreAdmin/SetLapsed', NO_TENANT, { store, lapsed: gone }));
    const member = { operator: marketplace.operator.operator_id, store, member: !gone };
    if (kind === 'leaves') ok(await ask('StoreAdmin/SetMerchant', NO_TENANT, member));
  }
};

const minor = (amount: number): number => Math.round(amount * 100);

/** Continues a placed group; answers its merchants' expected revenue, in minor units. */
const continueGroup = async (
  { group_id, orders, amount_due }: CheckoutGroup,
  after: CheckoutPlan['after'],
): Promise<number[]> => {
  const [first] = orders;
  const { store_id, order_id } = first!;
  const { sign, send } = marketplace.members.find(({ store }) => store === store_id)!;
  const cancel = () => sign('PATCH', `/v1/orders/${order_id}`, { order_status: 'cancelled' });
  if (after === 'cancel') await cancel();
  if (after === 'nothing' || after === 'cancel') return [0];
  const started = await marketplace.send('POST', `/v1/cart/checkout/${group_id}/pay`, { provider: 'card_checkout' });
  // Everything is paid where everything costs nothing.
  expect(started.status, started.text).toBe(200);
  const decide = (outcome: string) =>
    marketplace.send('POST', `/v1/sandbox/payments/${started.body.reference}`, { outcome });
  if (after === 'fail') {
    await decide('fail');
    return [0];
  }
  // Reported twice, and beside a cancellation that may come too late for it.
  await Promise.all([decide('succeed'), decide('succeed'), ...(after === 'pay and cancel' ? [cancel()] : [])]);
  const all = minor(amount_due);
  // An order cancelled before its payment refunds it; one cancelled afterwards keeps it until a refund.
  if (after === 'pay and cancel') return [all, all - minor(first!.amount_due)];
  if (after === 'pay') return [all];
  expect((await send('POST', `/v1/orders/${order_id}/refunds`, { amount: 1 })).status).toBe(201);
  return [all - 100];
};

const ordersOf = async ({ send }: Member): Promise<StoreOrder[]> => {
  const orders: StoreOrder[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await send('GET', `/v1/orders?limit=100${cursor && `&cursor=${cursor}`}`);
    orders.push(...body.orders);
    if (!body.pagination.has_more) return orders;
    cursor = body.pagination.next_cursor;
  }
};

/** In minor units, by order: what came into it and stayed, and what payments gave for it. */
const entriesOf = async ({
  store,
}: Member): Promise<ReadonlyMap<string, readonly [revenue: number, given: number]>> => {
  const rows = await stoa.services.runtime.postgres.sql<{ order: string; revenue: number; given: number }[]>`
    select p.order_id as order, coalesce(sum(e.amount) filter (where e.kind = 'order'), 0)::int as revenue,
      coalesce(-sum(e.amount) filter (where e.kind = 'payment'), 0)::int as given
    from ledger.posting p join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
    where p.store = ${store} and p.order_id is not null group by p.order_id`;
  return new Map(rows.map(({ order, revenue, given }) => [order, [revenue, given]]));
};

interface Audited {
  readonly group: string;
  readonly order: string;
  /** The merchant's revenue in minor units, by the order and by the ledger. */
  readonly revenue: number;
  readonly given: number;
}

/** Checks a merchant's stock and ledger against its orders; answers the orders. */
const audit = async (member: Member, context: string): Promise<readonly Audited[]> => {
  const orders = await ordersOf(member);
  for (const variant of member.variants) {
    const items = orders.filter((each) => each.order_status !== 'cancelled').flatMap((each) => each.items);
    const sold = items.filter((each) => each.variant_id === variant).reduce((sum, each) => sum + each.quantity, 0);
    const left = STOCK - sold;
    await eventually(async () =>
      expect(await member.level(variant), context).toMatchObject({ on_hand: left, held: 0, available: left }),
    );
  }
  const { ask } = stoa.services.runtime;
  const books = ok(await ask('LedgerAdmin/GetTrialBalance', NO_TENANT, { store: member.store }));
  expect(books.balanced, context).toBe(true);
  return eventually(async () => {
    const entries = await entriesOf(member);
    return (await ordersOf(member)).map(({ checkout_group_id, id, amount_paid, amount_refunded }) => {
      const revenue = minor(amount_paid) - minor(amount_refunded);
      const given = entries.get(id)?.[1] ?? 0;
      expect([entries.get(id)?.[0] ?? 0, given], `${context}: the share of ${member.store} in ${id}`).toEqual([
        revenue,
        revenue,
      ]);
      return { group: String(checkout_group_id), order: `${member.store}/${id}`, revenue, given };
    });
  });
};

const sumOf = (shares: readonly Audited[], part: 'revenue' | 'given'): number =>
  shares.reduce((sum, share) => sum + share[part], 0);

test(`${GROUPS} random checkouts leave all orders or none, and nothing astray (seed ${SEED})`, async () => {
  const plans = fc.sample(checkoutPlan, { numRuns: GROUPS, seed: SEED });
  const disturbances = fc.sample(disturbance, { numRuns: GROUPS, seed: SEED });
  const placed: CheckoutGroup[] = [];
  const mayKeep = new Map<string, readonly number[]>();
  for (let done = 0; done < GROUPS; done += AT_ONCE) {
    const wave = plans.slice(done, done + AT_ONCE);
    const disturbed = disturb(disturbances[done]!);
    const replies = await Promise.all(
      wave.map((each) =>
        marketplace.checkout(linesOf(each), each.fault === 'code' ? { promotion_codes: ['FEW'] } : {}),
      ),
    );
    await disturbed;
    for (const { status, text } of replies) expect([201, 400, 404, 409], text).toContain(status);
    const fresh = replies.flatMap(({ status, body }, at) =>
      status === 201 ? [{ group: body.checkout as CheckoutGroup, after: wave[at]!.after }] : [],
    );
    placed.push(...fresh.map(({ group }) => group));
    await Promise.all(
      fresh.map(async ({ group, after }) => {
        mayKeep.set(group.group_id, await continueGroup(group, after));
      }),
    );
  }
  const context = `${placed.length} of ${GROUPS} placed, seed ${SEED}`;
  expect(placed.length, context).toBeGreaterThan(GROUPS / 8);
  expect(placed.length, context).toBeLessThan((GROUPS * 7) / 8);

  const found = (await Promise.all(marketplace.members.map((member) => audit(member, context)))).flat();
  const wanted = placed.flatMap(({ group_id, orders }) =>
    orders.map(({ store_id, order_id }) => [group_id, `${store_id}/${order_id}`]),
  );
  expect(found.map(({ group, order }) => [group, order]).toSorted(), context).toEqual(wanted.toSorted());
  // Each merchant has its share, and together they have what the group's payment gave.
  for (const [group, shares] of Map.groupBy(found, (each) => each.group)) {
    const [revenue, given] = [sumOf(shares, 'revenue'), sumOf(shares, 'given')];
    expect(given, `${context}: ${group}`).toBe(revenue);
    expect(mayKeep.get(group), `${context}: ${group}`).toContain(revenue);
  }
  expect(await outsider.orders()).toEqual([]);
  console.info(context);
}, 900_000);
