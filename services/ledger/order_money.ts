// Money of an order: the payments it receives, and the sources that paid it.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Account, AccountKind, LedgerMove } from './account.ts';
import { balanceAfter, bookedSource, lockBooked, movesIn, type OrderBooks } from './booked_order.ts';
import { post } from './posting.ts';

export interface LedgerShare {
  readonly source: Account & { readonly kind: 'payment' | 'elsewhere' | 'store_credit' | 'gift_card' };
  readonly amount: number;
  /** Amount that it gave in the currency of the store's books, if that is another one; 0 otherwise. */
  readonly given: number;
  /** Whether it is a card or credit of the store's currency in an order of another one. */
  readonly converted: boolean;
}

export interface ReturnedShare extends LedgerShare {
  readonly to: Account;
}

const REFUND_ORDER: readonly LedgerShare['source']['kind'][] = ['payment', 'elsewhere', 'store_credit', 'gift_card'];
const SOURCES: readonly AccountKind[] = [...REFUND_ORDER, 'store_credit_exchange', 'gift_card_exchange'];

export const orderAccount = (order: string): Account => ({ kind: 'order', subject: order });

export const accountOfPayment = (payment: string, order: string | null): Account =>
  order === null ? { kind: 'deposit', subject: payment } : orderAccount(order);

/** Returns the amount of each source after refunds, in the sequence in which refunds draw on the sources. */
export const sharesOf = async (sql: Sql, tenant: Tenant, order: string, currency: string): Promise<LedgerShare[]> => {
  const rows = await sql<(Omit<LedgerShare, 'source'> & { kind: LedgerShare['source']['kind']; subject: string })[]>`
    select replace(e.kind, '_exchange', '') as kind, e.subject,
      (-sum(e.amount) filter (where e.currency = p.currency))::bigint as amount,
      coalesce(-sum(e.amount) filter (where e.currency <> p.currency), 0)::bigint as given,
      bool_or(e.kind like '%_exchange') as converted
    from ledger.posting p
    join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
    where p.store = ${tenant.store} and p.environment = ${tenant.environment} and p.order_id = ${order}
      and p.currency = ${currency} and e.kind = any(${SOURCES as string[]}::text[])
    group by 1, e.subject having sum(e.amount) filter (where e.currency = p.currency) < 0
    order by array_position(${REFUND_ORDER as string[]}::text[], replace(min(e.kind), '_exchange', '')), min(p.id::text)`;
  return rows.map(({ kind, subject, ...share }) => ({ source: { kind, subject }, ...share }));
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
  /** Books of the order; null or absent if it is in the store's currency. */
  readonly books?: OrderBooks | null | undefined;
}

/** Returns the moves by which money reaches an order or, without one, the payment's deposit. */
const incomingMoves = async (
  tx: Transaction,
  tenant: Tenant,
  source: Account,
  { order, currency, amount, books }: Pick<IncomingPayment, 'order' | 'currency' | 'amount' | 'books'>,
): Promise<readonly LedgerMove[]> => {
  if (order === null || !books) return [{ from: source, to: accountOfPayment(source.subject, order), amount }];
  const before = await lockBooked(tx, tenant, { order, currency, books });
  const taken = balanceAfter(before, amount).worth - before.worth;
  return movesIn(tenant, order, bookedSource(source, false), { amount, given: taken, taken, books });
};

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
  { kind, reference, source, order, currency, amount, books }: IncomingPayment,
): Promise<'received' | 'surplus' | null> => {
  const surplus = order !== null && (await isClosedTo(tx, tenant, order, reference));
  if (surplus && source.kind === 'elsewhere') return 'surplus';
  const payee = surplus ? null : order;
  const posted = await post(tx, tenant, {
    kind,
    reference,
    order: payee ?? undefined,
    currency,
    moves: await incomingMoves(tx, tenant, source, { order: payee, currency, amount, books }),
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
    readonly books?: OrderBooks | null | undefined;
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
  paid: Pick<IncomingPayment, 'currency' | 'amount' | 'books'> & { readonly order: string },
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
