// What a product is sorted by.

/** What an order looks at: of a product, or of a cursor that remembers one. */
export interface SortKeys {
  readonly id: string;
  readonly createdAt: number;
  readonly nameKey: string;
  readonly featured: boolean;
  readonly featuredOrder: number;
  readonly rating: number | null;
  readonly reviews: number;
  /** The default variant's selling price. */
  readonly selling: number | null;
}
