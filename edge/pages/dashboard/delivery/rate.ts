// A delivery rate as its form holds it, and the rate that is sent. Pure.
import { type TextTable, textsOf, wholeTranslationsOf } from '#edge/pages/dashboard/translation_draft.ts';
import type { DeliveryRate, EstimateDays } from '#proto/client/dashboard.ts';

export interface OptionDraft {
  readonly id: string | null;
  readonly name: string;
  readonly fee: number | null;
  readonly minimum_order: number | null;
  readonly free_threshold: number | null;
  readonly estimate: string;
  readonly estimate_days?: EstimateDays | undefined;
  readonly translations: TextTable;
}

export interface BandDraft {
  readonly up_to_grams: number | null;
  readonly fee: number | null;
}

export interface RuleDraft {
  readonly category_id: string;
  readonly surcharge: number | null;
}

export interface RateDraft {
  readonly fee: number | null;
  readonly free_threshold: number | null;
  readonly estimate: string;
  readonly estimate_days: { readonly min: number | null; readonly max: number | null };
  readonly weight_bands: readonly BandDraft[];
  readonly category_rules: readonly RuleDraft[];
  readonly options: readonly OptionDraft[];
  readonly translations: TextTable;
}

export const EMPTY_RATE: RateDraft = {
  fee: null,
  free_threshold: null,
  estimate: '',
  estimate_days: { min: null, max: null },
  weight_bands: [],
  category_rules: [],
  options: [],
  translations: {},
};

export const rateDraftOf = (rate: DeliveryRate): RateDraft => ({
  ...rate,
  estimate: rate.estimate ?? '',
  estimate_days: rate.estimate_days ?? { min: null, max: null },
  translations: textsOf(rate.translations, ['estimate']),
  options: rate.options.map((option) => ({
    ...option,
    estimate: option.estimate ?? '',
    translations: textsOf(option.translations, ['name', 'estimate']),
  })),
});

/** JSON writes a number that is none as null, which the API refuses at its field. */
export const numberOf = (value: number | null): number => value ?? Number.NaN;

export const textOf = (value: string): string | null => (value.trim() === '' ? null : value.trim());

const daysOf = ({ min, max }: RateDraft['estimate_days']): { readonly estimate_days?: EstimateDays } =>
  min === null && max === null ? {} : { estimate_days: { min: numberOf(min), max: numberOf(max) } };

export const rateOf = (draft: RateDraft): DeliveryRate => ({
  fee: numberOf(draft.fee),
  free_threshold: draft.free_threshold,
  estimate: textOf(draft.estimate),
  ...daysOf(draft.estimate_days),
  ...wholeTranslationsOf(draft),
  weight_bands: draft.weight_bands.map(({ up_to_grams, fee }) => ({
    up_to_grams: numberOf(up_to_grams),
    fee: numberOf(fee),
  })),
  category_rules: draft.category_rules.map(({ category_id, surcharge }) => ({
    category_id,
    surcharge: numberOf(surcharge),
  })),
  options: draft.options.map(({ translations, ...option }) => ({
    ...option,
    ...wholeTranslationsOf({ translations }),
    fee: numberOf(option.fee),
    estimate: textOf(option.estimate),
  })),
});
