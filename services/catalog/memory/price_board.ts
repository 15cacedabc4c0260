// A tenant's price lists: the current prices for all customers, the time of the next scheduled price change, and all
// lists for prices by quantity and customer group.

export interface BoardList {
  readonly id: string;
  readonly currency: string;
  readonly group: string | null;
  /** In ms since the epoch; null without a bound. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** In the currency's smallest unit. */
  readonly prices: readonly { readonly variant_id: string; readonly min_quantity: number; readonly price: number }[];
}

export interface BoardPrice {
  readonly list: BoardList;
  readonly min_quantity: number;
  readonly price: number;
}

const NONE: readonly BoardPrice[] = [];

export class PriceBoard {
  #lists: readonly BoardList[] = [];
  readonly #byVariant = new Map<string, BoardPrice[]>();
  #prices = new Map<string, number>();
  #changesAt = Number.POSITIVE_INFINITY;

  get changesAt(): number {
    return this.#changesAt;
  }

  get size(): number {
    return this.#lists.reduce((sum, list) => sum + list.prices.length, 0);
  }

  readonly get = (variantId: string): number | null => this.#prices.get(variantId) ?? null;

  /** Returns the variant's prices in all lists, including lists that do not apply now or only to a customer group. */
  pricesOf(variantId: string): readonly BoardPrice[] {
    return this.#byVariant.get(variantId) ?? NONE;
  }

  replace(lists: readonly BoardList[]): void {
    this.#lists = lists;
    this.#byVariant.clear();
    for (const list of lists) {
      for (const { variant_id, min_quantity, price } of list.prices) {
        const known = this.#byVariant.get(variant_id);
        if (known) known.push({ list, min_quantity, price });
        else this.#byVariant.set(variant_id, [{ list, min_quantity, price }]);
      }
    }
  }

  set(now: number, currency: string): Set<string> {
    const prices = new Map<string, number>();
    this.#changesAt = Number.POSITIVE_INFINITY;
    for (const list of this.#lists) {
      if (list.currency !== currency || list.group !== null) continue;
      for (const at of [list.startsAt, list.endsAt]) {
        if (at !== null && at > now) this.#changesAt = Math.min(this.#changesAt, at);
      }
      if ((list.startsAt !== null && list.startsAt > now) || (list.endsAt !== null && list.endsAt <= now)) continue;
      for (const { variant_id, min_quantity, price } of list.prices) {
        if (min_quantity > 1) continue;
        const lowest = prices.get(variant_id);
        if (lowest === undefined || price < lowest) prices.set(variant_id, price);
      }
    }
    const changed = new Set<string>();
    for (const [id, price] of prices) if (this.#prices.get(id) !== price) changed.add(id);
    for (const id of this.#prices.keys()) if (!prices.has(id)) changed.add(id);
    this.#prices = prices;
    return changed;
  }
}
