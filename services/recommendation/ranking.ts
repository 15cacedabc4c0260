// Ranks suggestions: companions (products in the same sessions), then similar products, then trending ones.
import type { Companion } from './table/interaction.ts';

export type Reason = 'bought_together' | 'viewed_together' | 'similar' | 'trending';

export interface Suggestion {
  readonly product: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly reason: Reason;
}

/**
 * Added to each product's number of sessions, so that a share of two sessions scores lower than the same share of two
 * hundred.
 */
const SMOOTHING_SESSIONS = 5;

const rounded = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;

const byScore = (a: Suggestion, b: Suggestion): number =>
  b.score - a.score || (a.product < b.product ? -1 : a.product > b.product ? 1 : 0);

/**
 * Scores companions, the products seen in the same sessions: the weight of the shared sessions, divided by the square root
 * of all sessions with the companion. A product that occurs in every session says little about this one. If the largest
 * score exceeds 1, all scores are divided by it.
 */
export const fromCompanions = (companions: readonly Companion[]): Suggestion[] => {
  const shares = companions.map(({ weight, totalSessions }) => weight / Math.sqrt(totalSessions + SMOOTHING_SESSIONS));
  const largest = Math.max(1, ...shares);
  return companions
    .map(({ product, sessionsWithIntent }, at) => ({
      product,
      score: rounded(shares[at]! / largest),
      reason: sessionsWithIntent > 0 ? ('bought_together' as const) : ('viewed_together' as const),
    }))
    .sort(byScore);
};

export const fromSimilar = (hits: readonly { readonly product_id: string; readonly score: number }[]): Suggestion[] =>
  hits.map(({ product_id, score }) => ({ product: product_id, score: rounded(score), reason: 'similar' }));

export const fromTrending = (met: readonly { readonly product: string; readonly weight: number }[]): Suggestion[] => {
  const most = Math.max(1, ...met.map(({ weight }) => weight));
  return met.map(({ product, weight }) => ({ product, score: rounded(weight / most), reason: 'trending' }));
};

export const blended = (lists: readonly (readonly Suggestion[])[], excluded: ReadonlySet<string>): Suggestion[] => {
  const seen = new Set(excluded);
  return lists.flat().filter(({ product }) => {
    if (seen.has(product)) return false;
    seen.add(product);
    return true;
  });
};
