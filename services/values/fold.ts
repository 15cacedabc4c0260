// Removes differences of letter case, accents, character widths and ligatures from texts, for search and slugs.

const ASCII_ONLY = /^[\x20-\x7e]*$/;
/** Combining accents of Latin, Greek and Cyrillic letters, and vowel points of Hebrew and Arabic. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
const LETTERS_WITHOUT_NFKD: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '”': '"',
  '“': '"',
  '″': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': ' ',
  '×': ' x ',
  '\u0640': '',
  '\u00ad': '',
  '\u200b': '',
  '\u200c': '',
  '\u200d': '',
};
/** Signs that are removed first, because NFKD would turn them into letters of the word. */
const MARKS = /[™℠®©]/g;
const SPECIAL = new RegExp(`[${Object.keys(LETTERS_WITHOUT_NFKD).join('')}]`, 'g');

export const fold = (text: string): string => {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return (
    text
      .replace(MARKS, ' ')
      .toLowerCase()
      .normalize('NFKD')
      .replace(ACCENTS, '')
      .normalize('NFC')
      // Lower case again, because NFKD turns some signs into capitals.
      .toLowerCase()
      .replace(SPECIAL, (letter) => LETTERS_WITHOUT_NFKD[letter]!)
  );
};
