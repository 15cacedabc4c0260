// The fonts in which a paper is written: one that is always there, and the characters of China, Japan and Korea that a paper
// has, cut out of fonts which would be far too large to send along.
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

const codePointOf = (character: string): number => character.codePointAt(0)!;

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

const packageOf = (tongue: Tongue): string => `@fontsource-variable/noto-sans-${tongue}`;

/** A font comes in slices: which of them has a character. */
const slicesOf = (tongue: Tongue): ReadonlyMap<number, string> => {
  const ranges: Record<string, string> = JSON.parse(readFileSync(resolve(`${packageOf(tongue)}/unicode.json`), 'utf8'));
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

const known = new Map<Tongue, ReadonlyMap<number, string>>();
const sliceOf = (tongue: Tongue, codePoint: number): string | undefined => {
  const slices = known.get(tongue) ?? slicesOf(tongue);
  known.set(tongue, slices);
  return slices.get(codePoint);
};

/** These characters alone, at the weight of what stands beside them; null: the slice has none of them, whatever it says. */
const cut = async (tongue: Tongue, slice: string, characters: readonly string[]): Promise<PaperFont | null> => {
  const name = `noto-sans-${tongue}-${slice.replace(/[[\]]/g, '')}-wght-normal`;
  const whole = readFileSync(resolve(`${packageOf(tongue)}/files/${name}.woff2`));
  const options = { targetFormat: 'truetype', variationAxes: { wght: 400 } } as const;
  const font = fontOf(name, await subsetFont(whole, characters.join(''), options));
  try {
    return characters.some((character) => font.has(codePointOf(character))) ? font : null;
  } catch {
    // Without a single character a font has no table of them.
    return null;
  }
};

export const fontsFor = async (reading: TextRun): Promise<Fonts> => {
  let missing = [...new Set(reading.text)].filter((character) => !REGULAR.has(codePointOf(character))).sort();
  const others: PaperFont[] = [];
  for (const tongue of tonguesFor(reading)) {
    if (missing.length === 0) break;
    const bySlice = Map.groupBy(missing, (character) => sliceOf(tongue, codePointOf(character)));
    for (const [slice, characters] of bySlice) {
      const font = slice === undefined ? null : await cut(tongue, slice, characters);
      if (font) others.push(font);
    }
    missing = missing.filter((character) => !others.some((font) => font.has(codePointOf(character))));
  }
  return { regular: [REGULAR, ...others], bold: [BOLD, REGULAR, ...others] };
};
