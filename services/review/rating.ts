// What a product's approved reviews come to: how many gave each rating, and their mean.
import type { ReviewSummary } from '#proto/gen/review.ts';

/** How many gave 1, 2, 3, 4 and 5. */
export type Stars = readonly number[];

export const NO_STARS: Stars = [0, 0, 0, 0, 0];

export const countOf = (stars: Stars): number => stars.reduce((sum, count) => sum + count, 0);

/** "Mean of approved reviews, 1 to 5, one decimal; null when none"; half up, without a fraction on the way. */
export const averageOf = (stars: Stars): number | null => {
  const count = countOf(stars);
  if (count === 0) return null;
  const sum = stars.reduce((total, each, at) => total + each * (at + 1), 0);
  return Math.floor((sum * 20 + count) / (count * 2)) / 10;
};

export const summaryOf = (stars: Stars): ReviewSummary => ({
  average_rating: averageOf(stars),
  review_count: countOf(stars),
  distribution: Object.fromEntries(stars.map((count, at) => [String(at + 1), count])),
});
