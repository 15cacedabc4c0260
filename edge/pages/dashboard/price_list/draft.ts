// A price list as its form holds it, and the request that saves it. Pure.
import { localMinute, momentAt } from '#edge/pages/design/day.ts';
import type { CreatePriceListRequest, PriceListing, UpdatePriceListRequest } from '#proto/client/dashboard.ts';

export interface PriceDraft {
  readonly variant: string;
  /** Units from which the price counts. */
  readonly from: number | null;
  readonly price: number | null;
}

export interface PriceListDraft {
  /** The `updated_at` of the list that the draft began from; empty for a new one. */
  readonly version: string;
  readonly name: string;
  readonly currency: string;
  /** Empty: everybody's. */
  readonly customer_group: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly prices: readonly PriceDraft[];
}

export const emptyPriceList = (currency: string): PriceListDraft => ({
  version: '',
  name: '',
  currency,
  customer_group: '',
  starts_at: '',
  ends_at: '',
  prices: [],
});

export const draftOf = (list: PriceListing, timeZone: string): PriceListDraft => ({
  version: list.updated_at,
  name: list.name,
  currency: list.currency,
  customer_group: list.customer_group ?? '',
  starts_at: list.starts_at === null ? '' : localMinute(list.starts_at, timeZone),
  ends_at: list.ends_at === null ? '' : localMinute(list.ends_at, timeZone),
  prices: list.prices.map(({ variant_id, min_quantity, price }) => ({
    variant: variant_id,
    from: min_quantity,
    price,
  })),
});

/** A variant's next price counts from one unit more than its last one. */
export const withPrice = (
  prices: readonly PriceDraft[],
  { variant, price }: { readonly variant: string; readonly price: number },
): readonly PriceDraft[] => {
  const from = 1 + Math.max(0, ...prices.filter((each) => each.variant === variant).map((each) => each.from ?? 1));
  return [...prices, { variant, from, price }];
};

export const requestOf = (draft: PriceListDraft, timeZone: string): CreatePriceListRequest => ({
  name: draft.name,
  currency: draft.currency.trim(),
  customer_group: draft.customer_group.trim() === '' ? null : draft.customer_group.trim(),
  starts_at: momentAt(draft.starts_at, timeZone),
  ends_at: momentAt(draft.ends_at, timeZone),
  // NaN is null in JSON: the API refuses an emptied price at its field.
  prices: draft.prices.map(({ variant, from, price }) => ({
    variant_id: variant,
    min_quantity: from ?? 1,
    price: price ?? Number.NaN,
  })),
});

/** The changed fields alone: what another person changed meanwhile stays. */
export const changesOf = (
  draft: PriceListDraft,
  changed: Partial<PriceListDraft>,
  timeZone: string,
): Omit<UpdatePriceListRequest, 'id'> =>
  Object.fromEntries(Object.entries(requestOf(draft, timeZone)).filter(([name]) => name in changed));
