// Refunds of orders to the sources that paid, their reversals, and what a cancelled order gives back.
import { randomUUIDv7 } from 'bun';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { currencyOf } from '#values/currency.ts';
import { inProportion } from '#values/exchange.ts';
import { majorText } from '#values/money.ts';
import type { Account, LedgerMove } from './account.ts';
import { balanceAfter, bookedSource, lockBooked, movesIn, movesOut, type OrderBooks } from './booked_order.ts';
import { refundDestinationOf } from './gift_card.ts';
import {
  accountOfPayment,
  type LedgerShare,
  lockPayments,
  orderAccount,
  type ReturnedShare,
  sharesOf,
} from './order_money.ts';
import { lockBalance, post } from './posting.ts';
import { creditOf } from './store_credit.ts';

interface RefundAmount {
  readonly order: string;
  readonly currency: string;
  readonly amount: number;
  readonly reserved?: number;
  /** Books of the order; null or absent if it is in the store's currency. */
  readonly books?: OrderBooks | null | undefined;
}

/** Follows an order's balances through the parts of one refund, and returns the moves of each part. */
const openOutgoing = async (
  tx: Transaction,
  tenant: Tenant,
  { order, currency, books }: Pick<RefundAmount, 'order' | 'currency' | 'books'>,
) => {
  let balance = books ? await lockBooked(tx, tenant, { order, currency, books }) : null;
  return {
    /** Moves `amount` to an account; `given` of the store's currency reaches it, by default what the order gives. */
    to: (
      account: Account,
      amount: number,
      { given, converted = true }: { readonly given?: number; readonly converted?: boolean } = {},
    ): readonly LedgerMove[] => {
      if (balance === null) return [{ from: orderAccount(order), to: account, amount }];
      const after = balanceAfter(balance, -amount);
      const taken = balance.worth - after.worth;
      balance = after;
      return movesOut(tenant, order, bookedSource(account, converted), {
        amount,
        given: given ?? taken,
        taken,
        books: after.books,
      });
    },
  };
};

/** Store credit is always in the store's currency, also in the place of a card of the order's. */
const outcomeOf = (to: Account, { given, converted }: Pick<LedgerShare, 'given' | 'converted'>) =>
  to.kind === 'store_credit' && !converted ? { converted: true } : { given, converted };

/** Returns what of a share's worth in the store's currency goes back with a part of it. */
const givenWith = (share: LedgerShare, part: number): number => inProportion(share.given, part, share.amount);

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
    moves: (await openOutgoing(tx, tenant, wanted)).to(to, wanted.amount),
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
    readonly books?: OrderBooks | null | undefined;
  },
): Promise<readonly ReturnedShare[] | Refusal> => {
  const short = await balanceObstacle(tx, tenant, wanted);
  if (short) return short;
  const parts: LedgerShare[] = [];
  let left = wanted.amount;
  for (const share of await sharesOf(tx.sql, tenant, wanted.order, wanted.currency)) {
    if (left === 0) break;
    const part = Math.min(left, share.amount);
    parts.push({ ...share, amount: part, given: givenWith(share, part) });
    left -= part;
  }
  if (left > 0) throw new Error(`order ${wanted.order} holds more than its sources paid`);
  // Posts each share separately, because a provider may later deny one share, and then only that posting is reversed.
  const returned = await destinationsOf(tx, tenant, parts, wanted.creditor);
  const outgoing = await openOutgoing(tx, tenant, wanted);
  for (const { source, to, amount, given, converted } of returned)
    await post(tx, tenant, {
      kind: wanted.unpaid && isValue(source) ? 'value_returned' : 'refunded',
      reference: refundReference(wanted.refund, source),
      order: wanted.order,
      currency: wanted.currency,
      reason: wanted.reason,
      moves: outgoing.to(to, amount, outcomeOf(to, { given, converted })),
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
    and e.kind = 'payment' and e.currency = p.currency
  where p.store = ${store} and p.environment = ${environment} and p.order_id = ${order}
    and p.kind = 'refunded' and starts_with(p.reference, ${`refund/${refund}/payment/`})`;

const inLockOrder = (parts: readonly LedgerShare[]): LedgerShare[] =>
  parts.toSorted(({ source: a }, { source: b }) => (`${a.kind}/${a.subject}` < `${b.kind}/${b.subject}` ? -1 : 1));

/** Returns what a refund gave back to its source in the currency of the store's books. */
const givenBack = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  source: Account,
  currency: string,
): Promise<number> => {
  const [entry] = await sql<{ amount: number }[]>`
    select e.amount from ledger.posting p
    join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
      and e.kind = ${source.kind} and e.subject = ${source.subject} and e.currency = ${currency}
    where p.store = ${store} and p.environment = ${environment} and p.reference = ${reference}`;
  return entry?.amount ?? 0;
};

const reversingMoves = async (
  tx: Transaction,
  tenant: Tenant,
  { order, currency, source, amount, books }: Parameters<typeof reverseRefund>[2],
  reference: string,
): Promise<readonly LedgerMove[]> => {
  if (order === null || !books) return [{ from: source, to: accountOfPayment(source.subject, order), amount }];
  const before = await lockBooked(tx, tenant, { order, currency, books });
  const taken = balanceAfter(before, amount).worth - before.worth;
  const given = await givenBack(tx.sql, tenant, reference, source, books.currency);
  return movesIn(tenant, order, bookedSource(source, false), { amount, given, taken, books });
};

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
    readonly books?: OrderBooks | null | undefined;
  },
): Promise<boolean> => {
  const reference = refundReference(failed.refund, failed.source);
  const posted = await post(tx, tenant, {
    kind: 'refund_failed',
    reference: `${reference}/failed`,
    order: failed.order ?? undefined,
    currency: failed.currency,
    moves: await reversingMoves(tx, tenant, failed, reference),
  });
  return posted !== null;
};

interface ReturnedPayment {
  readonly payment: string;
  readonly order: string | null;
  readonly currency: string;
  readonly amount: number;
  /** Books of the order; null or absent if it is in the store's currency. */
  readonly books?: OrderBooks | null | undefined;
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

const providerRefundMoves = async (
  tx: Transaction,
  tenant: Tenant,
  { payment, order, currency, amount, books }: ReturnedPayment,
  source: Account,
): Promise<readonly LedgerMove[]> => {
  if (order === null || !books) return [{ from: accountOfPayment(payment, order), to: source, amount }];
  const broughtIn = -(await lockBalance(tx, tenant, source, currency));
  const worth = -(await lockBalance(tx, tenant, source, books.currency));
  const outgoing = await openOutgoing(tx, tenant, { order, currency, books });
  return outgoing.to(source, amount, { given: inProportion(worth, amount, broughtIn), converted: false });
};

/** Posts a refund that the provider initiated, or of a surplus payment. Returns false if it was posted before. */
export const recordProviderRefund = async (
  tx: Transaction,
  tenant: Tenant,
  noted: ReturnedPayment & { readonly refund: string },
): Promise<boolean> => {
  const source: Account = { kind: 'payment', subject: noted.payment };
  const moves = await providerRefundMoves(tx, tenant, noted, source);
  const posted = await post(tx, tenant, {
    kind: 'refunded',
    reference: refundReference(noted.refund, source),
    order: noted.order ?? undefined,
    currency: noted.currency,
    moves,
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
    books,
  }: Pick<RefundAmount, 'order' | 'currency' | 'books'> & { readonly creditor: string | null },
): Promise<readonly ReturnedShare[]> => {
  await closeOrder(tx, tenant, order, currency);
  // Refunds given as store credit may already have lowered the order's balance below what gift cards and credit paid.
  let left = await lockBalance(tx, tenant, orderAccount(order), currency);
  const given: LedgerShare[] = [];
  for (const share of await sharesOf(tx.sql, tenant, order, currency)) {
    const part = Math.min(left, share.amount);
    if (!isValue(share.source) || part === 0) continue;
    given.push({ ...share, amount: part, given: givenWith(share, part) });
    left -= part;
  }
  const returned = await destinationsOf(tx, tenant, given, creditor);
  const outgoing = await openOutgoing(tx, tenant, { order, currency, books });
  for (const { source, to, amount, given: worth, converted } of returned)
    await post(tx, tenant, {
      kind: 'order_cancelled',
      reference: `order/${order}/cancelled/${source.kind}/${source.subject}`,
      order,
      currency,
      reason: to.kind === 'store_credit' ? 'Order cancelled' : undefined,
      moves: outgoing.to(to, amount, outcomeOf(to, { given: worth, converted })),
    });
  return inOrderOf(given, returned);
};
