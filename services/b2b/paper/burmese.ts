// Burmese in the order in which its signs are drawn. fontkit shapes it as a script whose signs follow each other as they are
// written, yet the vowel e and the medial ra stand before their letter, and a small nga above the one that follows it.

const LETTER =
  '[\\u1000-\\u102A\\u103F\\u104E\\u1050-\\u1055\\u105A-\\u105D\\u1061\\u1065-\\u1066\\u106E-\\u1070\\u1075-\\u1081]';
const SYLLABLE = new RegExp(
  `(\\u1004\\u103A\\u1039)?(${LETTER})((?:\\u1039${LETTER})*)(\\u103B?)(\\u103C?)([\\u103D\\u103E]*)(\\u1031?)`,
  'g',
);

export const isBurmese = (text: string): boolean => /\p{Script=Myanmar}/u.test(text);

export const inDrawnOrder = (text: string): string => text.replace(SYLLABLE, '$7$5$2$1$3$4$6');

/** What joins signs, which is off where a script is not known. */
export const BURMESE_FEATURES = ['rphf', 'pref', 'blwf', 'pstf', 'pres', 'abvs', 'blws', 'psts'] as const;
