// A product as passed to the index: texts to search, and values to filter, count and sort by.

export const FIELDS = ['name', 'head', 'brand', 'category', 'code', 'attribute', 'description'] as const;
export type TextField = (typeof FIELDS)[number];

export type AttributeValue = string | number | boolean;

/** One variant's values. A product matches filters only if a single variant meets all of them. */
export interface VariantDocument {
  readonly condition: string;
  readonly price: number | null;
  readonly inStock: boolean;
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
}

export interface SearchDocument {
  readonly id: string;
  readonly active: boolean;
  readonly texts: Readonly<Record<TextField, string>>;
  readonly brand: string | null;
  readonly category: string | null;
  readonly subcategory: string | null;
  readonly tags: readonly string[];
  readonly attributes: readonly (readonly [name: string, value: AttributeValue])[];
  readonly conditions: readonly string[];
  readonly price: number | null;
  readonly prices: readonly number[];
  readonly inStock: boolean;
  readonly variants: readonly VariantDocument[];
  readonly rating: number | null;
  readonly reviews: number;
  readonly createdAt: number;
}

export const foldValue = (text: string): string => text.normalize('NFC').toLowerCase();
