// Products in memory in another language than the store's default one.
import type { ProductTranslation } from '#proto/gen/product.ts';
import { type AnswerLanguage, EVERY_LANGUAGE, inLanguage, translationIn } from '#values/translation.ts';
import type { Catalogue } from './catalogue.ts';
import type { ProductEntry } from './entry.ts';

const categoryName = (id: string | null, catalogue: Catalogue, language: AnswerLanguage): string | undefined =>
  id === null ? undefined : (translationIn(catalogue.category(id)?.translations, language)?.name ?? undefined);

/** Returns whether the answer in this language differs from the one in the default language. */
export const isTranslated = (entry: ProductEntry, catalogue: Catalogue, language: AnswerLanguage): boolean =>
  language !== undefined &&
  (entry.translations.length > 0 ||
    categoryName(entry.category_id, catalogue, language) !== undefined ||
    categoryName(entry.subcategory_id, catalogue, language) !== undefined);

const translationsOf = ({ translations }: ProductEntry): Record<string, ProductTranslation> | null =>
  translations.length === 0 ? null : JSON.parse(translations.toString());

/** Returns undefined if the product's name has no translation into the language. */
export const translatedName = (entry: ProductEntry, language: string | undefined): string | undefined =>
  language === undefined ? undefined : (translationIn(translationsOf(entry), language)?.name ?? undefined);

/** Translates a product that was parsed from its text in the default language. */
export const translatedProduct = (
  product: Readonly<Record<string, unknown>>,
  entry: ProductEntry,
  catalogue: Catalogue,
  language: AnswerLanguage,
): object => {
  if (language === undefined) return product;
  const own: Readonly<Record<string, unknown>> = inLanguage(product, translationsOf(entry), language);
  if (language === EVERY_LANGUAGE) return own;
  const top = categoryName(entry.category_id, catalogue, language);
  const sub = categoryName(entry.subcategory_id, catalogue, language);
  return {
    ...own,
    ...(top !== undefined && { category_name: top }),
    ...(sub !== undefined && { subcategory_name: sub }),
  };
};
