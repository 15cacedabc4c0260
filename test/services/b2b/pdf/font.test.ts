// Tests the fonts of a PDF: the built-in one, and subsets for East Asian and other scripts.
import { describe, expect, test } from 'vitest';
import { fontsFor, type PdfFont } from '#services/b2b/pdf/font.ts';

const namesFor = async (text: string, ...countries: string[]): Promise<string[]> =>
  (await fontsFor({ text, countries })).regular.map(({ name }) => name);
const tongueOf = (name: string): string => /^noto-sans-(\w\w)-/.exec(name)?.[1] ?? name;
const writes = (fonts: readonly PdfFont[], text: string): boolean =>
  [...text].every((character) => fonts.some(({ has }) => has(character.codePointAt(0)!)));

describe('fonts of a document', () => {
  test.each([['Müller & Søn, Łódź'], ['Αθήνα'], ['Київ'], ['בית קפה, תל אביב'], ['شركة القهوة، دبي'], ['₪ € ₦ ₹ ₽']])(
    'of “%s” needs one font',
    async (text) => {
      expect(await namesFor(text)).toEqual(['regular']);
    },
  );

  test.each([
    ['北京咖啡有限公司', [], 'sc'],
    ['北京咖啡有限公司', ['KE', 'CN'], 'sc'],
    ['臺北咖啡股份有限公司', ['tw'], 'tc'],
    ['東京珈琲株式会社', ['JP'], 'jp'],
    // Kana identify Japanese in any country.
    ['東京コーヒー株式会社', ['DE'], 'jp'],
    ['서울 커피 주식회사', ['DE'], 'kr'],
  ])('of %s, read in %j, is written in the characters of %s', async (text, countries, tongue) => {
    const fonts = await fontsFor({ text, countries });
    expect(writes(fonts.regular, text)).toBe(true);
    expect(new Set(fonts.regular.map(({ name }) => tongueOf(name)))).toEqual(new Set(['regular', tongue]));
  });

  test('embed only the characters in use', async () => {
    const { regular } = await fontsFor({ text: '北京', countries: [] });
    const [, cut] = regular;
    expect(cut!.has('北'.codePointAt(0)!)).toBe(true);
    expect(cut!.has('海'.codePointAt(0)!)).toBe(false);
    expect(cut!.file.length).toBeLessThan(10_000);
  });

  test('cover every character of mixed Chinese, Japanese and Korean', async () => {
    const text = '서울 커피 & 東京コーヒー & 北京咖啡';
    expect(writes((await fontsFor({ text, countries: ['KE'] })).regular, text)).toBe(true);
  });

  test.each([
    ['thai', 'กาแฟคั่วบด'],
    ['khmer', 'កាហ្វេខ្មែរ កោះ'],
    ['myanmar', 'မြန်မာကော်ဖီ'],
    ['sinhala', 'ශ්‍රී ලංකා තේ'],
    ['ethiopic', 'የኢትዮጵያ ቡና'],
    ['devanagari', 'हिन्दी कॉफ़ी'],
    ['bengali', 'বাংলা চা'],
    ['gurmukhi', 'ਪੰਜਾਬੀ ਚਾਹ'],
    ['gujarati', 'ગુજરાતી ચા'],
    ['oriya', 'ଓଡ଼ିଆ କଫି'],
    ['tamil', 'தமிழ் காபி'],
    ['telugu', 'తెలుగు కాఫీ'],
    ['kannada', 'ಕನ್ನಡ ಕಾಫಿ'],
    ['malayalam', 'മലയാളം കാപ്പി'],
    ['emoji', '🎁🧡'],
  ])('of %s is written in its characters, and sends no more of the font than it needs', async (script, text) => {
    const { regular } = await fontsFor({ text, countries: ['US'] });
    expect(writes(regular, text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))).toBe(true);
    for (const { name, file } of regular.slice(1)) {
      expect(name).toContain(script);
      expect(file.length).toBeLessThan(40_000);
    }
  });

  test('include the parts of vowels drawn on both sides of a letter', async () => {
    for (const [text, part] of [
      ['කො', 'ෙ'],
      ['கோ', 'ே'],
      ['କୋ', 'େ'],
      ['កោ', 'េ'],
    ] as const)
      expect(writes((await fontsFor({ text, countries: [] })).regular, part), text).toBe(true);
  });

  test('skip characters that no font has', async () => {
    expect(await namesFor('𓀀')).toEqual(['regular']);
  });
});
