// Promotions: the stored record, the API document, parsing of requests, and status transitions.
import type { PromotionTranslation, StorePromotion } from '#proto/gen/promotion.ts';
import { invalid, Refusal } from '#runtime/call/call.ts';
import { badAmount, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { currencyOf, parseCurrency } from '#values/currency.ts';
import { toMajor, toMinor } from '#values/money.ts';
import { toFixedPoint } from '#values/share.ts';
import { normalCode } from '#values/text.ts';
import { type AnswerLanguage, inLanguage, type Translations } from '#values/translation.ts';

export type PromotionType = StorePromotion['type'];
export type PromotionStatus = StorePromotion['status'];

export interface PromotionRecord {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly type: PromotionType;
  /** A percentage in millionths, or a fixed amount in minor units; null for other types. */
  readonly value: number | null;
  readonly currency: string;
  readonly product_ids: readonly string[];
  readonly category_ids: readonly string[];
  readonly collection_ids: readonly string[];
  readonly buy_quantity: number | null;
  readonly get_quantity: number | null;
  /** In millionths of the price. */
  readonly get_discount: number | null;
  readonly minimum_subtotal: number | null;
  readonly usage_limit: number | null;
  readonly usage_limit_per_customer: number | null;
  readonly stackable: boolean;
  readonly public: boolean;
  readonly status: PromotionStatus;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly translations: Translations<PromotionTranslation> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface PromotionInput extends Pick<StorePromotion, 'name' | 'type' | 'status'> {
  readonly code?: string | null;
  readonly value?: number | null;
  readonly currency?: string | null;
  readonly applies_to?: {
    readonly product_ids?: readonly string[];
    readonly category_ids?: readonly string[];
    readonly collection_ids?: readonly string[];
  } | null;
  readonly buy?: { readonly quantity: number } | null;
  readonly get?: { readonly quantity: number; readonly discount_percent?: number } | null;
  readonly minimum_subtotal?: number | null;
  readonly usage_limit?: number | null;
  readonly usage_limit_per_customer?: number | null;
  readonly stackable?: boolean;
  readonly public?: boolean;
  readonly starts_at?: string | null;
  readonly ends_at?: string | null;
}

/** Decimals of a percentage in the API, so that 10 % is 100,000 millionths. */
const PERCENT_DECIMALS = 4;
const PERCENT = 10 ** PERCENT_DECIMALS;

/** Returns the status at a time, even if the schedule has not updated the row yet. */
export const statusAt = (
  { status, starts_at, ends_at }: Pick<PromotionRecord, 'status' | 'starts_at' | 'ends_at'>,
  nowMs: number,
): PromotionStatus => {
  if (status !== 'scheduled' && status !== 'active') return status;
  if (ends_at !== null && ends_at.getTime() <= nowMs) return 'expired';
  return status === 'scheduled' && starts_at !== null && starts_at.getTime() <= nowMs ? 'active' : status;
};

export const dueAt = ({ status, starts_at, ends_at }: PromotionRecord): Date | null =>
  status === 'scheduled' ? starts_at : status === 'active' ? ends_at : null;

/** Transitions that a merchant may make; only the schedule sets `expired`. */
const TRANSITIONS: Readonly<Record<PromotionStatus, readonly PromotionStatus[]>> = {
  draft: ['scheduled', 'active'],
  scheduled: ['active', 'paused'],
  active: ['paused', 'ended'],
  paused: ['scheduled', 'active', 'ended'],
  ended: [],
  expired: [],
};

export const canTransition = (from: PromotionStatus, to: PromotionStatus): boolean =>
  from === to || TRANSITIONS[from].includes(to);

/** Without a language the document has the default name alone. */
export const promotionDocument = (
  record: PromotionRecord,
  timesUsed: number,
  nowMs: number,
  language?: AnswerLanguage,
): StorePromotion => inLanguage(defaultDocument(record, timesUsed, nowMs), record.translations, language);

const defaultDocument = (record: PromotionRecord, timesUsed: number, nowMs: number): StorePromotion => {
  const currency = currencyOf(record.currency);
  const { type, value, minimum_subtotal, buy_quantity, get_quantity, get_discount } = record;
  return {
    id: record.id,
    name: record.name,
    code: record.code,
    type,
    value: value === null ? null : type === 'percentage' ? value / PERCENT : toMajor(value, currency),
    currency: record.currency,
    applies_to: {
      product_ids: record.product_ids,
      category_ids: record.category_ids,
      collection_ids: record.collection_ids,
    },
    buy: buy_quantity === null ? null : { quantity: buy_quantity },
    get: get_quantity === null ? null : { quantity: get_quantity, discount_percent: get_discount! / PERCENT },
    minimum_subtotal: minimum_subtotal === null ? null : toMajor(minimum_subtotal, currency),
    usage_limit: record.usage_limit,
    usage_limit_per_customer: record.usage_limit_per_customer,
    times_used: timesUsed,
    stackable: record.stackable,
    public: record.public,
    status: statusAt(record, nowMs),
    starts_at: record.starts_at?.toISOString() ?? null,
    ends_at: record.ends_at?.toISOString() ?? null,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
};

const parseTerms = (
  { type, value = null, buy = null, get = null }: PromotionInput,
  currency: ReturnType<typeof currencyOf>,
): Pick<PromotionRecord, 'value' | 'buy_quantity' | 'get_quantity' | 'get_discount'> | Refusal => {
  const none = { value: null, buy_quantity: null, get_quantity: null, get_discount: null };
  if (type !== 'buy_x_get_y') {
    if (buy !== null)
      return invalid('buy', `\`buy\` must be left out of a promotion of type ${type}: only buy_x_get_y has it.`);
    if (get !== null)
      return invalid('get', `\`get\` must be left out of a promotion of type ${type}: only buy_x_get_y has it.`);
  }
  if (type === 'percentage') {
    const millionths = value === null ? null : toFixedPoint(value, PERCENT_DECIMALS);
    if (millionths === null) return invalid('value', '`value` must be a percentage with at most 4 decimals.');
    if (millionths <= 0 || millionths > 100 * PERCENT)
      return invalid('value', '`value` must be above 0 and at most 100.');
    return { ...none, value: millionths };
  }
  if (type === 'fixed_amount') {
    if (value === null) return invalid('value', '`value` is required of a promotion of type fixed_amount.');
    const minor = toMinor(value, currency);
    if (minor === null) return badAmount('value', value, currency);
    return minor > 0 ? { ...none, value: minor } : invalid('value', '`value` must be above 0.');
  }
  // Treats 0 like an absent value.
  if (value) return invalid('value', `\`value\` must be left out of a promotion of type ${type}.`);
  if (type === 'free_shipping') return none;
  if (buy === null) return invalid('buy', '`buy` is required of a promotion of type buy_x_get_y.');
  if (get === null) return invalid('get', '`get` is required of a promotion of type buy_x_get_y.');
  const share = toFixedPoint(get.discount_percent ?? 100, PERCENT_DECIMALS);
  if (share === null) return invalid('get.discount_percent', '`get.discount_percent` must have at most 4 decimals.');
  return { ...none, buy_quantity: buy.quantity, get_quantity: get.quantity, get_discount: share };
};

const timeOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

const scheduleRefusal = (
  { status, starts_at, ends_at }: Pick<PromotionRecord, 'status' | 'starts_at' | 'ends_at'>,
  nowMs: number,
): Refusal | null => {
  if (starts_at && ends_at && ends_at <= starts_at) return invalid('ends_at', '`ends_at` must be after `starts_at`.');
  if (status !== 'scheduled' && status !== 'active') return null;
  if (ends_at && ends_at.getTime() <= nowMs) return invalid('ends_at', '`ends_at` must be in the future.');
  if (status === 'scheduled' && !starts_at)
    return invalid('starts_at', '`starts_at` is required of a scheduled promotion.');
  if (status === 'active' && starts_at && starts_at.getTime() > nowMs) {
    return invalid('starts_at', '`starts_at` is in the future. Set `status` to scheduled.');
  }
  return null;
};

const normalIds = (ids: readonly string[] = []): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

/** Parses a promotion. Whether referenced products, categories and collections exist is not checked here. */
export const parsePromotion = (
  input: PromotionInput,
  metadata: Pick<PromotionRecord, 'id' | 'translations' | 'created_at' | 'updated_at'>,
  storeCurrency: string,
  nowMs: number,
): PromotionRecord | Refusal => {
  const currency = parseCurrency(input.currency ?? storeCurrency);
  if (currency === null) return unknownCurrency(input.currency);
  const code = input.code == null ? null : normalCode(input.code);
  if (code === '') return invalid('code', '`code` must not be blank.');
  const terms = parseTerms(input, currency);
  if (terms instanceof Refusal) return terms;
  const minimum = input.minimum_subtotal ?? null;
  const minimumMinor = minimum === null ? null : toMinor(minimum, currency);
  if (minimum !== null && minimumMinor === null) {
    return badAmount('minimum_subtotal', minimum, currency);
  }
  const record: PromotionRecord = {
    ...metadata,
    ...terms,
    name: input.name,
    code,
    type: input.type,
    currency: currency.code,
    product_ids: normalIds(input.applies_to?.product_ids),
    category_ids: normalIds(input.applies_to?.category_ids),
    collection_ids: normalIds(input.applies_to?.collection_ids),
    minimum_subtotal: minimumMinor,
    usage_limit: input.usage_limit ?? null,
    usage_limit_per_customer: input.usage_limit_per_customer ?? null,
    stackable: input.stackable ?? false,
    public: input.public ?? true,
    status: input.status,
    starts_at: timeOf(input.starts_at),
    ends_at: timeOf(input.ends_at),
  };
  const refusal = scheduleRefusal(record, nowMs);
  if (refusal) return refusal;
  return { ...record, status: statusAt(record, nowMs) };
};

export const initialStatus = (startsAt: string | null | undefined, nowMs: number): PromotionStatus =>
  startsAt && Date.parse(startsAt) > nowMs ? 'scheduled' : 'active';
