// Reads the shop's own texts by language. The server has all languages, a page contains the texts of one.
import german from '#edge/pages/storefront/language/de.json' with { type: 'json' };
import english from '#edge/pages/storefront/language/en.json' with { type: 'json' };
import spanish from '#edge/pages/storefront/language/es.json' with { type: 'json' };
import french from '#edge/pages/storefront/language/fr.json' with { type: 'json' };
import italian from '#edge/pages/storefront/language/it.json' with { type: 'json' };
import dutch from '#edge/pages/storefront/language/nl.json' with { type: 'json' };
import portuguese from '#edge/pages/storefront/language/pt.json' with { type: 'json' };
import swedish from '#edge/pages/storefront/language/sv.json' with { type: 'json' };
import type { Texts } from '#edge/pages/storefront/wording.ts';

const TEXTS: Readonly<Record<string, Texts>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
  sv: swedish,
};

interface TextsInLanguage {
  /** The page's language with its region, or `en` if the shop does not speak it. */
  readonly language: string;
  readonly texts: Texts;
}

/** Returns English texts for a language that the shop does not speak. */
export const textsIn = (language: string): TextsInLanguage => {
  const [name = ''] = language.split('-');
  const texts = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
  return texts ? { language, texts } : { language: 'en', texts: english };
};
