// What everybody pays by price lists, for each variant, at one moment; and when that changes by time alone.

/** An everybody's price list: its prices for one piece, in the smallest unit of its currency. */
export interface EverybodyList {
  readonly id: string;
  readonly currency: string;
  /** Ms since the epoch; null: since ever, for ever. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly prices: readonly { readonly variant_id: string; readonly price: number }[];
}

export class PriceBoard {
  #lists: readonly EverybodyList[] = [];
  #prices = new Map<string, number>();
  #changesAt = Number.POSITIVE_INFINITY;

  /** The next moment at which some price changes by itself. */
  get changesAt(): number {
    return this.#changesAt;
  }

  get size(): number {
    return this.#lists.reduce((sum, list) => sum + list.prices.length, 0);
  }

  readonly get = (variantId: string): number | null => this.#prices.get(variantId) ?? null;

  replace(lists: readonly EverybodyList[]): void {
    this.#lists = lists;
  }

  /** Sets the prices to what counts at `now`; the variants whose price is another one since. */
  set(now: number, currency: string): Set<string> {
    const prices = new Map<string, number>();
    this.#changesAt = Number.POSITIVE_INFINITY;
    for (const list of this.#lists) {
      if (list.currency !== currency) continue;
      for (const at of [list.startsAt, list.endsAt]) {
        if (at !== null && at > now) this.#changesAt = Math.min(this.#changesAt, at);
      }
      if ((list.startsAt !== null && list.startsAt > now) || (list.endsAt !== null && list.endsAt <= now)) continue;
      for (const { variant_id, price } of list.prices) {
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
