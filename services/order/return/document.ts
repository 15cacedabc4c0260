// A return as the API shows it: amounts in major units, times as text.
import type { OrderReturn } from '#proto/gen/order_return.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { ReturnRecord } from './return.ts';

export const returnDocument = (given: ReturnRecord): OrderReturn => {
  const currency = currencyOf(given.currency);
  const { offer_status, offer_amount, refund_amount } = given;
  return {
    id: given.id,
    order_id: given.order_id,
    customer_id: given.customer_id,
    status: given.status,
    reason_code: given.reason_code,
    reason_detail: given.reason_detail,
    contact_phone: given.contact_phone,
    resolution: given.resolution,
    items: given.items.map(({ order_item_id, quantity }) => ({ order_item_id, quantity })),
    refund_amount: refund_amount === null ? null : toMajor(refund_amount, currency),
    currency: currency.code,
    credit_offer: offer_status === null ? null : { status: offer_status, amount: toMajor(offer_amount!, currency) },
    exchange_order_id: given.exchange_order_id,
    note: given.note,
    created_at: given.created_at.toISOString(),
    updated_at: given.updated_at.toISOString(),
  };
};
