// The pages' colours, by day and by night: text and what a reader presses stand out as WCAG 2.2 asks of AA.
import { describe, expect, test } from 'vitest';
import { COLOURS } from '#edge/pages/colour.ts';
import { textOf } from '#test/support/house.ts';

type Colours = Readonly<Record<string, string>>;

/** The first set is the day's, the second the night's. */
const setsOf = (css: string): readonly [Colours, Colours] => {
  const [, day = '', night = ''] = css.split(':root');
  const read = (part: string): Colours =>
    Object.fromEntries(
      [...part.split('}')[0]!.matchAll(/--([\w-]+):\s*(#[0-9a-f]+)/g)].map(([, name, hex]) => [name, hex!]),
    );
  return [read(day), read(night)];
};

const luminanceOf = (hex: string): number => {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrastOf = (one: string, other: string): number => {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

const TEXT_MIN = 4.5;
const BORDER_MIN = 3;
/** On both grounds. `strong` is the border of fields and buttons. */
const SHOWN: readonly (readonly [name: string, least: number])[] = [
  ['ink', TEXT_MIN],
  ['soft', TEXT_MIN],
  ['go', TEXT_MIN],
  ['no', TEXT_MIN],
  ['strong', BORDER_MIN],
];

describe.each([
  ['pages', COLOURS],
  ['console', textOf('edge/pages/console/style.css')],
  ['storefront', textOf('edge/pages/storefront/style/base.css')],
])('of the %s', (_, css) => {
  test.each([
    ['by day', 0],
    ['by night', 1],
  ] as const)('stand out %s', (_when, at) => {
    const set = setsOf(css)[at];
    const faint = SHOWN.flatMap(([name, least]) =>
      ['ground', 'sheet'].map((ground) => [name, ground, least, contrastOf(set[name]!, set[ground]!)] as const),
    ).filter(([, , least, contrast]) => contrast < least);
    expect(faint).toEqual([]);
  });
});

test.each([
  'edge/pages/console/style.css',
  'edge/pages/outbox_document.ts',
  'edge/pages/sheet.ts',
  'edge/pages/shop/sheet.ts',
  'edge/pages/storefront/style/control.css',
])('fields and buttons of %s have the strong border', (path) => {
  const faint = [...textOf(path).matchAll(/^([\w.,\s-]*\b(?:input|button|select)\b[\w.,\s-]*)\{([^}]*)\}/gm)]
    .filter(([, , rules]) => /border(?:-color)?:[^;]*var\(--line\)/.test(rules!))
    .map(([, selector]) => selector!.trim());
  expect(faint).toEqual([]);
});
