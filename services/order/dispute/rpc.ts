// The rpc handlers of disputes, with their SQL.
import { randomUUIDv7 } from 'bun';
import type { DisputeResponse, DisputeRpcs, UpdateDisputeRequest } from '#proto/gen/dispute.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { storeCreditObstacle } from '#services/order/change.ts';
import { type ClaimFilter, listClaims } from '#services/order/claim_list.ts';
import type { OrderClients } from '#services/order/client.ts';
import { mailDispute } from '#services/order/mail.ts';
import type { WholeOrder } from '#services/order/order.ts';
import { type RecordedRefund, recordRefund, sendToProviders } from '#services/order/refund.ts';
import { lockOrder } from '#services/order/table/order.ts';
import { claimsOn } from '#services/order/table/return.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import {
  type DisputeRecord,
  type DisputeStatus,
  disputeDocument,
  disputeObstacle,
  misplaced,
  otherResolution,
} from './dispute.ts';

const columns = (sql: Sql) => sql`
  d.id, d.order_id, d.customer_id, d.status, d.reason_code, d.description, d.evidence_urls, d.resolution, d.amount,
  d.note, d.created_at, d.resolved_at, o.currency`;

const joined = (sql: Sql) => sql`
  from orders.dispute d
  join orders.order o on o.store = d.store and o.environment = d.environment and o.id = d.order_id`;

const findDispute = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  customer: string | null,
): Promise<DisputeRecord | null> => {
  const [row] = await sql<DisputeRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where d.store = ${store} and d.environment = ${environment} and d.id = ${id}
      ${customer === null ? sql`` : sql`and d.customer_id = ${customer}`}`;
  return row ?? null;
};

const pageOfDisputes = (sql: Sql, { store, environment }: Tenant, filter: ClaimFilter<DisputeStatus>) => {
  const { customer, order, status, before, limit } = filter;
  return sql<DisputeRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where d.store = ${store} and d.environment = ${environment}
      ${customer === null ? sql`` : sql`and d.customer_id = ${customer}`}
      ${order === null ? sql`` : sql`and d.order_id = ${order}`}
      ${status === null ? sql`` : sql`and d.status = ${status}`}
      ${before === null ? sql`` : sql`and (d.created_at, d.id) < (${before.createdAt}, ${before.id})`}
    order by d.created_at desc, d.id desc limit ${limit}`;
};

const isDisputed = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from orders.dispute
    where store = ${store} and environment = ${environment} and order_id = ${order}
      and status in ('open', 'under_review')`;
  return rows.length > 0;
};

const saveDispute = async (
  sql: Sql,
  { store, environment }: Tenant,
  { currency: _currency, evidence_urls, ...record }: DisputeRecord,
): Promise<void> => {
  const row = { store, environment, ...record, evidence_urls: sql.json([...evidence_urls]) };
  await sql`
    insert into orders.dispute ${sql(row)}
    on conflict (store, environment, id) do update set status = excluded.status, resolution = excluded.resolution,
      amount = excluded.amount, note = excluded.note, resolved_at = excluded.resolved_at`;
};

const PAID: readonly WholeOrder['payment_status'][] = ['paid', 'partially_refunded', 'refunded'];

const lockDispute = async (
  tx: Transaction,
  tenant: Tenant,
  id: string,
  customer: string | null,
): Promise<{ readonly given: DisputeRecord; readonly order: WholeOrder } | Refusal> => {
  const found = await findDispute(tx.sql, tenant, id, customer);
  if (found === null) return notFound('dispute');
  const order = await lockOrder(tx.sql, tenant, found.order_id);
  const given = await findDispute(tx.sql, tenant, id, customer);
  return order === null || given === null ? notFound('dispute') : { given, order };
};

const amountOf = (order: WholeOrder, { amount: major }: UpdateDisputeRequest): number | Refusal | null => {
  if (major == null) return null;
  const currency = currencyOf(order.currency);
  return toMinor(major, currency) ?? badAmount('amount', major, currency);
};

const pay = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  given: DisputeRecord,
  amount: number,
  resolution: UpdateDisputeRequest['resolution'],
): Promise<RecordedRefund | Refusal> => {
  const { reserved } = await claimsOn(tx.sql, tenant, order.id);
  return recordRefund(tx, tenant, order, {
    amount,
    reason: `Dispute: ${given.reason_code}`,
    returned: [],
    reserved,
    creditTo: resolution === 'store_credit' ? given.customer_id : null,
  });
};

export const disputeHandlers = (
  { postgres }: Pick<Runtime, 'postgres'>,
  clients: Pick<OrderClients, 'findCustomer' | 'refundPayments'>,
): Handlers<DisputeRpcs> => ({
  CreateDispute: transaction(async (tx, { tenant, customer }, input) => {
    const order = await lockOrder(tx.sql, tenant, input.order_id.toLowerCase());
    if (order === null || customer === null || order.customer_id !== customer) return notFound('order', 'order_id');
    if (!PAID.includes(order.payment_status))
      return refuse('conflict', 'Only a paid order can be disputed.', {
        param: 'order_id',
        details: `Its payment is ${order.payment_status}.`,
      });
    if (await isDisputed(tx.sql, tenant, order.id))
      return refuse('conflict', 'The order already has an open dispute.', { param: 'order_id' });
    const made: DisputeRecord = {
      id: randomUUIDv7(),
      order_id: order.id,
      customer_id: customer,
      status: 'open',
      reason_code: input.reason_code,
      description: input.description,
      evidence_urls: input.evidence_urls ?? [],
      resolution: null,
      amount: null,
      note: null,
      created_at: tx.clock.now(tenant),
      resolved_at: null,
      currency: order.currency,
    };
    await saveDispute(tx.sql, tenant, made);
    await mailDispute(tx, tenant, made, order);
    return { data: disputeDocument(made) };
  }),

  ListDisputes: query((sql, call, input) =>
    listClaims('disputes', call, input, (filter) => pageOfDisputes(sql, call.tenant, filter), disputeDocument),
  ),

  GetDispute: query(async (sql, { tenant, customer }, { id }) => {
    const found = await findDispute(sql, tenant, id, customer);
    return found === null ? notFound('dispute') : { data: disputeDocument(found) };
  }),

  UpdateDispute: staged<UpdateDisputeRequest, DisputeResponse, { readonly creditObstacle: Refusal | null }>({
    prepare: async (call, { id, resolution }) => {
      const found = resolution === 'store_credit' ? await findDispute(postgres.sql, call.tenant, id, null) : null;
      return { creditObstacle: found && (await storeCreditObstacle(clients, call, found.customer_id, 'resolution')) };
    },
    run: async (tx, call, input, { creditObstacle }) => {
      const { tenant } = call;
      const wrong = misplaced(input);
      if (wrong) return wrong;
      const held = await lockDispute(tx, tenant, input.id, null);
      if (held instanceof Refusal) return held;
      const { given, order } = held;
      const amount = amountOf(order, input);
      if (amount instanceof Refusal) return amount;
      const resolution = input.resolution ?? null;
      const status = input.status ?? given.status;
      const noted: DisputeRecord = { ...given, note: input.note ?? given.note };
      if (status === given.status) {
        const otherwise = input.status ? otherResolution(given, { status, resolution, amount }) : null;
        if (otherwise) return otherwise;
        if (noted.note !== given.note) await saveDispute(tx.sql, tenant, noted);
        return { data: disputeDocument(noted) };
      }
      const obstacle = disputeObstacle(given.status, status, 'status') ?? creditObstacle;
      if (obstacle) return obstacle;
      const made = amount === null ? null : await pay(tx, tenant, order, given, amount, input.resolution);
      if (made instanceof Refusal) return made;
      if (made) sendToProviders(tx, call, clients, order.id, made);
      const changed: DisputeRecord = {
        ...noted,
        status,
        resolution,
        amount,
        resolved_at: status === 'under_review' ? null : tx.clock.now(tenant),
      };
      await saveDispute(tx.sql, tenant, changed);
      await mailDispute(tx, tenant, changed, order);
      return { data: disputeDocument(changed) };
    },
    undo: () => {},
  }),

  CancelDispute: transaction(async (tx, { tenant, customer }, { id }) => {
    const held = await lockDispute(tx, tenant, id, customer);
    if (held instanceof Refusal) return held;
    const obstacle = disputeObstacle(held.given.status, 'cancelled');
    if (obstacle) return obstacle;
    const changed: DisputeRecord = { ...held.given, status: 'cancelled' };
    await saveDispute(tx.sql, tenant, changed);
    return { data: disputeDocument(changed) };
  }),
});
