// Computes how far a rating fills each of five stars. Pure.

export const STARS = 5;

export const filledPercent = (rating: number): number => (Math.round(rating * 2) / 2 / STARS) * 100;
