// A refund made by hand: how much, and for which pieces.
import type { CreateRefundRequest } from '#proto/gen/order.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { giveBack, type MadeRefund, type Returned } from './give_back.ts';
import { restockable, type WholeOrder, worthOf } from './order.ts';
import { type Claims, claimsOn } from './table/return.ts';

const readItems = (
  order: WholeOrder,
  input: CreateRefundRequest,
  { pieces }: Claims,
): readonly Returned[] | Refusal => {
  const returned: Returned[] = [];
  for (const [at, { order_item_id, quantity, restock = false }] of (input.items ?? []).entries()) {
    const line = order.lines.find(({ id }) => id === order_item_id.toLowerCase());
    if (!line) return notFound('order item', `items[${at}].order_item_id`);
    if (returned.some((other) => other.line === line))
      return refuse('invalid_request', 'This item is named twice.', { param: `items[${at}].order_item_id` });
    if (quantity > line.quantity - line.quantity_returned - (pieces.get(line.id) ?? 0))
      return refuse('conflict', 'That is more than is left of this item.', {
        param: `items[${at}].quantity`,
        ...(pieces.has(line.id) && { hint: 'Pieces that a return names are refunded by that return.' }),
      });
    if (restock && quantity > restockable(order, line))
      return refuse('conflict', 'These pieces are in stock again already.', { param: `items[${at}].restock` });
    returned.push({ line, quantity, restock });
  }
  return returned;
};

const amountOf = (order: WholeOrder, input: CreateRefundRequest, returned: readonly Returned[]): number | Refusal => {
  const currency = currencyOf(order.currency);
  if (input.amount !== undefined && input.amount !== null) {
    const minor = toMinor(input.amount, currency);
    if (minor !== null && (minor > 0 || returned.length > 0)) return minor;
    if (minor === 0)
      return refuse('invalid_request', '`amount` must be above 0 unless `items` are named.', { param: 'amount' });
    const message = `\`amount\` must be an amount with at most ${currency.exponent} decimals.`;
    return refuse('invalid_request', message, { param: 'amount' });
  }
  if (returned.length > 0) return returned.reduce((sum, { line, quantity }) => sum + worthOf(line, quantity), 0);
  return refuse('invalid_request', '`amount` or the `items` that it is for are needed.', { param: 'amount' });
};

/** Within the transaction that holds the order. */
export const makeRefund = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  input: CreateRefundRequest,
): Promise<MadeRefund | Refusal> => {
  const claims = await claimsOn(tx.sql, tenant, order.id);
  const returned = readItems(order, input, claims);
  if (returned instanceof Refusal) return returned;
  const amount = amountOf(order, input, returned);
  if (amount instanceof Refusal) return amount;
  const { reserved } = claims;
  return giveBack(tx, tenant, order, { amount, reason: input.reason ?? null, returned, reserved, creditTo: null });
};
