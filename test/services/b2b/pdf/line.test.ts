// Tests line breaking, font selection and visual order.
import { describe, expect, test } from 'vitest';
import { type LineLayout, linesOf } from '#services/b2b/pdf/line.ts';

const font = (name: string, has: (codePoint: number) => boolean) => ({ name, file: Buffer.alloc(0), has });
/** Every character has the same width. */
const setting = (characters: number): LineLayout => ({
  width: characters * 10,
  fonts: [font('plain', (codePoint) => codePoint < 0x2e80), font('han', (codePoint) => codePoint >= 0x2e80)],
  measure: ({ text }) => [...text].length * 10,
});
const broken = (text: string, characters: number): string[] =>
  linesOf(text, setting(characters)).map(({ runs }) => runs.map((run) => run.text).join(''));
const runsOf = (text: string) => linesOf(text, setting(100))[0]!.runs;

describe('a line', () => {
  test.each([
    ['at spaces', 'two shoes of felt', 9, ['two shoes', 'of felt']],
    ['where the text says', 'Kibo\n\nNairobi', 20, ['Kibo', '', 'Nairobi']],
    ['within a word that is wider than a line', 'an Unterhemdenschrank', 10, ['an', 'Unterhemde', 'nschrank']],
    ['between Chinese characters', '北京咖啡有限公司', 3, ['北京咖', '啡有限', '公司']],
    ['not before what closes', '咖啡，茶。', 2, ['咖', '啡，', '茶。']],
    ['not after what opens', '北京（中国）', 3, ['北京', '（中', '国）']],
    ['between words of Korean', '서울 커피 상사', 5, ['서울 커피', '상사']],
    ['not where it is wide enough', 'felt', 4, ['felt']],
    ['between words of Thai', 'กาแฟคั่วบด', 6, ['กาแฟ', 'คั่วบด']],
    ['where there is none', '', 4, ['']],
  ])('ends %s', (_, text, characters, lines) => expect(broken(text, characters)).toEqual(lines));

  test('puts Burmese in visual order', () => {
    const drawn = (text: string) => runsOf(text).map((run) => run.text);
    expect(drawn('မြန်')).toEqual(['\u103C\u1019\u1014\u103A']);
    expect(drawn('ကြွေ')).toEqual(['\u1031\u103C\u1000\u103D']);
    expect(drawn('အင်္ဂလိပ်')).toEqual(['\u1021\u1002\u1004\u103A\u1039\u101C\u102D\u1015\u103A']);
  });

  test('measures the width of its runs without a trailing space', () => {
    expect(linesOf('咖啡 beans ', setting(20))[0]).toEqual({
      runs: [
        { font: 'han', text: '咖啡', fromRight: false },
        { font: 'plain', text: ' beans', fromRight: false },
      ],
      width: 80,
    });
  });

  test('keeps a mark with its letter and replaces characters that no font has', () => {
    expect(runsOf('é😀')).toEqual([
      { font: 'plain', text: 'é', fromRight: false },
      { font: 'han', text: '😀', fromRight: false },
    ]);
    const none = { ...setting(10), fonts: [font('plain', () => false)] as const };
    expect(linesOf('中', none)[0]!.runs).toEqual([{ font: 'plain', text: '\uFFFD', fromRight: false }]);
  });
});

describe('right-to-left text', () => {
  const hebrew = 'קפה';
  test.each([
    ['stands as it is spelled, to be shaped as a whole', 'בית קפה', [['בית קפה', true]]],
    [
      'stands within what is read from the left',
      `Kibo ${hebrew} Ltd`,
      [
        ['Kibo ', false],
        [hebrew, true],
        [' Ltd', false],
      ],
    ],
    [
      'has its numbers from the left, behind it where it begins',
      `${hebrew} 42`,
      [
        ['42', false],
        [`${hebrew} `, true],
      ],
    ],
    ['has its brackets turned round', `${hebrew} (${hebrew})`, [[`${hebrew} )${hebrew}(`, true]]],
    [
      'has what is foreign to it in that one’s own order',
      `${hebrew} Kibo Ltd ${hebrew}`,
      [
        [` ${hebrew}`, true],
        ['Kibo Ltd', false],
        [`${hebrew} `, true],
      ],
    ],
    [
      'is turned by fonts',
      `${hebrew}中${hebrew}`,
      [
        [hebrew, true],
        ['中', false],
        [hebrew, true],
      ],
    ],
  ] as const)('%s', (_, text, runs) => {
    expect(runsOf(text).map((run) => [run.text, run.fromRight])).toEqual(runs);
  });
});
