// Splits a payment for several merchants' orders into shares, each of which is a payment in its merchant's records.
// Pure.

import type { Tenant } from '#runtime/call/call.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import type { MerchantShare, PaymentRecord } from './payment.ts';

export interface PaidOrder {
  readonly tenant: Tenant;
  readonly order: string;
}

export const sharesOf = (
  { environment }: Tenant,
  { shares }: Pick<PaymentRecord, 'shares'>,
): readonly { readonly tenant: Tenant; readonly share: MerchantShare }[] =>
  (shares ?? [])
    .toSorted((a, b) => (a.store < b.store ? -1 : 1))
    .map((share) => ({ tenant: { store: share.store, environment }, share }));

export const ordersOf = (tenant: Tenant, payment: Pick<PaymentRecord, 'order_id' | 'shares'>): readonly PaidOrder[] =>
  payment.order_id === null
    ? sharesOf(tenant, payment).map(({ tenant: merchant, share }) => ({ tenant: merchant, order: share.order_id }))
    : [{ tenant, order: payment.order_id }];

export const shareOf = (operator: string, whole: PaymentRecord, share: MerchantShare, now: Date): PaymentRecord => {
  const id = derivedId('share', whole.id, share.order_id);
  return {
    ...whole,
    id,
    reference: `${whole.reference}_${id.slice(0, 8)}`,
    account: null,
    amount: share.amount,
    refunded: 0,
    order_id: share.order_id,
    order_number: share.order_number,
    session_id: whole.session_id,
    checkout_url: null,
    expires_at: null,
    needs_review: false,
    surplus: false,
    shares: null,
    whole_operator: operator,
    whole_payment: whole.id,
    created_at: now,
  };
};
