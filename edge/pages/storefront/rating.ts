// How a rating fills a row of stars. Pure.

export const STARS = 5;

export const filledPercent = (rating: number): number => (Math.round(rating * 2) / 2 / STARS) * 100;
