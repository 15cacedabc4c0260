// Phrases of the built-in templates, one file for each language. Pure.
import { nearestLanguage } from '#values/language.ts';
import de from './phrase/de.json' with { type: 'json' };
import en from './phrase/en.json' with { type: 'json' };
import es from './phrase/es.json' with { type: 'json' };
import fr from './phrase/fr.json' with { type: 'json' };
import it from './phrase/it.json' with { type: 'json' };
import nl from './phrase/nl.json' with { type: 'json' };
import pt from './phrase/pt.json' with { type: 'json' };
import sv from './phrase/sv.json' with { type: 'json' };

export type Phrases = typeof en;

export const DEFAULT_LANGUAGE = 'en';

export const PHRASES: Readonly<Record<string, Phrases>> = { en, de, es, fr, it, nl, pt, sv };

export const BUILT_IN_LANGUAGES: readonly string[] = Object.keys(PHRASES);

/** Returns the built-in language nearest to a tag; null if there is none. */
export const builtInLanguage = (tag: string): string | null => nearestLanguage(tag, BUILT_IN_LANGUAGES);

export const phrasesOf = (tag: string): Phrases => PHRASES[builtInLanguage(tag) ?? DEFAULT_LANGUAGE]!;
