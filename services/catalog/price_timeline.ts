// Computes which prices of a variant shoppers saw when, and the lowest price before a reduction (directive 98/6/EC, article
// 6a). Pure; amounts are in minor units.

/** A time in which a price applied: the product's own one or a price list's for everybody. */
export interface PricePeriod {
  readonly product_id: string;
  readonly variant_id: string;
  /** Null: the product's own price, while the product was shown. */
  readonly price_list_id: string | null;
  readonly currency: string;
  readonly price: number | null;
  readonly selling_price: number | null;
  readonly starts_at: Date;
  /** Exclusive; null while it applies without a known end. */
  readonly ends_at: Date | null;
}

/** A time in which shoppers saw one selling price. */
export interface ShownPeriod {
  readonly selling: number;
  /** The regular price; null without one. */
  readonly regular: number | null;
  readonly source: 'price' | 'sale' | 'price_list';
  readonly fromMs: number;
  /** Exclusive; null: still shown. */
  readonly toMs: number | null;
}

const DAY_MS = 86_400_000;
/** Article 6a asks for at least 30 days before the reduction. */
const PRIOR_MS = 30 * DAY_MS;

type Applied = Omit<ShownPeriod, 'fromMs' | 'toMs'>;

const appliedOf = (own: PricePeriod | undefined, lists: Iterable<PricePeriod>, currency: string): Applied | null => {
  if (own === undefined) return null;
  let listed: number | null = null;
  for (const { selling_price } of lists)
    if (selling_price !== null && (listed === null || selling_price < listed)) listed = selling_price;
  const isOwnCurrency = own.currency === currency;
  const ownSelling = isOwnCurrency ? own.selling_price : null;
  if (listed !== null && (ownSelling === null || listed < ownSelling))
    return { selling: listed, regular: isOwnCurrency ? own.price : listed, source: 'price_list' };
  if (ownSelling === null) return null;
  const isSale = own.price === null || ownSelling < own.price;
  return { selling: ownSelling, regular: own.price, source: isSale ? 'sale' : 'price' };
};

const sameApplied = (a: Applied, b: Applied): boolean =>
  a.selling === b.selling && a.regular === b.regular && a.source === b.source;

/** Returns what shoppers saw of one variant in a currency until now, oldest first. */
export const timelineOf = (periods: readonly PricePeriod[], currency: string, nowMs: number): ShownPeriod[] => {
  const changes: { readonly at: number; readonly begins: boolean; readonly period: PricePeriod }[] = [];
  for (const period of periods) {
    if (period.price_list_id !== null && period.currency !== currency) continue;
    const [from, to] = [period.starts_at.getTime(), period.ends_at?.getTime() ?? Number.POSITIVE_INFINITY];
    if (from <= nowMs) changes.push({ at: from, begins: true, period });
    if (to <= nowMs) changes.push({ at: to, begins: false, period });
  }
  // Sorts the end of a period before the start of another at the same time.
  changes.sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
  const shown: ShownPeriod[] = [];
  const lists = new Map<string, PricePeriod>();
  let own: PricePeriod | undefined;
  for (const [place, { at, begins, period }] of changes.entries()) {
    if (period.price_list_id === null) own = begins ? period : undefined;
    else if (begins) lists.set(period.price_list_id, period);
    else lists.delete(period.price_list_id);
    if (changes[place + 1]?.at === at) continue;
    const applied = appliedOf(own, lists.values(), currency);
    const last = shown.at(-1);
    const isOpen = last !== undefined && last.toMs === null;
    if (isOpen && applied !== null && sameApplied(last, applied)) continue;
    if (isOpen) shown[shown.length - 1] = { ...last, toMs: at };
    if (applied !== null) shown.push({ ...applied, fromMs: at, toMs: null });
  }
  return shown;
};

const isReduced = ({ selling, regular }: ShownPeriod): boolean => regular !== null && selling < regular;

/**
 * Returns the lowest price of the 30 days before the current reduction began; null without a reduction, or without an
 * earlier price. A reduction that grows without interruption began with its first step; a price that rises, even
 * below the regular one, begins another.
 */
export const lowestBeforeReduction = (shown: readonly ShownPeriod[]): number | null => {
  let at = shown.length - 1;
  const current = shown[at];
  if (current === undefined || current.toMs !== null || !isReduced(current)) return null;
  for (; at > 0; at--) {
    const [before, after] = [shown[at - 1]!, shown[at]!];
    if (before.toMs !== after.fromMs || !isReduced(before) || before.selling < after.selling) break;
  }
  const beganMs = shown[at]!.fromMs;
  let lowest: number | null = null;
  for (const { selling, toMs } of shown.slice(0, at))
    if (toMs! > beganMs - PRIOR_MS && (lowest === null || selling < lowest)) lowest = selling;
  return lowest;
};
