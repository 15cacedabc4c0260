// Provides the fonts of a PDF: a built-in one, and for other scripts subsets with only the characters in use.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';

export type Weight = 'regular' | 'bold';

export interface PdfFont {
  readonly name: string;
  readonly file: Buffer;
  readonly has: (codePoint: number) => boolean;
}

/** Fonts of each weight. The first that has a character draws it; if none has, the first font draws a box. */
export type Fonts = Readonly<Record<Weight, readonly [PdfFont, ...PdfFont[]]>>;

export interface TextSample {
  readonly text: string;
  readonly countries: readonly string[];
}

const { resolve } = createRequire(import.meta.url);

/** Characters that are never drawn: joiners, direction marks, variation selectors. */
export const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

export const codePointOf = (character: string): number => character.codePointAt(0)!;

const fontOf = (name: string, file: Buffer): PdfFont => {
  const font = create(file) as Font;
  return { name, file, has: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
};

/** Loads a bundled DejaVu font: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, currency signs. */
const bundled = (name: string, file: string): PdfFont =>
  fontOf(name, readFileSync(resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)));
const REGULAR = bundled('regular', 'DejaVuSans');
const BOLD = bundled('bold', 'DejaVuSans-Bold');

/** Fonts of simplified and traditional Chinese, Japanese and Korean, which draw the same characters differently. */
const CJK_VARIANTS = ['sc', 'tc', 'jp', 'kr'] as const;
type CjkVariant = (typeof CJK_VARIANTS)[number];

const CJK_VARIANT_OF_COUNTRY: Readonly<Record<string, CjkVariant>> = {
  CN: 'sc',
  SG: 'sc',
  TW: 'tc',
  HK: 'tc',
  MO: 'tc',
  JP: 'jp',
  KR: 'kr',
};

const cjkVariantsFor = ({ text, countries }: TextSample): readonly CjkVariant[] => {
  const preferred = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'kr'
      : countries.flatMap((country) => CJK_VARIANT_OF_COUNTRY[country.toUpperCase()] ?? [])[0];
  return [...new Set([...(preferred ? [preferred] : []), ...CJK_VARIANTS])];
};

interface Family {
  readonly name: `noto-sans-${Script | CjkVariant}` | 'noto-emoji';
  readonly weights: 'all' | 'regular';
}

const SCRIPTS = [
  ...(['thai', 'lao', 'khmer', 'myanmar', 'sinhala', 'ethiopic'] as const),
  ...(['devanagari', 'bengali', 'gurmukhi', 'gujarati', 'oriya', 'tamil', 'telugu', 'kannada', 'malayalam'] as const),
] as const;
type Script = (typeof SCRIPTS)[number];

const noto = (name: Script | CjkVariant): Family => ({
  name: `noto-sans-${name}`,
  weights: name === 'myanmar' ? 'regular' : 'all',
});

const EMOJI: Family = { name: 'noto-emoji', weights: 'all' };

const familiesFor = (reading: TextSample): readonly Family[] =>
  [...SCRIPTS, ...cjkVariantsFor(reading)].map(noto).concat(EMOJI);

const packageOf = ({ name, weights }: Family): string =>
  weights === 'all' ? `@fontsource-variable/${name}` : `@fontsource/${name}`;

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

const slicesByFamily = new Map<Family['name'], ReadonlyMap<number, string>>();
const sliceOf = (family: Family, codePoint: number): string | undefined => {
  const slices = slicesByFamily.get(family.name) ?? slicesOf(family);
  slicesByFamily.set(family.name, slices);
  return slices.get(codePoint);
};

/**
 * Returns a font with the given characters of a slice. Returns null if the slice has none of them, although its index
 * lists them. `joiners` are included because they decide how neighbouring characters connect.
 */
const subset = async (
  family: Family,
  slice: string,
  characters: readonly string[],
  joiners: readonly string[],
): Promise<PdfFont | null> => {
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
    // fontkit throws for a font without any character.
    return null;
  }
};

/** Khmer vowels with a part on each side of their letter; the left part is a separate glyph. */
const KHMER_SPLIT = /[\u17BE-\u17C0\u17C4\u17C5]/;
const KHMER_LEFT = '\u17C1';

const withParts = (character: string): string[] => [
  character,
  ...character.normalize('NFD'),
  ...(KHMER_SPLIT.test(character) ? [KHMER_LEFT] : []),
];

export const fontsFor = async (reading: TextSample): Promise<Fonts> => {
  const characters = [...new Set(reading.text)];
  const joiners = characters.filter((character) => IGNORABLE.test(character));
  let missing = characters
    .filter((character) => !IGNORABLE.test(character) && !REGULAR.has(codePointOf(character)))
    .sort();
  const others: PdfFont[] = [];
  for (const family of familiesFor(reading)) {
    if (missing.length === 0) break;
    const bySlice = Map.groupBy(missing, (character) => sliceOf(family, codePointOf(character)));
    for (const [slice, all] of bySlice) {
      const font = slice === undefined ? null : await subset(family, slice, all.flatMap(withParts), joiners);
      if (font) others.push(font);
    }
    missing = missing.filter((character) => !others.some((font) => font.has(codePointOf(character))));
  }
  return { regular: [REGULAR, ...others], bold: [BOLD, REGULAR, ...others] };
};
