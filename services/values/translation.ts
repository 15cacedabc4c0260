// Picks the texts of a record in another language. A field without a translation has the record's own text.

/** Translated fields by language. */
export type Translations<T extends object = object> = Readonly<Record<string, T>>;

/** Fields that a translation may have. Null is as good as absent. */
type Texts<R> = { readonly [name in keyof R]?: R[name] | null };

export const translationIn = <T extends object>(
  translations: Translations<T> | null | undefined,
  language: string | undefined,
): T | undefined =>
  translations && language !== undefined && Object.hasOwn(translations, language) ? translations[language] : undefined;

/** Returns the record in a language; the record itself if it has no translation, or if the language is the default one. */
export const translated = <R extends object>(
  record: R,
  translations: Translations<Texts<R>> | null | undefined,
  language: string | undefined,
): R => {
  const own = translationIn(translations, language);
  if (own === undefined) return record;
  const texts = Object.entries(own).filter(([, text]) => text !== null && text !== undefined);
  return { ...record, ...Object.fromEntries(texts) };
};

/** Stands for a language where an answer has the default texts and, beside them, the translations into every language. */
export const EVERY_LANGUAGE = '*';

/** A language of the store, or `EVERY_LANGUAGE`; undefined for the default one. */
export type AnswerLanguage = string | undefined;

/** Returns a document as a caller reads it. `translations` is absent where there are none. */
export const inLanguage = <D extends object, T extends Texts<D>>(
  document: D,
  translations: Translations<T> | null,
  language: AnswerLanguage,
): D & { translations?: Record<string, T> } => {
  if (language !== EVERY_LANGUAGE) return translated(document, translations, language);
  return translations === null ? document : { ...document, translations };
};
