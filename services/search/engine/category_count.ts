// Numbers of active products by brand and category. If most of them match a search, facets subtract the few that do not
// match from these numbers.

export interface CategoryCountsState {
  readonly brands: readonly number[];
  readonly categories: readonly number[];
  readonly size: number;
}

export class CategoryCounts {
  readonly brands: number[] = [];
  readonly categories: number[] = [];
  #size = 0;

  get state(): CategoryCountsState {
    return { brands: this.brands, categories: this.categories, size: this.#size };
  }

  restore({ brands, categories, size }: CategoryCountsState): void {
    for (const count of brands) this.brands.push(count);
    for (const count of categories) this.categories.push(count);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return (this.brands.length + this.categories.length) * COUNT_BYTES;
  }

  move(brand: number, category: number, step: 1 | -1): void {
    this.#size += step;
    move(this.brands, brand, step);
    move(this.categories, category, step);
  }
}

const COUNT_BYTES = 8;

const move = (counts: number[], code: number, step: 1 | -1): void => {
  while (counts.length <= code) counts.push(0);
  counts[code]! += step;
};
