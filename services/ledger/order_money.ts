// Money of an order: payments it receives, and refunds to the sources that paid.
import { randomUUIDv7 } from 'bun';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText } from '#values/money.ts';
import type { Account } from './account.ts';
import { refundDestinationOf } from './gift_card.ts';
import { lockBalance, post } from './posting.ts';
import { creditOf } from './store_credit.ts';

export interface LedgerShare {
  readonly source: Account & { readonly kind: 'payment' | 'elsewhere' | 'store_credit' | 'gift_card' };
  readonly amount: number;
}

export interface ReturnedShare extends LedgerShare {
  readonly to: Account;
}

const REFUND_ORDER: readonly LedgerShare['source']['kind'][] = ['payment', 'elsewhere', 'store_credit', 'gift_card'];

const orderAccount = (order: string): Account => ({ kind: 'order', subject: order });

/** Returns the amount of each source after refunds, in the sequence in which refunds draw on the sources. */
export const sharesOf = async (sql: Sql, tenant: Tenant, order: string, currency: string): Promise<LedgerShare[]> => {
  const rows = await sql<{ kind: LedgerShare['source']['kind']; subject: string; amount: number }[]>`
    select e.kind, e.subject, (-sum(e.amount))::bigint as amount
    from ledger.posting p
    join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
    where p.store = ${tenant.store} and p.environment = ${tenant.environment} and p.order_id = ${order}
      and p.currency = ${currency} and e.kind = any(${REFUND_ORDER as string[]}::text[])
    group by e.kind, e.subject having sum(e.amount) < 0
    order by array_position(${REFUND_ORDER as string[]}::text[], e.kind), min(p.id::text)`;
  return rows.map(({ kind, subject, amount }) => ({ source: { kind, subject }, amount }));
};

/**
 * Makes other payments of the order wait until the transaction ends. Callers must lock an order's rows before this lock
 * and payments' rows after it, to avoid deadlocks.
 */
export const lockPayments = async (tx: Transaction, { store, environment }: Tenant, order: string): Promise<void> => {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended(${`paying ${store} ${environment} ${order}`}, 0))`;
};

export const isClosedToPayment = (tx: Transaction, tenant: Tenant, order: string, payment: string): Promise<boolean> =>
  isClosedTo(tx, tenant, order, `payment/${payment}`);

interface IncomingPayment {
  readonly kind: 'payment_received' | 'paid_elsewhere';
  readonly reference: string;
  readonly source: Account & { readonly kind: 'payment' | 'elsewhere' };
  readonly order: string | null;
  readonly currency: string;
  readonly amount: number;
}

/**
 * Makes other payments wait and returns whether another posting paid or cancelled the order. The query is a separate
 * statement, so that its snapshot includes what the previous lock holder committed.
 */
const isClosedTo = async (
  tx: Transaction,
  { store, environment }: Tenant,
  order: string,
  reference: string,
): Promise<boolean> => {
  const [, found] = await Promise.all([
    lockPayments(tx, { store, environment }, order),
    tx.sql`
      select from ledger.posting
      where store = ${store} and environment = ${environment} and order_id = ${order}
        and kind in ('payment_received', 'paid_elsewhere', 'order_cancelled') and reference <> ${reference}
      limit 1`,
  ]);
  return found.length > 0;
};

/**
 * Posts a payment. An order accepts one, since a payment always covers the whole amount due; a provider's surplus
 * payment becomes a deposit.
 */
const receive = async (
  tx: Transaction,
  tenant: Tenant,
  { kind, reference, source, order, currency, amount }: IncomingPayment,
): Promise<'received' | 'surplus' | null> => {
  const surplus = order !== null && (await isClosedTo(tx, tenant, order, reference));
  if (surplus && source.kind === 'elsewhere') return 'surplus';
  const payee = surplus ? null : order;
  const posted = await post(tx, tenant, {
    kind,
    reference,
    order: payee ?? undefined,
    currency,
    moves: [{ from: source, to: accountOfPayment(source.subject, payee), amount }],
  });
  if (posted === null) return null;
  return surplus ? 'surplus' : 'received';
};

/**
 * Posts a provider's payment to its order, or as a deposit. Returns `surplus` if the order was already paid or
 * cancelled, so that the caller refunds it; null if the payment was posted before.
 */
export const receivePayment = (
  tx: Transaction,
  tenant: Tenant,
  paid: {
    readonly payment: string;
    readonly order: string | null;
    readonly currency: string;
    readonly amount: number;
  },
): Promise<'received' | 'surplus' | null> =>
  receive(tx, tenant, {
    ...paid,
    kind: 'payment_received',
    reference: `payment/${paid.payment}`,
    source: { kind: 'payment', subject: paid.payment },
  });

/** Posts a payment that the merchant received outside of any provider. Returns false if the order was paid before. */
export const receiveElsewhere = async (
  tx: Transaction,
  tenant: Tenant,
  paid: { readonly order: string; readonly currency: string; readonly amount: number },
): Promise<boolean> => {
  const outcome = await receive(tx, tenant, {
    ...paid,
    kind: 'paid_elsewhere',
    reference: `order/${paid.order}/elsewhere`,
    source: { kind: 'elsewhere', subject: paid.order },
  });
  return outcome === 'received';
};

/** Posts the payment of an invoice, the only kind of payment that may pay an order in parts. */
export const receiveInvoice = async (
  tx: Transaction,
  tenant: Tenant,
  paid: {
    readonly invoice: string;
    readonly order: string;
    readonly currency: string;
    readonly amount: number;
    readonly reason?: string | undefined;
  },
): Promise<void> => {
  await lockPayments(tx, tenant, paid.order);
  const posted = await post(tx, tenant, {
    kind: 'paid_elsewhere',
    reference: `invoice/${paid.invoice}`,
    order: paid.order,
    currency: paid.currency,
    reason: paid.reason,
    moves: [{ from: { kind: 'elsewhere', subject: paid.order }, to: orderAccount(paid.order), amount: paid.amount }],
  });
  if (posted === null) throw new Error(`invoice ${paid.invoice} was paid before`);
};

interface RefundAmount {
  readonly order: string;
  readonly currency: string;
  readonly amount: number;
  readonly reserved?: number;
}

/**
 * Returns the refusal if less than the amount can be refunded. Locks the order's balance until the transaction ends.
 */
export const balanceObstacle = async (
  tx: Transaction,
  tenant: Tenant,
  { order, currency, amount, reserved = 0 }: RefundAmount,
): Promise<Refusal | null> => {
  const left = Math.max(0, (await lockBalance(tx, tenant, orderAccount(order), currency)) - reserved);
  if (left >= amount) return null;
  return refuse('conflict', 'That is more than the order still holds.', {
    param: 'amount',
    details: `${majorText(left, currencyOf(currency))} ${currency} can be refunded.`,
  });
};

export const refundAsCredit = async (
  tx: Transaction,
  tenant: Tenant,
  wanted: RefundAmount & { readonly refund: string; readonly customer: string; readonly reason?: string | undefined },
): Promise<string | Refusal> => {
  const short = await balanceObstacle(tx, tenant, wanted);
  if (short) return short;
  const to = creditOf(wanted.customer);
  const posted = await post(tx, tenant, {
    kind: 'refunded',
    reference: refundReference(wanted.refund, to),
    order: wanted.order,
    currency: wanted.currency,
    reason: wanted.reason,
    moves: [{ from: orderAccount(wanted.order), to, amount: wanted.amount }],
  });
  if (posted === null) throw new Error(`refund ${wanted.refund} was credited before`);
  return posted;
};

/**
 * Refunds to the sources that paid. The caller sends the shares of kind `payment` through their providers. Concurrent
 * refunds of an order wait for each other.
 */
export const refundOrder = async (
  tx: Transaction,
  tenant: Tenant,
  wanted: {
    readonly refund: string;
    readonly order: string;
    readonly currency: string;
    readonly amount: number;
    readonly reason?: string | undefined;
    /** Customer who gets store credit for a disabled or expired gift card; null if the card is reopened. */
    readonly creditor: string | null;
    /** True if the order is unpaid: value returned to cards and credit then does not count as a refund. */
    readonly unpaid?: boolean;
    readonly reserved?: number;
  },
): Promise<readonly ReturnedShare[] | Refusal> => {
  const short = await balanceObstacle(tx, tenant, wanted);
  if (short) return short;
  const parts: LedgerShare[] = [];
  let left = wanted.amount;
  for (const { source, amount } of await sharesOf(tx.sql, tenant, wanted.order, wanted.currency)) {
    if (left === 0) break;
    const part = Math.min(left, amount);
    parts.push({ source, amount: part });
    left -= part;
  }
  if (left > 0) throw new Error(`order ${wanted.order} holds more than its sources paid`);
  // Posts each share separately, because a provider may later deny one share, and then only that posting is reversed.
  const returned = await destinationsOf(tx, tenant, parts, wanted.creditor);
  for (const { source, to, amount } of returned)
    await post(tx, tenant, {
      kind: wanted.unpaid && isValue(source) ? 'value_returned' : 'refunded',
      reference: refundReference(wanted.refund, source),
      order: wanted.order,
      currency: wanted.currency,
      reason: wanted.reason,
      moves: [{ from: orderAccount(wanted.order), to, amount }],
    });
  return inOrderOf(parts, returned);
};

const destinationsOf = async (
  tx: Transaction,
  tenant: Tenant,
  parts: readonly LedgerShare[],
  creditor: string | null,
): Promise<ReturnedShare[]> => {
  const returned: ReturnedShare[] = [];
  for (const part of inLockOrder(parts)) {
    const { kind, subject } = part.source;
    const to = kind === 'gift_card' ? await refundDestinationOf(tx, tenant, subject, creditor) : part.source;
    returned.push({ ...part, to });
  }
  return returned;
};

const inOrderOf = (parts: readonly LedgerShare[], returned: readonly ReturnedShare[]): ReturnedShare[] =>
  returned.toSorted((a, b) => indexOf(parts, a) - indexOf(parts, b));
const indexOf = (parts: readonly LedgerShare[], { source }: LedgerShare): number =>
  parts.findIndex((part) => part.source === source);

const isValue = ({ kind }: Account): boolean => kind === 'gift_card' || kind === 'store_credit';

const refundReference = (refund: string, { kind, subject }: Account): string => `refund/${refund}/${kind}/${subject}`;

export const partsThroughProviders = (sql: Sql, { store, environment }: Tenant, order: string, refund: string) => sql<
  { readonly payment: string; readonly amount: number; readonly reason: string | null }[]
>`
  select e.subject as payment, e.amount, p.reason
  from ledger.posting p
  join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
    and e.kind = 'payment'
  where p.store = ${store} and p.environment = ${environment} and p.order_id = ${order}
    and p.kind = 'refunded' and starts_with(p.reference, ${`refund/${refund}/payment/`})`;

const inLockOrder = (parts: readonly LedgerShare[]): LedgerShare[] =>
  parts.toSorted(({ source: a }, { source: b }) => (`${a.kind}/${a.subject}` < `${b.kind}/${b.subject}` ? -1 : 1));

const accountOfPayment = (payment: string, order: string | null): Account =>
  order === null ? { kind: 'deposit', subject: payment } : orderAccount(order);

/** Reverses the share of a refund that its provider denied. Returns false if it was reversed before. */
export const reverseRefund = async (
  tx: Transaction,
  tenant: Tenant,
  failed: {
    readonly refund: string;
    readonly order: string | null;
    readonly currency: string;
    readonly source: Account;
    readonly amount: number;
  },
): Promise<boolean> => {
  const posted = await post(tx, tenant, {
    kind: 'refund_failed',
    reference: `${refundReference(failed.refund, failed.source)}/failed`,
    order: failed.order ?? undefined,
    currency: failed.currency,
    moves: [{ from: failed.source, to: accountOfPayment(failed.source.subject, failed.order), amount: failed.amount }],
  });
  return posted !== null;
};

interface ReturnedPayment {
  readonly payment: string;
  readonly order: string | null;
  readonly currency: string;
  readonly amount: number;
}

/**
 * Returns whether this much of a payment can still be refunded. Locks the balances involved until the transaction ends.
 */
export const hasRefundable = async (
  tx: Transaction,
  tenant: Tenant,
  { payment, order, currency, amount }: ReturnedPayment,
): Promise<boolean> => {
  const rests = await lockBalance(tx, tenant, accountOfPayment(payment, order), currency);
  const broughtIn = -(await lockBalance(tx, tenant, { kind: 'payment', subject: payment }, currency));
  return amount <= Math.min(rests, broughtIn);
};

/** Posts a refund that the provider initiated, or of a surplus payment. Returns false if it was posted before. */
export const recordProviderRefund = async (
  tx: Transaction,
  tenant: Tenant,
  noted: ReturnedPayment & { readonly refund: string },
): Promise<boolean> => {
  const source: Account = { kind: 'payment', subject: noted.payment };
  const posted = await post(tx, tenant, {
    kind: 'refunded',
    reference: refundReference(noted.refund, source),
    order: noted.order ?? undefined,
    currency: noted.currency,
    moves: [{ from: accountOfPayment(noted.payment, noted.order), to: source, amount: noted.amount }],
  });
  return posted !== null;
};

export const isCancelledOrder = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const [found] = await sql`
    select from ledger.posting
    where store = ${store} and environment = ${environment} and order_id = ${order} and kind = 'order_cancelled' limit 1`;
  return found !== undefined;
};

const closeOrder = async (tx: Transaction, tenant: Tenant, order: string, currency: string): Promise<void> => {
  await lockPayments(tx, tenant, order);
  await tx.sql`
    insert into ledger.posting (store, environment, id, kind, reference, order_id, currency, created_at)
    values (${tenant.store}, ${tenant.environment}, ${randomUUIDv7()}, 'order_cancelled', ${`order/${order}/cancelled`},
      ${order}, ${currency}, ${tx.clock.now(tenant)})
    on conflict (store, environment, reference) do nothing`;
};

/**
 * Returns the gift card balance and store credit that a cancelled order used. Other payments stay until they are
 * refunded; payments that arrive later are surplus.
 */
export const releaseOrder = async (
  tx: Transaction,
  tenant: Tenant,
  {
    order,
    currency,
    creditor,
  }: { readonly order: string; readonly currency: string; readonly creditor: string | null },
): Promise<readonly ReturnedShare[]> => {
  await closeOrder(tx, tenant, order, currency);
  // Refunds given as store credit may already have lowered the order's balance below what gift cards and credit paid.
  let left = await lockBalance(tx, tenant, orderAccount(order), currency);
  const given: LedgerShare[] = [];
  for (const { source, amount } of await sharesOf(tx.sql, tenant, order, currency)) {
    const part = Math.min(left, amount);
    if (!isValue(source) || part === 0) continue;
    given.push({ source, amount: part });
    left -= part;
  }
  const returned = await destinationsOf(tx, tenant, given, creditor);
  for (const { source, to, amount } of returned)
    await post(tx, tenant, {
      kind: 'order_cancelled',
      reference: `order/${order}/cancelled/${source.kind}/${source.subject}`,
      order,
      currency,
      reason: to.kind === 'store_credit' ? 'Order cancelled' : undefined,
      moves: [{ from: orderAccount(order), to, amount }],
    });
  return inOrderOf(given, returned);
};
