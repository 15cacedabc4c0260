// A store's languages: the one that its texts are written in, and those that they are translated into.
import type { UpdateStoreRequest } from '#proto/gen/store.ts';
import { invalid, quoted, type Refusal } from '#runtime/call/call.ts';
import { parseLanguage } from '#values/language.ts';

export interface StoreLanguages {
  readonly language: string;
  /** Without `language`. */
  readonly languages: readonly string[];
}

const unknownLanguage = (param: string, text: string): Refusal =>
  invalid(param, `${quoted(text)} is no language tag. Send a tag such as de or pt-BR.`);

/** Returns the languages that a change names, in canonical spelling. */
export const readLanguages = (
  language: string | undefined,
  languages: readonly string[] | undefined,
): Partial<StoreLanguages> | Refusal => {
  const own = language === undefined ? undefined : parseLanguage(language);
  if (own === null) return unknownLanguage('language', language!);
  const others: string[] = [];
  for (const [at, text] of (languages ?? []).entries()) {
    const tag = parseLanguage(text);
    if (tag === null) return unknownLanguage(`languages[${at}]`, text);
    if (others.includes(tag)) return invalid(`languages[${at}]`, `${tag} is listed twice. Send each language once.`);
    others.push(tag);
  }
  return { ...(own && { language: own }), ...(languages && { languages: others }) };
};

/** Refuses a default language that is among the others, too. */
export const refuseRepeatedLanguage = (
  { language, languages }: StoreLanguages,
  change: Pick<UpdateStoreRequest, 'languages'>,
): Refusal | null => {
  const at = languages.indexOf(language);
  if (at < 0) return null;
  const message = `${language} is the store's \`language\`, so \`languages\` must not list it. Send both without the repetition.`;
  return invalid(change.languages === undefined ? 'language' : `languages[${at}]`, message);
};

/** Lists all languages of a store, its default one first. */
export const languagesOf = ({ language, languages }: StoreLanguages): string[] => [language, ...languages];
