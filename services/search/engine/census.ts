// How many active products have each brand and each category: where most of them are found, those that are not are counted
// instead.

export class Census {
  /** By code. */
  readonly brands: number[] = [];
  readonly categories: number[] = [];
  #size = 0;

  /** Active products. */
  get size(): number {
    return this.#size;
  }

  get memoryBytes(): number {
    return (this.brands.length + this.categories.length) * COUNT_BYTES;
  }

  /** An active product comes or goes. */
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
