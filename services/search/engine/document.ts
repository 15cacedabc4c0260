// A product as the index receives it: texts to search, values to filter, count and sort.

export const FIELDS = ['name', 'head', 'brand', 'category', 'code', 'attribute', 'description'] as const;
export type TextField = (typeof FIELDS)[number];

export type AttributeValue = string | number | boolean;

/** Filters must match one and the same variant. */
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
