// Terms by text, prefix and edit distance, compared with enumerated edits.
import { describe, expect, test } from 'vitest';
import { Vocabulary } from '#services/search/engine/vocabulary.ts';

const opened = (...texts: readonly string[]): Vocabulary => {
  const vocabulary = new Vocabulary();
  for (const text of texts) vocabulary.add(text);
  return vocabulary;
};

const candidates = (vocabulary: Vocabulary, text: string): string[] => {
  const found = new Set<string>();
  vocabulary.eachEdit(text, (term) => found.add(vocabulary.text(term)));
  return [...found].sort();
};

const beginning = (vocabulary: Vocabulary, prefix: string): string[] => {
  const found: string[] = [];
  vocabulary.eachWithPrefix(prefix, (term) => found.push(vocabulary.text(term)));
  return found.sort();
};

/** Every insertion, deletion, substitution and transposition. */
const edits = (text: string, alphabet: readonly string[]): Set<string> => {
  const letters = [...text];
  const made = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const head = letters.slice(0, at).join('');
    const tail = letters.slice(at);
    if (at < letters.length) made.add(head + tail.slice(1).join(''));
    if (tail.length > 1) made.add(head + tail[1] + tail[0] + tail.slice(2).join(''));
    for (const letter of alphabet) {
      made.add(head + letter + tail.join(''));
      if (tail.length > 0) made.add(head + letter + tail.slice(1).join(''));
    }
  }
  made.delete(text);
  return made;
};

describe('a vocabulary', () => {
  test('finds what was added, and nothing else', () => {
    const vocabulary = opened('running', 'shoes', 'туфли', '鞋', 'straße');
    expect(vocabulary.add('shoes')).toBe(1);
    for (const text of ['running', 'shoes', 'туфли', '鞋', 'straße'])
      expect(vocabulary.text(vocabulary.find(text))).toBe(text);
    for (const text of ['', 'run', 'shoess', 'туфля', '鞋鞋', 'x'.repeat(10_000)])
      expect(vocabulary.find(text)).toBe(-1);
  });

  test('finds terms by prefix, sorted and unsorted', () => {
    const vocabulary = opened('lap', 'laptop', 'lapland', 'lamp', 'туфли', 'туфелька');
    vocabulary.sort();
    vocabulary.add('lapel');
    expect(beginning(vocabulary, 'lap')).toEqual(['lap', 'lapel', 'lapland', 'laptop']);
    expect(beginning(vocabulary, 'туф')).toEqual(['туфелька', 'туфли']);
    expect(beginning(vocabulary, 'z')).toEqual([]);
  });

  test('numbers terms in text order, and later ones after', () => {
    const texts = ['lap', 'laptop', 'туфли', 'lamp', 'zebra', 'a', 'lapland', 'usb', 'usb2', 'туфелька'];
    // Prefixes longer than four bytes differ in the rest of the text.
    for (let number = 0; number < 500; number++) texts.push(`number${number}`);
    const vocabulary = opened(...texts);
    const arranging = vocabulary.arranging();
    let step = arranging.next();
    while (!step.done) step = arranging.next();
    const ordered = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(ordered.map((text) => vocabulary.find(text))).toEqual(ordered.map((_, term) => term));
    expect(texts.map((_, term) => step.value[term])).toEqual(texts.map((text) => ordered.indexOf(text)));
    expect(vocabulary.add('lapel')).toBe(texts.length);
    for (const sorts of [false, true]) {
      if (sorts) vocabulary.sort();
      expect(beginning(vocabulary, 'lap')).toEqual(['lap', 'lapel', 'lapland', 'laptop']);
      expect(beginning(vocabulary, 'туф')).toEqual(['туфелька', 'туфли']);
      expect(beginning(vocabulary, '')).toHaveLength(texts.length + 1);
      for (const none of ['0', 'b', 'zz', 'usb3', 'number7777']) expect(beginning(vocabulary, none)).toEqual([]);
      for (const prefixed of ['number', 'number4', 'number49', 'number499', 'n', 'usb', 'z'])
        expect(beginning(vocabulary, prefixed)).toEqual(texts.filter((text) => text.startsWith(prefixed)).sort());
      expect(candidates(vocabulary, 'lapell')).toEqual(['lapel']);
      expect(candidates(vocabulary, 'zebr')).toEqual(['zebra']);
    }
  });

  test('returns the most frequent terms of a very common prefix, whenever they were added', () => {
    const counts = new Map<number, number>();
    const vocabulary = new Vocabulary((term) => counts.get(term) ?? 0);
    const often = new Set<string>();
    const add = (number: number): void => {
      const text = `s${(number * 7_919) % 100_003}`;
      const term = vocabulary.add(text);
      // About one in a hundred is frequent.
      counts.set(term, number % 101 === 0 ? 1_000 + number : number % 7);
      if (number % 101 === 0) often.add(text);
    };
    vocabulary.add('r9');
    for (let number = 0; number < 6_000; number++) add(number);
    vocabulary.sort();
    for (let number = 6_000; number < 6_200; number++) add(number);
    vocabulary.add('t0');
    const found = beginning(vocabulary, 's');
    const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, 60);
    expect(often.size).toBe(62);
    expect(found).toEqual(expect.arrayContaining(most.map(([term]) => vocabulary.text(term))));
    expect(found.every((text) => text.startsWith('s'))).toBe(true);
    expect(beginning(vocabulary, 's1').every((text) => text.startsWith('s1'))).toBe(true);
  });

  test.each([
    ['runing', 'abcdefghijklmnopqrstuvwxyz', ['running', 'ruing', 'runnig', 'turning', 'ruinng', 'rubing', 'x', 'run']],
    [
      'туфли',
      'абвгдежзийклмнопрстуфхцчшщьыэюя',
      ['тyфли', 'туфл', 'туфли', 'уфли', 'туфлии', 'тфули', 'туфля', 'сапог'],
    ],
    ['ελια', 'αβγδεζηθικλμνξοπρστυφχψω', ['ελιά', 'ελαι', 'ελι', 'μελια', 'ελιας', 'ελμα', 'λεια']],
  ])('knows what is one edit away from "%s"', (text, alphabet, terms) => {
    const near = edits(text, [...alphabet]);
    expect(candidates(opened(...terms), text)).toEqual(
      terms.filter((term) => near.has(term) || term === 'ελιά').sort(),
    );
  });

  test('finds all edits of random words in both scripts', () => {
    let state = 5;
    const next = (end: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * end);
    };
    for (const alphabet of [[...'abcd'], [...'абвг']]) {
      const word = (): string => Array.from({ length: 1 + next(7) }, () => alphabet[next(4)]).join('');
      // Enough terms for the tables to grow.
      const terms = [...new Set(Array.from({ length: 4_000 }, word))];
      const vocabulary = opened(...terms);
      for (let asked = 0; asked < 200; asked++) {
        const text = word();
        const near = edits(text, alphabet);
        const expected = terms.filter((term) => near.has(term)).sort();
        expect(
          candidates(vocabulary, text).filter((term) => term !== text),
          text,
        ).toEqual(expected);
      }
    }
  });

  test('finds every term while tables grow, also during renumbering', () => {
    const vocabulary = new Vocabulary();
    const texts: string[] = [];
    for (let at = 0; at < 4_200; at++) {
      texts.push(`term${at}`);
      vocabulary.add(`term${at}`);
      // Moving starts at 1,025 and 2,049 terms.
      if (at % 100 !== 50) continue;
      for (const _ of vocabulary.arranging()) void 0;
      for (const text of texts) expect(vocabulary.text(vocabulary.find(text)), text).toBe(text);
      expect(candidates(vocabulary, 'tern7')).toContain('term7');
    }
    expect(vocabulary.find('term4200')).toBe(-1);
  });
});
