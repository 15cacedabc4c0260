// Divides nouns that are written together, as in `Kaffeebecher`. No word list: a part is any end that may begin a word. A
// query finds only parts that products have.

const LENGTH_MIN = 7;
const HEAD_LENGTH_MIN = 3;
const TAIL_LENGTH_MIN = 4;

const VOWEL = /[aeiouy]/;
const LETTERS = /^[a-z]+$/;
/** Letters that may begin a word of German, Dutch or Swedish. */
const ONSET = /^(?:[bcdfghjklmnpqrstvwz]?[aeiouy]|[bcdfgkptvw][rl]|[gk]n|[cps]h|[kt]v|tw|zw|qu|pf|sch|s[cjklmnpqtvw])/;
/** Letters between two nouns, the longest first. */
const LINKS = ['es', 'en', 'er', 's', 'n', 'e'];

/** Calls `take` with each division, the longest head first. */
const eachDivision = (word: string, take: (head: string, tail: string) => void): void => {
  if (word.length < LENGTH_MIN || !LETTERS.test(word)) return;
  for (let at = word.length - TAIL_LENGTH_MIN; at >= HEAD_LENGTH_MIN; at--) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    if (VOWEL.test(head) && VOWEL.test(tail) && ONSET.test(tail)) take(head, tail);
  }
};

/** Calls `take` with each end of a word that may be a noun. */
export const eachCompoundEnd = (word: string, take: (end: string) => void): void =>
  eachDivision(word, (_head, tail) => take(tail));

/** Returns the pairs of words that a word may consist of, with and without a link between them. */
export const compoundPairs = (word: string): [head: string, tail: string][] => {
  const pairs: [string, string][] = [];
  eachDivision(word, (head, tail) => {
    pairs.push([head, tail]);
    for (const link of LINKS)
      if (head.endsWith(link) && head.length - link.length >= HEAD_LENGTH_MIN)
        pairs.push([head.slice(0, -link.length), tail]);
  });
  return pairs;
};
