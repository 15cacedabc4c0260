// Products in memory in another language than the store's default one.
import type { ProductTranslation, Specification } from '#proto/gen/product.ts';
import { type AnswerLanguage, EVERY_LANGUAGE, inLanguage, translated, translationIn } from '#values/translation.ts';
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

/** Translated words of options and specifications, by the words in the default language. */
type Terms = Readonly<Record<string, string>>;

interface Texts {
  /** Fields of the product. */
  readonly fields: Omit<ProductTranslation, 'terms'>;
  readonly terms: Terms;
}

/** Returns null if the product has no translation into the language. */
const textsIn = (entry: ProductEntry, language: AnswerLanguage): Texts | null => {
  const found = language === undefined ? undefined : translationIn(translationsOf(entry), language);
  if (found === undefined) return null;
  const { terms, ...fields } = found;
  return { fields, terms: terms ?? {} };
};

const inTerms = <T>(text: T, terms: Terms): T | string =>
  typeof text === 'string' && Object.hasOwn(terms, text) ? terms[text]! : text;

type Fields = Readonly<Record<string, unknown>>;

/** Translates the options and the name of a variant, or of a product that is one. */
const translatedVariant = ({ variant_attributes: options, variant_name, ...rest }: Fields, terms: Terms): Fields => ({
  ...rest,
  ...(variant_name !== undefined && { variant_name: inTerms(variant_name, terms) }),
  ...(options !== undefined && {
    variant_attributes:
      options === null
        ? null
        : Object.fromEntries(Object.entries(options as object).map((pair) => pair.map((text) => inTerms(text, terms)))),
  }),
});

/** Names of a variant in a language; absent ones are the default ones. */
export const translatedNames = (
  entry: ProductEntry,
  variantName: string | null,
  language: string | undefined,
): { readonly name?: string; readonly variant_name?: string | null } => {
  const texts = textsIn(entry, language);
  if (texts === null) return {};
  const { name } = texts.fields;
  return { ...(name && { name }), variant_name: inTerms(variantName, texts.terms) };
};

export const translatedSpecifications = (
  entry: ProductEntry,
  specifications: readonly Specification[],
  language: AnswerLanguage,
): readonly Specification[] => {
  const texts = textsIn(entry, language);
  if (texts === null) return specifications;
  return specifications.map(({ group, name, value, unit }) => ({
    group: inTerms(group, texts.terms),
    name: inTerms(name, texts.terms),
    value: inTerms(value, texts.terms),
    unit: inTerms(unit, texts.terms),
  }));
};

/** Translates a product that was parsed from its text in the default language. */
export const translatedProduct = (
  product: Fields,
  entry: ProductEntry,
  catalogue: Catalogue,
  language: AnswerLanguage,
): object => {
  if (language === undefined) return product;
  if (language === EVERY_LANGUAGE) return inLanguage(product, translationsOf(entry), language);
  const texts = textsIn(entry, language);
  const own = texts === null ? product : translatedTexts(product, texts, language);
  const top = categoryName(entry.category_id, catalogue, language);
  const sub = categoryName(entry.subcategory_id, catalogue, language);
  return {
    ...own,
    ...(top !== undefined && { category_name: top }),
    ...(sub !== undefined && { subcategory_name: sub }),
  };
};

const translatedTexts = (product: Fields, { fields, terms }: Texts, language: string): Fields => {
  const own = translatedVariant(translated(product, { [language]: fields }, language), terms);
  const { variants } = own;
  if (!Array.isArray(variants)) return own;
  return { ...own, variants: variants.map((variant: Fields) => translatedVariant(variant, terms)) };
};
