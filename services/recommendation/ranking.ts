// Which products are recommended, why and in what order: companions first, what is alike next, what is met most last.
import type { Companion } from './table/sighting.ts';

export type Reason = 'bought_together' | 'viewed_together' | 'similar' | 'trending';

export interface Suggestion {
  readonly product: string;
  /** 0 to 1. */
  readonly score: number;
  readonly reason: Reason;
}

/** So many sessions of nothing are counted to every product, so that two sessions do not prove more than two hundred. */
const DOUBT = 5;

const rounded = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;

const byScore = (a: Suggestion, b: Suggestion): number =>
  b.score - a.score || (a.product < b.product ? -1 : a.product > b.product ? 1 : 0);

/**
 * What sessions met together, by the share of the companion's own sessions: what everybody meets anyway says little of
 * this product. Carts and orders weigh more than views, so a share may pass 1 and is measured by the largest.
 */
export const fromCompanions = (companions: readonly Companion[]): Suggestion[] => {
  const shares = companions.map(({ weight, met }) => weight / Math.sqrt(met + DOUBT));
  const largest = Math.max(1, ...shares);
  return companions
    .map(({ product, wanted }, at) => ({
      product,
      score: rounded(shares[at]! / largest),
      reason: wanted > 0 ? ('bought_together' as const) : ('viewed_together' as const),
    }))
    .sort(byScore);
};

export const fromSimilar = (hits: readonly { readonly product_id: string; readonly score: number }[]): Suggestion[] =>
  hits.map(({ product_id, score }) => ({ product: product_id, score: rounded(score), reason: 'similar' }));

export const fromTrending = (met: readonly { readonly product: string; readonly weight: number }[]): Suggestion[] => {
  const most = Math.max(1, ...met.map(({ weight }) => weight));
  return met.map(({ product, weight }) => ({ product, score: rounded(weight / most), reason: 'trending' }));
};

/** One list after the other, each product once, without the excluded ones. */
export const blended = (lists: readonly (readonly Suggestion[])[], excluded: ReadonlySet<string>): Suggestion[] => {
  const seen = new Set(excluded);
  return lists.flat().filter(({ product }) => {
    if (seen.has(product)) return false;
    seen.add(product);
    return true;
  });
};
