// How texts of a language are divided into terms: stems, frequent words, and nouns that are written together.
import { primaryLanguage } from '#values/language.ts';
import { JOINING, STOP_WORDS } from './frequent_word.ts';
import { lightStemOf } from './light_stem.ts';
import { stem } from './stem.ts';

export interface Analysis {
  /** Maps the forms of a folded word to one term. */
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
  /** Stop words that do not end a phrase, such as "and". */
  readonly joining: ReadonlySet<string>;
  /** Whether nouns are written together, as in `Kaffeebecher`. */
  readonly compounds: boolean;
  /** Whether a noun precedes its adjectives, as in `tasse bleue`. */
  readonly nounFirst: boolean;
}

/** Analysis of English, and of every language that has no rules here. */
export const PLAIN: Analysis = { stem, stopWords: STOP_WORDS, joining: JOINING, compounds: false, nounFirst: false };

interface Frequent {
  readonly stop: string;
  readonly joining: string;
}

/** Folded: without accents. */
const FREQUENT: Readonly<Record<string, Frequent>> = {
  de: {
    stop:
      'der die das den dem des ein eine einen einem einer eines und oder mit ohne fur von vom zu zum zur in im am an auf aus ' +
      'bei nach uber unter ist sind als auch wie nicht sich es sie er wir ihr mein dein sein',
    joining: 'und oder',
  },
  fr: {
    stop:
      'le la les l un une des du de d et ou a au aux en dans avec sans pour par sur sous est sont qui que ce cet cette ces son sa ' +
      'ses mon ma mes votre vos notre nos',
    joining: 'et ou',
  },
  es: {
    stop:
      'el la los las un una unos unas y e o u de del a al en con sin para por sobre es son que su sus mi mis tu tus este esta ' +
      'estos estas se lo',
    joining: 'y e o u',
  },
  it: {
    stop:
      'il lo la i gli le l un uno una e ed o di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla in nel ' +
      'nella con senza per su sul sulla che suo sua mio mia questo questa',
    joining: 'e ed o',
  },
  pt: {
    stop:
      'o a os as um uma uns umas e ou de do da dos das em no na nos nas com sem para por pelo pela ao aos que seu sua meu minha ' +
      'este esta se',
    joining: 'e ou',
  },
  nl: {
    stop:
      'de het een en of van in op met zonder voor aan bij te ten ter uit naar over onder is zijn die dat dit deze mijn jouw uw ' +
      'hun er om als ook niet',
    joining: 'en of',
  },
  sv: {
    stop:
      'en ett den det de och eller i pa med utan for till av fran vid om under over ar som att din ditt min mitt sin sitt har ' +
      'inte ej',
    joining: 'och eller',
  },
};

const COMPOUNDING: ReadonlySet<string> = new Set(['de', 'nl', 'sv']);
const NOUN_FIRST: ReadonlySet<string> = new Set(['fr', 'es', 'it', 'pt']);

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const newAnalysis = (language: string, { stop, joining }: Frequent): Analysis => ({
  stem: lightStemOf(language) ?? stem,
  stopWords: wordsOf(stop),
  joining: wordsOf(joining),
  compounds: COMPOUNDING.has(language),
  nounFirst: NOUN_FIRST.has(language),
});

const ANALYSES: Readonly<Record<string, Analysis>> = Object.fromEntries(
  Object.entries(FREQUENT).map(([language, frequent]) => [language, newAnalysis(language, frequent)]),
);

/** `tag` is a BCP 47 tag; its region does not matter. */
export const analysisOf = (tag: string): Analysis => {
  const language = primaryLanguage(tag);
  return (Object.hasOwn(ANALYSES, language) ? ANALYSES[language] : undefined) ?? PLAIN;
};
