// One term for the forms of an Arabic noun: strips article and ending, and long vowels, by which most plurals differ:
// هاتف and الهواتف become هتف.

const ARABIC = /^[\u0621-\u064a]+$/;
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=.{3})/;
const ENDING = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/;
const LONG_VOWELS = /(?<=.)[اوي]/g;
const CONSONANTS_MIN = 3;

export const isArabic = (word: string): boolean => ARABIC.test(word);

export const arabicStem = (word: string): string => {
  const bare = word.replace(ARTICLE, '').replace(ENDING, '');
  const consonants = bare.replace(LONG_VOWELS, '');
  return consonants.length >= CONSONANTS_MIN ? consonants : bare;
};
