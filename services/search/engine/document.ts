// A product as the index takes it: texts to be found by, values to be filtered, counted and sorted by.

export const FIELDS = ['name', 'head', 'brand', 'category', 'code', 'attribute', 'description'] as const;
export type TextField = (typeof FIELDS)[number];

export type AttributeValue = string | number | boolean;

/** One of several variants: what filters ask of one and the same. */
export interface SoldVariant {
  readonly condition: string;
  readonly price: number | null;
  readonly inStock: boolean;
  /** The product's and its own. */
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
}

export interface SearchDocument {
  readonly id: string;
  /** Whether publishable keys see it. */
  readonly active: boolean;
  readonly texts: Readonly<Record<TextField, string>>;
  readonly brand: string | null;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly tags: readonly string[];
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
  readonly conditions: readonly string[];
  /** The default variant's selling price, in major units. */
  readonly price: number | null;
  /** Every variant's. */
  readonly prices: readonly number[];
  readonly inStock: boolean;
  /** Empty where the product is sold as one. */
  readonly variants: readonly SoldVariant[];
  /** Mean of reviews with one decimal. */
  readonly rating: number | null;
  readonly reviews: number;
  /** Ms since the epoch. */
  readonly createdAt: number;
}

/** As filters compare texts: letter case ignored. */
export const foldValue = (text: string): string => text.normalize('NFC').toLowerCase();
