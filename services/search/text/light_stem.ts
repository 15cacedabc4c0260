// Light stems of nouns and adjectives by their endings: number, gender and case of one word lead to one term. Words are
// folded, so that endings have no accents.

/** Ending, its replacement, and the letters that must precede the ending. */
type Ending = readonly [ending: string, replacement: string, before?: RegExp];

/** Rounds of endings; each round applies the first ending that fits. */
type Rounds = readonly (readonly Ending[])[];

const LENGTH_MIN = 3;

const none = (endings: string): Ending[] => endings.split(' ').map((ending) => [ending, '']);

const ROUNDS: Readonly<Record<string, Rounds>> = {
  de: [
    [
      ['in', '', /er$/],
      ...none('innen ern em er en es e'),
      ['n', '', /[aeiou]l$|[aeiou]r$/],
      ['s', '', /[bdfghklmnrt]$/],
    ],
    none('er en'),
  ],
  fr: [
    [
      ['eaux', 'eau'],
      ['aux', 'al'],
      ['euses', 'eur'],
      ['euse', 'eur'],
      ['ieres', 'ier'],
      ['iere', 'ier'],
      ['elles', 'el'],
      ['elle', 'el'],
      ['ennes', 'en'],
      ['enne', 'en'],
      ['ives', 'if'],
      ['ive', 'if'],
      ...none('es s x e'),
    ],
    none('e'),
  ],
  es: [[['ces', 'z'], ...none('es s')], none('a o e')],
  it: [[['che', 'c'], ['chi', 'c'], ['ghe', 'g'], ['ghi', 'g'], ['ii', 'i'], ...none('ie io')], none('a e i o')],
  pt: [
    [
      ['oes', 'ao'],
      ['aes', 'ao'],
      ['ais', 'al'],
      ['eis', 'el'],
      ['ois', 'ol'],
      ['ns', 'm'],
      ['es', '', /[rzs]$/],
      ['s', ''],
    ],
    none('ao a o e'),
  ],
  nl: [[['heden', 'heid'], ['jes', ''], ['tjes', ''], ['je', ''], ...none('en s')], none('e')],
  sv: [none('ornas arnas ernas orna arna erna ars ers ors ens ets ar er or en et as es a e'), none('s')],
};

/** Dutch writes a long vowel twice in a closed syllable: `schaal`, `schalen`. */
const sameLength = (word: string): string =>
  word.replace(/([bdfgklmnprst])\1$/, '$1').replace(/([aeou])\1([bdfgklmnprst])$/, '$1$2');

const afterRound = (word: string, endings: readonly Ending[]): string => {
  for (const [ending, replacement, before] of endings) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length + replacement.length < LENGTH_MIN || (before && !before.test(stem))) continue;
    return stem + replacement;
  }
  return word;
};

/** Returns a function that stems words of a language; null if the language has no rules here. */
export const lightStemOf = (language: string): ((word: string) => string) | null => {
  const rounds = Object.hasOwn(ROUNDS, language) ? ROUNDS[language] : undefined;
  if (!rounds) return null;
  return (word) => {
    if (word.length <= LENGTH_MIN) return word;
    const stem = rounds.reduce(afterRound, word);
    return language === 'nl' ? sameLength(stem) : stem;
  };
};
