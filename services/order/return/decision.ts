// A store's decision about a return: approves, rejects, receives, refunds or offers store credit.
import type { UpdateReturnRequest } from '#proto/gen/order_return.ts';
import { invalid, notFound, Refusal, refuse, renamed, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { balanceObstacle } from '#services/ledger/index.ts';
import { mailReturn } from '#services/order/mail.ts';
import { groupOf, isUnpaid, restockable, type WholeOrder, worthOf } from '#services/order/order.ts';
import { type RecordedRefund, type ReturnedLine, recordRefund, returnUnits } from '#services/order/refund.ts';
import { findOrder } from '#services/order/table/order.ts';
import { claimsOn, saveReturn } from '#services/order/table/return.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { isFinal, type ReturnRecord, returnObstacle, withOfferWithdrawn } from './return.ts';

export interface DecidedReturn {
  readonly changed: ReturnRecord;
  readonly refund: RecordedRefund | null;
  readonly restocked: boolean;
}

export interface ReturnContext {
  readonly creditObstacle: Refusal | null;
}

interface ReturnStep {
  readonly tx: Transaction;
  readonly tenant: Tenant;
  readonly order: WholeOrder;
  readonly input: UpdateReturnRequest;
}

const SHOPPER_CANCELS = refuse(
  'conflict',
  'Only the shopper can cancel a return. Set `status` to `rejected` instead.',
  { param: 'status' },
);

const UNPAID = refuse('conflict', 'The order is not paid, so nothing can be refunded.', { param: 'status' });

const MARKETPLACE_RETURN = refuse(
  'conflict',
  'Store credit cannot be offered for an order of a marketplace checkout.',
  {
    param: 'credit_offer',
  },
);

const misplaced = ({ status, refund_amount, restock }: UpdateReturnRequest): Refusal | null => {
  if (refund_amount != null && status !== 'refunded')
    return invalid('refund_amount', '`refund_amount` goes with the status `refunded`.');
  if (restock != null && status !== 'received') return invalid('restock', '`restock` goes with the status `received`.');
  return null;
};

const minorOf = (major: number, param: string, { currency: code }: WholeOrder): number | Refusal => {
  const currency = currencyOf(code);
  return toMinor(major, currency) ?? badAmount(param, major, currency);
};

const amountObstacle = ({ refund_amount, credit_offer }: UpdateReturnRequest, order: WholeOrder): Refusal | null => {
  const given = { refund_amount, 'credit_offer.amount': credit_offer?.amount };
  const read = Object.entries(given).map(([param, major]) => (major == null ? 0 : minorOf(major, param, order)));
  return read.find((minor) => minor instanceof Refusal) ?? null;
};

const receive = async (
  { tx, tenant, order, input }: ReturnStep,
  given: ReturnRecord,
): Promise<ReturnRecord | Refusal> => {
  const restock = input.restock === true;
  const returned: ReturnedLine[] = given.items.map(({ order_item_id, quantity }) => ({
    line: order.lines.find(({ id }) => id === order_item_id)!,
    quantity,
    restock,
  }));
  if (restock && returned.some(({ line, quantity }) => quantity > restockable(order, line)))
    return refuse('conflict', 'Some of these units are in stock already. Omit `restock`.', { param: 'restock' });
  const worth = returned.reduce((sum, { line, quantity }) => sum + worthOf(line, quantity), 0);
  await returnUnits(tx, tenant, order.id, returned);
  return { ...given, status: 'received', received: true, worth };
};

/**
 * Returns whether the order has no money left, because refunds by hand or disputes returned it all. The return then
 * ends without a refund.
 */
const isFullyRefunded = async (tx: Transaction, tenant: Tenant, order: WholeOrder): Promise<boolean> =>
  !isUnpaid(order) &&
  (await balanceObstacle(tx, tenant, { order: order.id, currency: order.currency, amount: 1 })) !== null;

const refund = async (
  { tx, tenant, order, input }: ReturnStep,
  given: ReturnRecord,
): Promise<{ readonly changed: ReturnRecord; readonly refund: RecordedRefund | null } | Refusal> => {
  const named = input.refund_amount ?? null;
  const amount = named === null ? given.worth! : minorOf(named, 'refund_amount', order);
  if (amount instanceof Refusal) return amount;
  const changed: ReturnRecord = { ...withOfferWithdrawn(given), status: 'refunded', refund_amount: amount };
  if (amount === 0) {
    if (named === null || given.exchange_order_id !== null || (await isFullyRefunded(tx, tenant, order)))
      return { changed, refund: null };
    return invalid('refund_amount', '`refund_amount` may be 0 only with an `exchange_order_id`.');
  }
  if (isUnpaid(order)) return UNPAID;
  const { reserved } = await claimsOn(tx.sql, tenant, order.id, given.id);
  const reason = `Return: ${given.reason_code}`;
  const made = await recordRefund(tx, tenant, order, { amount, reason, returned: [], reserved, creditTo: null });
  if (made instanceof Refusal) return renamed(made, () => 'refund_amount');
  return { changed, refund: made };
};

const move = async (
  step: ReturnStep,
  given: ReturnRecord,
): Promise<{ readonly changed: ReturnRecord; readonly refund: RecordedRefund | null } | Refusal> => {
  const { status } = step.input;
  if (status === undefined) return { changed: given, refund: null };
  const obstacle = status === 'cancelled' ? SHOPPER_CANCELS : returnObstacle(given.status, status, 'status');
  if (obstacle) return obstacle;
  if (status === 'refunded') return refund(step, given);
  if (status === 'received') {
    const changed = await receive(step, given);
    return changed instanceof Refusal ? changed : { changed, refund: null };
  }
  return { changed: { ...(status === 'rejected' ? withOfferWithdrawn(given) : given), status }, refund: null };
};

/** Offers store credit. The offer and all refunds together never exceed the refundable amount. */
const offer = async (
  { tx, tenant, order, input }: ReturnStep,
  given: ReturnRecord,
  creditObstacle: Refusal | null,
): Promise<ReturnRecord | Refusal> => {
  const { credit_offer: requested } = input;
  if (requested === undefined) return given;
  if (requested === null) return withOfferWithdrawn(given);
  if (isFinal(given.status))
    return refuse('conflict', `A return that is ${given.status} takes no store-credit offer.`, {
      param: 'credit_offer',
      details: `It is ${given.status}.`,
    });
  if (groupOf(order) !== null) return MARKETPLACE_RETURN;
  if (isUnpaid(order)) return renamed(UNPAID, () => 'credit_offer');
  if (creditObstacle) return creditObstacle;
  const amount = minorOf(requested.amount, 'credit_offer.amount', order);
  if (amount instanceof Refusal) return amount;
  const { reserved } = await claimsOn(tx.sql, tenant, order.id, given.id);
  const short = await balanceObstacle(tx, tenant, { order: order.id, currency: order.currency, amount, reserved });
  if (short) return renamed(short, () => 'credit_offer.amount');
  return { ...given, offer_status: 'pending', offer_amount: amount };
};

/** Kinds of the mails about a store's decisions. */
const MAIL_OF_STATUS = {
  approved: 'return_decided',
  rejected: 'return_decided',
  received: 'return_arrived',
  // The refund's event causes a mail already.
  refunded: undefined,
  requested: undefined,
  credited: undefined,
  cancelled: undefined,
} as const;

export const decideReturn = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  given: ReturnRecord,
  input: UpdateReturnRequest,
  { creditObstacle }: ReturnContext,
): Promise<DecidedReturn | Refusal> => {
  const wrong = misplaced(input) ?? amountObstacle(input, order);
  if (wrong) return wrong;
  const again = input.status === given.status;
  const step: ReturnStep = { tx, tenant, order, input: again ? { ...input, status: undefined } : input };
  const exchange = input.exchange_order_id ?? null;
  if (exchange !== null && (await findOrder(tx.sql, tenant, exchange)) === null)
    return notFound('order', 'exchange_order_id');
  const noted: ReturnRecord = {
    ...given,
    note: input.note ?? given.note,
    exchange_order_id: exchange?.toLowerCase() ?? given.exchange_order_id,
  };
  const moved = await move(step, noted);
  if (moved instanceof Refusal) return moved;
  const offered = await offer(step, moved.changed, creditObstacle);
  if (offered instanceof Refusal) return offered;
  if (JSON.stringify(offered) === JSON.stringify(given)) return { changed: given, refund: null, restocked: false };
  const changed: ReturnRecord = { ...offered, updated_at: tx.clock.now(tenant) };
  await saveReturn(tx.sql, tenant, changed);
  const kind = changed.status === given.status ? undefined : MAIL_OF_STATUS[changed.status];
  if (kind) await mailReturn(tx, tenant, kind, changed, order);
  if (input.credit_offer != null) await mailReturn(tx, tenant, 'credit_offered', changed, order);
  return { changed, refund: moved.refund, restocked: !again && input.restock === true };
};
