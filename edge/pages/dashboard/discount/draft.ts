// A promotion as its form holds it, and the request that saves it. Pure.
import { type TextTable, textsOf, translationsOf } from '#edge/pages/dashboard/translation_draft.ts';
import { localMinute, momentAt } from '#edge/pages/design/day.ts';
import type { CreatePromotionRequest, StorePromotion, UpdatePromotionRequest } from '#proto/client/dashboard.ts';

export const TYPES = [
  { value: 'percentage', label: 'A percentage off' },
  { value: 'fixed_amount', label: 'An amount off' },
  { value: 'free_shipping', label: 'Free delivery' },
  { value: 'buy_x_get_y', label: 'Buy some, get some' },
] as const;

export interface PromotionDraft {
  /** The `updated_at` of the promotion that the draft began from; empty for a new one. */
  readonly version: string;
  readonly name: string;
  readonly translations: TextTable;
  /** Empty: it applies without a code. */
  readonly code: string;
  readonly type: StorePromotion['type'];
  readonly value: number | null;
  readonly currency: string;
  readonly buy: number | null;
  readonly get: number | null;
  /** Percent. */
  readonly get_discount: number | null;
  readonly product_ids: readonly string[];
  readonly category_ids: readonly string[];
  readonly collection_ids: readonly string[];
  readonly minimum_subtotal: number | null;
  readonly usage_limit: number | null;
  readonly usage_limit_per_customer: number | null;
  readonly stackable: boolean;
  readonly public: boolean;
  /** Clocks of the store's time zone; empty: no limit. */
  readonly starts_at: string;
  readonly ends_at: string;
}

export const emptyPromotion = (currency: string): PromotionDraft => ({
  version: '',
  name: '',
  translations: {},
  code: '',
  type: 'percentage',
  value: null,
  currency,
  buy: null,
  get: null,
  get_discount: 100,
  product_ids: [],
  category_ids: [],
  collection_ids: [],
  minimum_subtotal: null,
  usage_limit: null,
  usage_limit_per_customer: null,
  stackable: false,
  public: true,
  starts_at: '',
  ends_at: '',
});

export const draftOf = (promotion: StorePromotion, timeZone: string): PromotionDraft => ({
  version: promotion.updated_at,
  name: promotion.name,
  translations: textsOf(promotion.translations, ['name']),
  code: promotion.code ?? '',
  type: promotion.type,
  value: promotion.value,
  currency: promotion.currency,
  buy: promotion.buy?.quantity ?? null,
  get: promotion.get?.quantity ?? null,
  get_discount: promotion.get?.discount_percent ?? 100,
  ...promotion.applies_to,
  minimum_subtotal: promotion.minimum_subtotal,
  usage_limit: promotion.usage_limit,
  usage_limit_per_customer: promotion.usage_limit_per_customer,
  stackable: promotion.stackable,
  public: promotion.public,
  starts_at: promotion.starts_at === null ? '' : localMinute(promotion.starts_at, timeZone),
  ends_at: promotion.ends_at === null ? '' : localMinute(promotion.ends_at, timeZone),
});

type Terms = Pick<CreatePromotionRequest, 'value' | 'buy' | 'get'>;

/** The fields of the type; those of other types are null. An empty quantity leaves its field out, which the API refuses. */
const termsOf = ({ type, value, buy, get, get_discount }: PromotionDraft): Terms => ({
  value: type === 'percentage' || type === 'fixed_amount' ? value : null,
  buy: type !== 'buy_x_get_y' || buy === null ? null : { quantity: buy },
  get:
    type !== 'buy_x_get_y' || get === null
      ? null
      : { quantity: get, ...(get_discount === null ? {} : { discount_percent: get_discount }) },
});

export const requestOf = (draft: PromotionDraft, timeZone: string): CreatePromotionRequest => ({
  name: draft.name,
  translations: translationsOf(draft),
  code: draft.code.trim() === '' ? null : draft.code.trim(),
  type: draft.type,
  ...termsOf(draft),
  currency: draft.currency,
  applies_to: {
    product_ids: draft.product_ids,
    category_ids: draft.category_ids,
    collection_ids: draft.collection_ids,
  },
  minimum_subtotal: draft.minimum_subtotal,
  usage_limit: draft.usage_limit,
  usage_limit_per_customer: draft.usage_limit_per_customer,
  stackable: draft.stackable,
  public: draft.public,
  starts_at: momentAt(draft.starts_at, timeZone),
  ends_at: momentAt(draft.ends_at, timeZone),
});

/** The draft's fields that make a field of the request, where their names differ. */
const SOURCES: Partial<Record<keyof CreatePromotionRequest, readonly (keyof PromotionDraft)[]>> = {
  value: ['type', 'value'],
  buy: ['type', 'buy'],
  get: ['type', 'get', 'get_discount'],
  applies_to: ['product_ids', 'category_ids', 'collection_ids'],
};

/** The fields of the request that the draft changed: what another person changed meanwhile stays. */
export const changesOf = (
  draft: PromotionDraft,
  changed: Partial<PromotionDraft>,
  timeZone: string,
): Omit<UpdatePromotionRequest, 'id'> =>
  Object.fromEntries(
    Object.entries(requestOf(draft, timeZone)).filter(([name]) =>
      (SOURCES[name as keyof CreatePromotionRequest] ?? [name]).some((source) => source in changed),
    ),
  );
