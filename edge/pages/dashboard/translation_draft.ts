// Texts of a record in the store's other languages, as a form holds them, and the request that saves them. Pure.

/** Texts by language and field. */
export type TextTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Drafts that a form with translations can have. */
export interface TranslatedDraft {
  readonly translations: TextTable;
}

type Translations = Readonly<Record<string, object>>;

/** Returns the named texts of a record's translations; other fields of a translation are left out. */
export const textsOf = (translations: Translations | undefined, names: readonly string[]): TextTable =>
  Object.fromEntries(
    Object.entries(translations ?? {}).map(([language, fields]) => [
      language,
      Object.fromEntries(
        Object.entries(fields).filter(
          (entry): entry is [string, string] => names.includes(entry[0]) && typeof entry[1] === 'string',
        ),
      ),
    ]),
  );

export const textIn = ({ translations }: TranslatedDraft, language: string, name: string): string =>
  translations[language]?.[name] ?? '';

export const withText = (texts: TextTable, language: string, name: string, text: string): TextTable => ({
  ...texts,
  [language]: { ...texts[language], [name]: text },
});

/** Returns the request's `translations`, which leave other fields as they are. An empty text removes the translation. */
export const translationsOf = ({ translations }: TranslatedDraft): Record<string, Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(translations).map(([language, texts]) => [
      language,
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text])),
    ]),
  );

/** Returns the `translations` of a request that replaces a record as a whole; nothing if there are none. */
export const wholeTranslationsOf = ({
  translations,
}: TranslatedDraft): { readonly translations?: Record<string, Record<string, string>> } => {
  const whole = Object.entries(translations).flatMap(([language, texts]) => {
    const written = Object.entries(texts).filter(([, text]) => text.trim() !== '');
    return written.length > 0 ? [[language, Object.fromEntries(written)] as const] : [];
  });
  return whole.length > 0 ? { translations: Object.fromEntries(whole) } : {};
};
