// How a rating fills a row of stars. Pure.

export const STARS = 5;

/** Of a hundred parts of the row, to the half star. */
export const filledPercent = (rating: number): number => (Math.round(rating * 2) / 2 / STARS) * 100;
