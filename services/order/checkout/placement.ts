// Places a checkout over several merchants: holds stock at all of them, then writes every order, the group and the
// idempotent answer in one transaction. Takes locks in the sequence of single orders (promotions before stock levels,
// each by merchant and id), so that competing checkouts wait for one another and never deadlock.
import { randomUUIDv7 } from 'bun';
import type { CheckoutGroup, CheckoutResponse, PlaceCheckoutRequest } from '#proto/gen/checkout.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { OrderClients } from '#services/order/client.ts';
import { orderDocument } from '#services/order/document.ts';
import { amountDue, type WholeOrder } from '#services/order/order.ts';
import { allocateStock, newOrder, paidIfNothingDue, placementEvents } from '#services/order/placement.ts';
import { type OrderPreparation, type PreparedOrder, releaseStock } from '#services/order/preparation.ts';
import { redeemPromotions } from '#services/order/promotion_use.ts';
import { ANSWER_STORED } from '#services/order/reservation.ts';
import { commitAttempts } from '#services/order/table/decision.ts';
import { type GroupOrder, type GroupRecord, insertGroup } from '#services/order/table/group.ts';
import { insertOrders } from '#services/order/table/order.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { MerchantDraft } from './draft.ts';

export interface ReservedMember extends Omit<MerchantDraft, 'draft'> {
  readonly prepared: PreparedOrder;
}

export interface CheckoutReservation {
  /** Returns the members in the given order. If one merchant refuses, releases the holds at the others. */
  hold(call: Call, members: readonly MerchantDraft[]): Promise<readonly ReservedMember[] | Refusal>;
  release(members: readonly ReservedMember[]): Promise<void>;
}

export const inLockOrder = <M extends Pick<MerchantDraft, 'tenant'>>(members: readonly M[]): M[] =>
  members.toSorted(({ tenant: a }, { tenant: b }) => (a.store < b.store ? -1 : 1));

export const openCheckoutReservation = (
  { log }: Pick<Runtime, 'log'>,
  clients: OrderClients,
  preparation: OrderPreparation,
): CheckoutReservation => {
  const release = async (members: readonly ReservedMember[]): Promise<void> => {
    const released = await Promise.allSettled(
      members.map(({ tenant, prepared }) => releaseStock(clients, { tenant }, prepared)),
    );
    for (const each of released)
      if (each.status === 'rejected')
        log.warn({ err: each.reason }, 'failed to release the stock of a checkout; its holds expire');
  };

  return {
    release,

    hold: async (call, members) => {
      const command = commandIdOf(call);
      const held: ReservedMember[] = [];
      const refusals: Refusal[] = [];
      const take = async ({ draft, ...member }: MerchantDraft): Promise<void> => {
        const prepared = await preparation.reserve(member.call, derivedId(command, member.tenant.store), draft);
        if (prepared instanceof Refusal) refusals.push(prepared);
        else held.push({ ...member, prepared });
      };
      const [first, ...others] = inLockOrder(members);
      try {
        // Holds at the first merchant before the others: of two checkouts that compete for the last units, one then
        // gets all.
        await take(first!);
        if (refusals.length === 0) {
          const taken = await Promise.allSettled(others.map(take));
          for (const each of taken) if (each.status === 'rejected') throw each.reason;
        }
      } catch (problem) {
        await release(held);
        throw problem;
      }
      if (refusals.length === 0)
        return members.map(({ tenant }) => held.find((member) => member.tenant.store === tenant.store)!);
      await release(held);
      return refusals[0]!;
    },
  };
};

const SETTLED: readonly GroupOrder['payment_status'][] = ['paid', 'partially_refunded', 'refunded'];

const isPaid = (orders: readonly GroupOrder[]): boolean =>
  orders.some(({ payment_status }) => SETTLED.includes(payment_status)) &&
  orders.every(({ order_status, payment_status }) => order_status === 'cancelled' || SETTLED.includes(payment_status));

export const groupDocument = (group: GroupRecord, orders: readonly GroupOrder[]): CheckoutGroup => {
  const currency = currencyOf(group.currency);
  const sum = (of: (order: GroupOrder) => number): number =>
    toMajor(
      orders.reduce((total, order) => total + of(order), 0),
      currency,
    );
  return {
    group_id: group.id,
    status: isPaid(orders) ? 'paid' : 'pending',
    email: group.email,
    currency: group.currency,
    total: sum(({ total_amount }) => total_amount),
    amount_due: sum(amountDue),
    orders: orders.map((order) => ({
      store_id: order.store,
      order_id: order.id,
      order_number: String(order.number),
      total: toMajor(order.total_amount, currency),
      amount_due: toMajor(amountDue(order), currency),
      order_status: order.order_status,
      payment_status: order.payment_status,
    })),
    created_at: group.created_at.toISOString(),
  };
};

interface MerchantOrder {
  readonly tenant: Tenant;
  readonly prepared: PreparedOrder;
  readonly order: WholeOrder;
}

export interface PlacedGroup {
  readonly answer: CheckoutResponse;
  readonly orders: readonly MerchantOrder[];
}

const merchantOrder = (
  tx: Transaction,
  { note }: PlaceCheckoutRequest,
  group: string,
  member: ReservedMember,
): MerchantOrder => {
  const { tenant, prepared } = member;
  const origin = { ...prepared.origin, id: group };
  const order = paidIfNothingDue(newOrder({ note: note ?? null }, { ...prepared, origin }, tx.clock.now(tenant)));
  return { tenant, prepared, order };
};

const emit = (tx: Transaction, orders: readonly MerchantOrder[]): Promise<void> =>
  tx.emitAll(
    orders.flatMap(({ tenant, order }) => {
      const createdAt = tx.clock.now(tenant);
      return placementEvents(order, orderDocument(tenant, order)).map((event) => ({ tenant, event, createdAt }));
    }),
  );

/** Called last in the transaction, because the rows of popular variants stay locked until the commit. */
const allocateAll = async (tx: Transaction, orders: readonly MerchantOrder[]): Promise<Refusal | null> => {
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
  const taken = orders.map(({ tenant, prepared }) => allocateStock(tx, tenant, prepared.origin.requested));
  const refusals = await Promise.all([...redeemed, ...taken]);
  return refusals.find((refusal) => refusal !== null) ?? null;
};

export const placeGroup = async (
  tx: Transaction,
  { tenant: operator }: Call,
  input: PlaceCheckoutRequest,
  members: readonly ReservedMember[],
): Promise<PlacedGroup | Refusal> => {
  const id = randomUUIDv7();
  const shown = members.map((member) => merchantOrder(tx, input, id, member));
  const orders = inLockOrder(shown);
  const group: GroupRecord = {
    id,
    email: input.email,
    currency: shown[0]!.order.currency,
    created_at: tx.clock.now(operator),
  };
  // Pipelines the statements; Postgres runs them in the written sequence.
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
  if (decided.some((before) => before.length > 0)) return ANSWER_STORED;
  const refusal = await allocateAll(tx, orders);
  if (refusal) return refusal;
  const shownOrders = shown.map(({ tenant, order }) => ({ ...order, store: tenant.store }));
  return { answer: { checkout: groupDocument(group, shownOrders) }, orders };
};
