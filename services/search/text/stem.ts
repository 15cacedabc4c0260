// One term for a word's singular and plural; nothing else is cut off, so that other languages are left alone.

const LETTERS = /^[a-z]+$/;

/** `batteries` → `battery`, `cases` → `case`, `boxes` → `box`; short words and numbers stay as they are. */
export const stem = (word: string): string => {
  const end = word.length;
  if (end < 4 || word.charCodeAt(end - 1) !== 115 || !LETTERS.test(word)) return word;
  const before = word[end - 2]!;
  if (before === 's' || before === 'u' || before === 'i') return word;
  if (before === 'e') {
    const third = word[end - 3]!;
    if (third === 'i') return end > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
    if (third === 'x' || third === 'z' || word.endsWith('sses') || word.endsWith('ches') || word.endsWith('shes'))
      return word.slice(0, -2);
  }
  return word.slice(0, -1);
};
