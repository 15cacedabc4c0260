// What a product is sorted by.

export interface SortKeys {
  readonly id: string;
  readonly createdAt: number;
  readonly nameKey: string;
  readonly featured: boolean;
  readonly featuredOrder: number;
  readonly rating: number | null;
  readonly reviews: number;
  readonly selling: number | null;
}
