// One term for the forms of an Arabic noun: its article and endings are cut off, and the long vowels in which most plurals
// differ are left out: هاتف and الهواتف are هتف, قميص and قمصان are قمص.

const ARABIC = /^[\u0621-\u064a]+$/;
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=.{3})/;
const ENDING = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/;
const LONG_VOWELS = /(?<=.)[اوي]/g;
/** Shorter ones are shared by too many words. */
const CONSONANTS_MIN = 3;

export const isArabic = (word: string): boolean => ARABIC.test(word);

/** Of a folded word; a word that no rule shortens stays as it is. */
export const arabicStem = (word: string): string => {
  const bare = word.replace(ARTICLE, '').replace(ENDING, '');
  const consonants = bare.replace(LONG_VOWELS, '');
  return consonants.length >= CONSONANTS_MIN ? consonants : bare;
};
