// The one transaction that is a checkout: every merchant's order with its decision, stock, promotion uses and events, and
// the group that they belong to. All of it is committed with the idempotent answer, or none of it is.
//
// Locks are taken in one order, as any single order takes its own: promotions before levels, of each kind by merchant and
// then by id. Checkouts that want the same things therefore wait for one another, and never lock one another out.
import { randomUUIDv7 } from 'bun';
import type { CheckoutResponse, PlaceCheckoutRequest } from '#proto/gen/checkout.ts';
import type { Call, Refusal, Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { orderDocument } from '#services/order/document.ts';
import type { WholeOrder } from '#services/order/order.ts';
import { eventsOf, LATE, orderOf, settled, takeAll } from '#services/order/placing.ts';
import type { PreparedOrder } from '#services/order/preparation.ts';
import { redeemPromotions } from '#services/order/promotion_use.ts';
import { commitAttempts } from '#services/order/table/decision.ts';
import { type GroupRecord, insertGroup } from '#services/order/table/group.ts';
import { insertOrders } from '#services/order/table/order.ts';
import { groupDocument } from './document.ts';
import { inLockOrder, type PlacedMember } from './reservation.ts';

/** A merchant's order in the making. */
interface Made {
  readonly tenant: Tenant;
  readonly prepared: PreparedOrder;
  readonly order: WholeOrder;
}

/** What was placed, for who tells of it. */
export interface PlacedGroup {
  readonly answer: CheckoutResponse;
  readonly orders: readonly Made[];
}

const made = (tx: Transaction, { note }: PlaceCheckoutRequest, group: string, member: PlacedMember): Made => {
  const { tenant, prepared } = member;
  const origin = { ...prepared.origin, id: group };
  const order = settled(orderOf({ note: note ?? null }, { ...prepared, origin }, tx.clock.now(tenant)));
  return { tenant, prepared, order };
};

const emit = (tx: Transaction, orders: readonly Made[]): Promise<void> =>
  tx.emitAll(
    orders.flatMap(({ tenant, order }) => {
      const createdAt = tx.clock.now(tenant);
      return eventsOf(order, orderDocument(tenant, order)).map((event) => ({ tenant, event, createdAt }));
    }),
  );

/** Last, since what many want is locked until the commit. */
const take = async (tx: Transaction, orders: readonly Made[]): Promise<Refusal | null> => {
  const redeemed = orders.map(({ tenant, prepared, order }) =>
    redeemPromotions(tx, tenant, {
      order: order.id,
      customer: prepared.customer,
      emails: prepared.emails,
      currency: prepared.currency,
      promotions: order.applied_promotions,
      promised: false,
    }),
  );
  const taken = orders.map(({ tenant, prepared }) => takeAll(tx, tenant, prepared.origin.wanted));
  const refusals = await Promise.all([...redeemed, ...taken]);
  return refusals.find((refusal) => refusal !== null) ?? null;
};

export const placeGroup = async (
  tx: Transaction,
  { tenant: operator }: Call,
  input: PlaceCheckoutRequest,
  members: readonly PlacedMember[],
): Promise<PlacedGroup | Refusal> => {
  const id = randomUUIDv7();
  const shown = members.map((member) => made(tx, input, id, member));
  const orders = inLockOrder(shown);
  const group: GroupRecord = {
    id,
    email: input.email,
    currency: shown[0]!.order.currency,
    created_at: tx.clock.now(operator),
  };
  // They travel together, and are done one after the other.
  const [decided] = await Promise.all([
    Promise.all(
      orders.map(({ tenant, prepared }) => commitAttempts(tx.sql, tenant, [prepared.attempt], tx.clock.now(tenant))),
    ),
    ...orders.map(({ tenant, order }) => insertOrders(tx.sql, tenant, [order])),
    insertGroup(
      tx.sql,
      operator,
      group,
      shown.map(({ tenant, order }) => ({ store: tenant.store, order: order.id })),
    ),
    emit(tx, orders),
  ]);
  if (decided.some((before) => before.length > 0)) return LATE;
  const refusal = await take(tx, orders);
  if (refusal) return refusal;
  const shownOrders = shown.map(({ tenant, order }) => ({ ...order, store: tenant.store }));
  return { answer: { checkout: groupDocument(group, shownOrders) }, orders };
};
