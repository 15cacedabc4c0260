// Applies a request's translations to those of a record: a JSON merge patch by language and by field.
import { type Call, invalid, quoted, type Refusal } from '#runtime/call/call.ts';
import { parseLanguage } from '#values/language.ts';
import { type AnswerLanguage, EVERY_LANGUAGE, type Translations } from '#values/translation.ts';

/** Returns the language to answer in. A secret key that names none reads every translation, to write it back. */
export const languageOf = (call: Pick<Call, 'keyType'>, input: { readonly language?: string }): AnswerLanguage =>
  input.language ?? (call.keyType === 'secret' ? EVERY_LANGUAGE : undefined);

/** Bytes of JSON. */
export const TRANSLATIONS_BYTES_MAX = 256 * 1024;

type Given = Readonly<Record<string, object | null>> | null;

/** The path of a language's translation: `translations.de`, and `translations["pt-BR"]` where the tag is no name. */
export const translationPath = (param: string, language: string): string =>
  /^[A-Za-z_]\w*$/.test(language) ? `${param}.${language}` : `${param}[${JSON.stringify(language)}]`;

/**
 * Returns the record's translations after the request; null if there are none. Null removes a language or a field; absent
 * ones stay. `languages` are the store's, its default one first. A language that the record already
 * has may be written although the store no longer lists it, so that a merchant can send an answer back.
 */
export const mergeTranslations = <T extends object>(
  before: Translations<T> | null,
  given: Given | undefined,
  languages: readonly string[],
  param = 'translations',
  former: Translations | null = before,
): Translations<T> | null | Refusal => {
  if (given === undefined) return before;
  const isKnown = (language: string): boolean =>
    languages.slice(1).includes(language) || (former !== null && Object.hasOwn(former, language));
  const merged = new Map<string, object>(Object.entries((given && before) ?? {}));
  for (const [text, change] of Object.entries(given ?? {})) {
    const language = parseLanguage(text);
    if (language === null || !(isKnown(language) || change === null))
      return unknownLanguage(translationPath(param, text), text, languages);
    const fields = Object.entries({ ...(change && merged.get(language)), ...change });
    const left = Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined));
    if (Object.keys(left).length > 0) merged.set(language, left);
    else merged.delete(language);
  }
  if (merged.size === 0) return null;
  const sorted = Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
  const bytes = Buffer.byteLength(JSON.stringify(sorted));
  if (bytes > TRANSLATIONS_BYTES_MAX) {
    const message = `The translations have ${bytes} bytes of JSON; at most ${TRANSLATIONS_BYTES_MAX} are stored. Shorten them.`;
    return invalid(param, message);
  }
  // The request's validator has checked the fields.
  return sorted as Translations<T>;
};

/** Returns the translations after a request that replaces the record: absent languages and fields are removed. */
export const replaceTranslations = <T extends object>(
  before: Translations<T> | null,
  given: Given | undefined,
  languages: readonly string[],
  param = 'translations',
): Translations<T> | null | Refusal => mergeTranslations<T>(null, given, languages, param, before);

/** Returns the store's language that a request names; null for its default one. */
export const languageAmong = (
  given: string | null | undefined,
  languages: readonly string[],
  param = 'language',
): string | null | Refusal => {
  const language = given == null ? null : parseLanguage(given);
  if (given == null || language === languages[0]) return null;
  return language !== null && languages.includes(language) ? language : unknownLanguage(param, given, languages);
};

const unknownLanguage = (param: string, text: string, [own = '', ...others]: readonly string[]): Refusal => {
  if (text.toLowerCase() === own.toLowerCase())
    return invalid(param, `${own} is the store's \`language\`. Write its texts into the fields themselves.`);
  const known = others.length === 0 ? 'has no languages to translate into' : `translates into ${others.join(', ')}`;
  return invalid(
    param,
    `${quoted(text)} is none of the store's languages: it ${known}. Add it to the store's \`languages\` first.`,
  );
};
