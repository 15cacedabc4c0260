// Usage: the month that requests are counted in.

/** `2026-11` */
export const monthName = (realMs: number): string => new Date(realMs).toISOString().slice(0, 7);
