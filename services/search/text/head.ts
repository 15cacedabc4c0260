// The word of a name that says what kind of thing it names: "Gel Mouse Pad Blue" is a pad, "Laser mouse USB 1000 DPI" is a
// mouse. What stands behind that word are figures, values that the product's attributes repeat, and what it is for.
import { FILLERS } from './filler.ts';
import { fold } from './fold.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’+#./-]*/gu;
const WITHIN = /[\p{L}\p{N}'’+#./-]/u;
const DIGIT = /\p{N}/u;
const NUMBER = /^[\p{N}.]+$/u;
const UNIT_LENGTH_MAX = 4;
/** A name ends its first phrase here: what follows is said of the thing, and is not the thing. */
const PHRASE_END = /[,;:|(–—]| - /u;

/** Folded; empty where the name says nothing but figures and values. */
export const headOf = (name: string, values: readonly string[]): string => {
  const said = ` ${fold(values.join(' '))} `;
  for (const phrase of fold(name).split(PHRASE_END)) {
    const words = phrase.match(WORD) ?? [];
    const filler = words.findIndex((word, at) => at > 0 && FILLERS.has(word));
    const thing = filler < 0 ? words : words.slice(0, filler);
    for (let at = thing.length - 1; at >= 0; at--) {
      const word = thing[at]!;
      // A unit stands behind its figure.
      const figure = DIGIT.test(word) || (at > 0 && NUMBER.test(thing[at - 1]!) && word.length <= UNIT_LENGTH_MAX);
      if (!figure && !stands(word, said)) return word;
    }
  }
  return '';
};

/** Whether it is a word of the text. */
const stands = (word: string, text: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!WITHIN.test(text[at - 1]!) && !WITHIN.test(text[at + word.length]!)) return true;
  }
  return false;
};
