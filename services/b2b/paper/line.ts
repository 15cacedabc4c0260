// Text as it stands on paper: broken into lines, and each line into runs of one font from left to right, whichever way they
// are read. Pure.
import bidiFactory from 'bidi-js';
import { inDrawnOrder } from './burmese.ts';
import { codePointOf, IGNORABLE, type PaperFont } from './font.ts';

export interface PaperRun {
  readonly font: string;
  readonly text: string;
  /** Its letters are read from the right, and follow each other in that order in `text`. */
  readonly fromRight: boolean;
}

export interface PaperLine {
  readonly runs: readonly PaperRun[];
  readonly width: number;
}

/** How wide a run is. */
export type Measure = (run: PaperRun) => number;

export interface PaperSetting {
  readonly width: number;
  readonly fonts: readonly [PaperFont, ...PaperFont[]];
  readonly measure: Measure;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Of these each character stands for itself: to look for more costs most of the time that a long paper takes. */
const PLAIN = /^[ -~]*$/;
const clustersOf = (text: string): string[] =>
  PLAIN.test(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment);

/** Hebrew, Arabic and their kin: with none of them all is read from the left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

interface DrawnCluster {
  readonly font: string;
  readonly text: string;
}

/** Clusters as they are drawn, by the fonts that there are. */
const found = new WeakMap<PaperSetting['fonts'], Map<string, DrawnCluster>>();

/** Stands for a character that no font has: the font's own box for it is drawn wider than it measures. */
const REPLACEMENT = '\uFFFD';

const drawnIn = (cluster: string, fonts: PaperSetting['fonts']): DrawnCluster => {
  const characters = [...cluster];
  const shown = characters.filter((character) => !IGNORABLE.test(character));
  const font = fonts.find(({ has }) => shown.every((character) => has(codePointOf(character))));
  if (!font) return { font: fonts[0].name, text: REPLACEMENT };
  const text = characters
    .filter((character) => !IGNORABLE.test(character) || font.has(codePointOf(character)))
    .join('');
  return { font: font.name, text };
};

const drawn = (cluster: string, fonts: PaperSetting['fonts']): DrawnCluster => {
  const known = found.get(fonts) ?? new Map<string, DrawnCluster>();
  found.set(fonts, known);
  const before = known.get(cluster);
  if (before) return before;
  const made = drawnIn(cluster, fonts);
  known.set(cluster, made);
  return made;
};

/** Runs of one font; a mark stays with its letter. */
const fontRuns = (text: string, fonts: PaperSetting['fonts']): PaperRun[] => {
  const runs: { font: string; text: string; fromRight: boolean }[] = [];
  for (const cluster of clustersOf(text)) {
    const last = runs.at(-1);
    const { font, text: shown } = drawn(cluster, fonts);
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown, fromRight: false });
  }
  return runs;
};

interface Leveled {
  readonly level: number;
  readonly text: string;
}

/** As the Unicode Bidirectional Algorithm has it, rule L2: each level's sequences are turned round, the highest first. */
const turned = (parts: readonly Leveled[]): readonly Leveled[] => {
  let order = [...parts];
  for (let level = Math.max(...parts.map((part) => part.level)); level > 0; level--) {
    const next: Leveled[] = [];
    let sequence: Leveled[] = [];
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

/** Parts of one level, brackets that are read from the right turned round. */
const leveled = (text: string): readonly Leveled[] => {
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

/** Letters say themselves which way they go; signs alone are put into their order here. */
const runsFromRight = (text: string, fonts: PaperSetting['fonts']): PaperRun[] =>
  fontRuns(text, fonts)
    .reverse()
    .map((run) =>
      FROM_RIGHT.test(run.text)
        ? { ...run, fromRight: true }
        : { ...run, text: clustersOf(run.text).reverse().join('') },
    );

const runsOf = (text: string, fonts: PaperSetting['fonts']): readonly PaperRun[] =>
  FROM_RIGHT.test(text)
    ? turned(leveled(text)).flatMap((part) =>
        part.level % 2 === 1 ? runsFromRight(part.text, fonts) : fontRuns(part.text, fonts),
      )
    : fontRuns(text, fonts);

/** Between Chinese and Japanese characters a line may end anywhere, but not before what closes or after what opens. */
const IDEOGRAPH = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';
const UNIT = new RegExp(`\\s+|[\\p{Ps}\\p{Pi}]*[${IDEOGRAPH}][\\p{Pe}\\p{Pf}\\p{Po}]*|[^\\s${IDEOGRAPH}]+`, 'gu');

/** Scripts that put no space between words: a line ends between two of them. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const words = new Intl.Segmenter('th', { granularity: 'word' });

const unitsOf = (paragraph: string): string[] =>
  (paragraph.match(UNIT) ?? []).flatMap((unit) =>
    UNSPACED.test(unit) ? [...words.segment(unit)].map(({ segment }) => segment) : [unit],
  );

/** At least one line. */
export const linesOf = (text: string, { width, fonts, measure }: PaperSetting): readonly PaperLine[] => {
  const lines: PaperLine[] = [];
  const lineOf = (logical: string): PaperLine => {
    const runs = runsOf(logical.trimEnd(), fonts).map((run) => ({ ...run, text: inDrawnOrder(run.text) }));
    return { runs, width: runs.reduce((sum, run) => sum + measure(run), 0) };
  };
  const fits = (logical: string): boolean => lineOf(logical).width <= width;
  /** What is wider than a line is cut where it must be; what is left of it. */
  const cutDown = (word: string): string => {
    if (fits(word)) return word;
    const clusters = clustersOf(word);
    let count = 1;
    while (count < clusters.length && fits(clusters.slice(0, count + 1).join(''))) count++;
    if (count === clusters.length) return word;
    lines.push(lineOf(clusters.slice(0, count).join('')));
    return cutDown(clusters.slice(count).join(''));
  };
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const unit of unitsOf(paragraph)) {
      if (fits(line + unit)) {
        line += unit;
        continue;
      }
      if (line.trim() !== '') lines.push(lineOf(line));
      line = cutDown(unit.trimStart());
    }
    lines.push(lineOf(line));
  }
  return lines;
};
