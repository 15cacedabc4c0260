// Units of a purchase order that are on no invoice yet. Pure.
import type { AgreedItem, Invoice, PurchaseOrder } from '#proto/client/dashboard.ts';

export interface UnbilledItem {
  readonly item: AgreedItem;
  readonly units: number;
}

/** A void invoice bills nothing. Items that are billed whole are left out. */
export const unbilledOf = (
  { items }: Pick<PurchaseOrder, 'items'>,
  invoices: readonly Pick<Invoice, 'status' | 'items'>[],
): readonly UnbilledItem[] => {
  const billed = invoices.filter(({ status }) => status !== 'void').flatMap((invoice) => invoice.items);
  return items
    .map((item) => ({
      item,
      units: billed
        .filter(({ item_id }) => item_id === item.id)
        .reduce((left, { quantity }) => left - quantity, item.quantity),
    }))
    .filter(({ units }) => units > 0);
};
