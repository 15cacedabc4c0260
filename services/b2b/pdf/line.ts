// Breaks text into lines, and lines into runs of one font from left to right, for both directions of reading. Pure.
import bidiFactory from 'bidi-js';
import { codePointOf, IGNORABLE, type PdfFont } from './font.ts';

// Puts Burmese characters into visual order, because fontkit keeps the written order. The vowel e and the medial ra are
// drawn before their letter, a small nga above the following letter.

const LETTER =
  '[\\u1000-\\u102A\\u103F\\u104E\\u1050-\\u1055\\u105A-\\u105D\\u1061\\u1065-\\u1066\\u106E-\\u1070\\u1075-\\u1081]';
const SYLLABLE = new RegExp(
  `(\\u1004\\u103A\\u1039)?(${LETTER})((?:\\u1039${LETTER})*)(\\u103B?)(\\u103C?)([\\u103D\\u103E]*)(\\u1031?)`,
  'g',
);

export const isBurmese = (text: string): boolean => /\p{Script=Myanmar}/u.test(text);

const inVisualOrder = (text: string): string => text.replace(SYLLABLE, '$7$5$2$1$3$4$6');

/** OpenType features that join glyphs; fontkit does not enable them for scripts that it does not know. */
export const BURMESE_FEATURES = ['rphf', 'pref', 'blwf', 'pstf', 'pres', 'abvs', 'blws', 'psts'] as const;

export interface GlyphRun {
  readonly font: string;
  readonly text: string;
  readonly fromRight: boolean;
}

export interface TextLine {
  readonly runs: readonly GlyphRun[];
  readonly width: number;
}

export type Measure = (run: GlyphRun) => number;

export interface LineLayout {
  readonly width: number;
  readonly fonts: readonly [PdfFont, ...PdfFont[]];
  readonly measure: Measure;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * Text whose characters are all single graphemes; it skips segmentation, which takes most of the time for long
 * documents.
 */
const PLAIN = /^[ -~]*$/;
const clustersOf = (text: string): string[] =>
  PLAIN.test(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment);

/** Characters of Hebrew, Arabic and related scripts; all others count as left-to-right. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

interface FontCluster {
  readonly font: string;
  readonly text: string;
}

const clusterCache = new WeakMap<LineLayout['fonts'], Map<string, FontCluster>>();

/** Drawn for characters that no font has, because the width of the font's own box is measured too small. */
const REPLACEMENT = '\uFFFD';

const findFont = (cluster: string, fonts: LineLayout['fonts']): FontCluster => {
  const characters = [...cluster];
  const shown = characters.filter((character) => !IGNORABLE.test(character));
  const font = fonts.find(({ has }) => shown.every((character) => has(codePointOf(character))));
  if (!font) return { font: fonts[0].name, text: REPLACEMENT };
  const text = characters
    .filter((character) => !IGNORABLE.test(character) || font.has(codePointOf(character)))
    .join('');
  return { font: font.name, text };
};

const fontClusterOf = (cluster: string, fonts: LineLayout['fonts']): FontCluster => {
  const known = clusterCache.get(fonts) ?? new Map<string, FontCluster>();
  clusterCache.set(fonts, known);
  const before = known.get(cluster);
  if (before) return before;
  const made = findFont(cluster, fonts);
  known.set(cluster, made);
  return made;
};

const fontRuns = (text: string, fonts: LineLayout['fonts']): GlyphRun[] => {
  const runs: { font: string; text: string; fromRight: boolean }[] = [];
  for (const cluster of clustersOf(text)) {
    const last = runs.at(-1);
    const { font, text: shown } = fontClusterOf(cluster, fonts);
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown, fromRight: false });
  }
  return runs;
};

interface LevelRun {
  readonly level: number;
  readonly text: string;
}

/** Reverses the sequences of each level, highest level first (Unicode Bidirectional Algorithm, rule L2). */
const reorder = (parts: readonly LevelRun[]): readonly LevelRun[] => {
  let order = [...parts];
  for (let level = Math.max(...parts.map((part) => part.level)); level > 0; level--) {
    const next: LevelRun[] = [];
    let sequence: LevelRun[] = [];
    for (const part of order) {
      if (part.level >= level) sequence.unshift(part);
      else {
        next.push(...sequence, part);
        sequence = [];
      }
    }
    order = [...next, ...sequence];
  }
  return order;
};

/** Splits text into runs of one bidi level and mirrors the brackets in right-to-left runs. */
const levelRuns = (text: string): readonly LevelRun[] => {
  const embedding = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const parts: { level: number; text: string }[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = embedding.levels[at]!;
    const character = mirrored.get(at) ?? text[at]!;
    const last = parts.at(-1);
    if (last?.level === level) last.text += character;
    else parts.push({ level, text: character });
  }
  return parts;
};

/**
 * Splits a right-to-left run by font. The font reverses letters when it shapes them; runs without letters are reversed
 * here.
 */
const runsFromRight = (text: string, fonts: LineLayout['fonts']): GlyphRun[] =>
  fontRuns(text, fonts)
    .reverse()
    .map((run) =>
      FROM_RIGHT.test(run.text)
        ? { ...run, fromRight: true }
        : { ...run, text: clustersOf(run.text).reverse().join('') },
    );

const runsOf = (text: string, fonts: LineLayout['fonts']): readonly GlyphRun[] =>
  FROM_RIGHT.test(text)
    ? reorder(levelRuns(text)).flatMap((part) =>
        part.level % 2 === 1 ? runsFromRight(part.text, fonts) : fontRuns(part.text, fonts),
      )
    : fontRuns(text, fonts);

/**
 * Chinese and Japanese characters, between which lines may break, except before closing and after opening punctuation.
 */
const IDEOGRAPH = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const BREAK_UNIT = new RegExp(`\\s+|[\\p{Ps}\\p{Pi}]*[${IDEOGRAPH}][\\p{Pe}\\p{Pf}\\p{Po}]*|[^\\s${IDEOGRAPH}]+`, 'gu');

const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

const unitsOf = (paragraph: string): string[] =>
  (paragraph.match(BREAK_UNIT) ?? []).flatMap((unit) =>
    UNSPACED.test(unit) ? [...words.segment(unit)].map(({ segment }) => segment) : [unit],
  );

export const linesOf = (text: string, { width, fonts, measure }: LineLayout): readonly TextLine[] => {
  const lines: TextLine[] = [];
  const lineOf = (logical: string): TextLine => {
    const runs = runsOf(logical.trimEnd(), fonts).map((run) => ({ ...run, text: inVisualOrder(run.text) }));
    return { runs, width: runs.reduce((sum, run) => sum + measure(run), 0) };
  };
  const fits = (logical: string): boolean => lineOf(logical).width <= width;
  const breakWord = (word: string): string => {
    if (fits(word)) return word;
    const clusters = clustersOf(word);
    let count = 1;
    while (count < clusters.length && fits(clusters.slice(0, count + 1).join(''))) count++;
    if (count === clusters.length) return word;
    lines.push(lineOf(clusters.slice(0, count).join('')));
    return breakWord(clusters.slice(count).join(''));
  };
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const unit of unitsOf(paragraph)) {
      if (fits(line + unit)) {
        line += unit;
        continue;
      }
      if (line.trim() !== '') lines.push(lineOf(line));
      line = breakWord(unit.trimStart());
    }
    lines.push(lineOf(line));
  }
  return lines;
};
