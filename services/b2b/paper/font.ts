// The fonts in which a paper is written: one that is always there, and of the other scripts those characters that a paper has,
// cut out of fonts which would be far too large to send along.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';

export type Weight = 'regular' | 'bold';

export interface PaperFont {
  readonly name: string;
  readonly file: Buffer;
  readonly has: (codePoint: number) => boolean;
}

/** Of each weight, the first one that has a character writes it; where none has, the first one draws a box. */
export type Fonts = Readonly<Record<Weight, readonly [PaperFont, ...PaperFont[]]>>;

/** What is written on a paper, and in which countries it is read. */
export interface TextRun {
  readonly text: string;
  readonly countries: readonly string[];
}

const { resolve } = createRequire(import.meta.url);

/** What has no shape of its own: joiners, marks of direction, selectors of variants. */
export const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

export const codePointOf = (character: string): number => character.codePointAt(0)!;

const fontOf = (name: string, file: Buffer): PaperFont => {
  const font = create(file) as Font;
  return { name, file, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
};

/** Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and the signs of currencies. */
const bundled = (name: string, file: string): PaperFont =>
  fontOf(name, readFileSync(resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)));
const REGULAR = bundled('regular', 'DejaVuSans');
const BOLD = bundled('bold', 'DejaVuSans-Bold');

/** Simplified and traditional Chinese, Japanese, Korean: the same character is drawn as each is used to. */
const TONGUES = ['sc', 'tc', 'jp', 'kr'] as const;
type Tongue = (typeof TONGUES)[number];

const TONGUE_OF: Readonly<Record<string, Tongue>> = {
  CN: 'sc',
  SG: 'sc',
  TW: 'tc',
  HK: 'tc',
  MO: 'tc',
  JP: 'jp',
  KR: 'kr',
};

/** By the script that gives a tongue away, else by who reads it. */
const tonguesFor = ({ text, countries }: TextRun): readonly Tongue[] => {
  const spoken = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'kr'
      : countries.flatMap((country) => TONGUE_OF[country.toUpperCase()] ?? [])[0];
  return [...new Set([...(spoken ? [spoken] : []), ...TONGUES])];
};

/** A family of fonts as its package has it: in slices, each with one weight or with all of them. */
interface Family {
  readonly name: `noto-sans-${Script | Tongue}` | 'noto-emoji';
  readonly weights: 'all' | 'regular';
}

/** Each script that DejaVu does not have. */
const SCRIPTS = [
  ...(['thai', 'lao', 'khmer', 'myanmar', 'sinhala', 'ethiopic'] as const),
  ...(['devanagari', 'bengali', 'gurmukhi', 'gujarati', 'oriya', 'tamil', 'telugu', 'kannada', 'malayalam'] as const),
] as const;
type Script = (typeof SCRIPTS)[number];

const noto = (name: Script | Tongue): Family => ({
  name: `noto-sans-${name}`,
  weights: name === 'myanmar' ? 'regular' : 'all',
});

const EMOJI: Family = { name: 'noto-emoji', weights: 'all' };

const familiesFor = (reading: TextRun): readonly Family[] =>
  [...SCRIPTS, ...tonguesFor(reading)].map(noto).concat(EMOJI);

const packageOf = ({ name, weights }: Family): string =>
  weights === 'all' ? `@fontsource-variable/${name}` : `@fontsource/${name}`;

/** A font comes in slices: which of them has a character. */
const slicesOf = (family: Family): ReadonlyMap<number, string> => {
  const ranges: Record<string, string> = JSON.parse(readFileSync(resolve(`${packageOf(family)}/unicode.json`), 'utf8'));
  const slices = new Map<number, string>();
  for (const [slice, text] of Object.entries(ranges))
    for (const range of text.split(',')) {
      const [from = Number.NaN, to = from] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      for (let codePoint = from; codePoint <= to; codePoint++) slices.set(codePoint, slice);
    }
  return slices;
};

const known = new Map<Family['name'], ReadonlyMap<number, string>>();
const sliceOf = (family: Family, codePoint: number): string | undefined => {
  const slices = known.get(family.name) ?? slicesOf(family);
  known.set(family.name, slices);
  return slices.get(codePoint);
};

/**
 * These characters alone, at the weight of what stands beside them; null: the slice has none of them, whatever it says.
 * `joiners`: characters without a shape that decide how others join.
 */
const cut = async (
  family: Family,
  slice: string,
  characters: readonly string[],
  joiners: readonly string[],
): Promise<PaperFont | null> => {
  const weight = family.weights === 'all' ? 'wght' : '400';
  const name = `${family.name}-${slice.replace(/[[\]]/g, '')}-${weight}-normal`;
  const whole = readFileSync(resolve(`${packageOf(family)}/files/${name}.woff2`));
  const font = fontOf(
    name,
    await subsetFont(whole, [...characters, ...joiners].join(''), {
      targetFormat: 'truetype',
      ...(family.weights === 'all' && { variationAxes: { wght: 400 } }),
    }),
  );
  try {
    return characters.some((character) => font.has(codePointOf(character))) ? font : null;
  } catch {
    // Without a single character a font has no table of them.
    return null;
  }
};

/** Vowels of Khmer that are drawn on both sides of their letter: the left part is a sign of its own. */
const KHMER_SPLIT = /[\u17BE-\u17C0\u17C4\u17C5]/;
const KHMER_LEFT = '\u17C1';

/** A character with the parts that shaping may draw it from. */
const withParts = (character: string): string[] => [
  character,
  ...character.normalize('NFD'),
  ...(KHMER_SPLIT.test(character) ? [KHMER_LEFT] : []),
];

export const fontsFor = async (reading: TextRun): Promise<Fonts> => {
  const characters = [...new Set(reading.text)];
  const joiners = characters.filter((character) => IGNORABLE.test(character));
  let missing = characters
    .filter((character) => !IGNORABLE.test(character) && !REGULAR.has(codePointOf(character)))
    .sort();
  const others: PaperFont[] = [];
  for (const family of familiesFor(reading)) {
    if (missing.length === 0) break;
    const bySlice = Map.groupBy(missing, (character) => sliceOf(family, codePointOf(character)));
    for (const [slice, all] of bySlice) {
      const font = slice === undefined ? null : await cut(family, slice, all.flatMap(withParts), joiners);
      if (font) others.push(font);
    }
    missing = missing.filter((character) => !others.some((font) => font.has(codePointOf(character))));
  }
  return { regular: [REGULAR, ...others], bold: [BOLD, REGULAR, ...others] };
};
