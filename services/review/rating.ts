// A product's rating: how many approved reviews gave each number of stars, and their mean.
import type { ReviewSummary } from '#proto/gen/review.ts';

/** Reviews with 1, 2, 3, 4 and 5 stars. */
export type Stars = readonly number[];

export const NO_STARS: Stars = [0, 0, 0, 0, 0];

export const countOf = (stars: Stars): number => stars.reduce((sum, count) => sum + count, 0);

/** Rounds half up to one decimal, in integers, because binary fractions would misplace some halves. */
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
