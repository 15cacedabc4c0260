// Words of a product's options, variant names and specifications, which its `terms` translate. Pure.
import type { TextTable } from '#edge/pages/dashboard/translation_draft.ts';
import type { Product } from '#proto/client/dashboard.ts';
import type { SpecificationLine } from './named_value.ts';

/** Fields with words, of a product or of its variants. */
type Worded = Pick<Product, 'variants' | 'variant_attributes' | 'variant_name'>;

const isWord = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && Number.isNaN(Number(text));

/** Returns each text once, numbers left out. */
export const termsIn = (product: Worded, specifications: readonly SpecificationLine[]): readonly string[] => {
  const variants = product.variants ?? [product];
  const texts: readonly unknown[] = [
    ...variants.flatMap(({ variant_attributes }) => Object.keys(variant_attributes ?? {})),
    ...variants.flatMap(({ variant_attributes }) => Object.values(variant_attributes ?? {})),
    ...variants.map(({ variant_name }) => variant_name),
    ...specifications.flatMap(({ group, name, value, unit }) => [group, name, value, unit]),
  ];
  return [...new Set(texts.filter(isWord))];
};

export const termTableOf = (translations: Product['translations']): TextTable =>
  Object.fromEntries(Object.entries(translations ?? {}).map(([language, { terms }]) => [language, terms ?? {}]));

/** Returns the terms of a language as the request has them: null for none. */
export const writeTerms = (terms: Readonly<Record<string, string>> = {}): Record<string, string> | null => {
  const written = Object.entries(terms).filter(([, text]) => text.trim() !== '');
  return written.length > 0 ? Object.fromEntries(written) : null;
};
