// The pages' colours, by day and by night: text and what a reader presses stand out as WCAG 2.2 asks of AA.
import { describe, expect, test } from 'vitest';
import { COLOURS } from '#edge/pages/colour.ts';
import { BORDER_MIN, contrastOf, TEXT_MIN } from '#test/support/contrast.ts';
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
  ['design system', textOf('edge/pages/design/style/token.css')],
  ['storefront', textOf('edge/pages/storefront/style/token.css')],
])('of the %s', (_, css) => {
  test.each([
    ['by day', 0],
    ['by night', 1],
  ] as const)('stand out %s', (_when, at) => {
    const set = setsOf(css)[at];
    const faint = SHOWN.flatMap(([name, least]) =>
      ['background', 'sheet'].map(
        (background) => [name, background, least, contrastOf(set[name]!, set[background]!)] as const,
      ),
    ).filter(([, , least, contrast]) => contrast < least);
    expect(faint).toEqual([]);
  });
});

test.each([
  'edge/pages/console/style.css',
  'edge/pages/design/style/control.css',
  'edge/pages/sandbox_outbox.ts',
  'edge/pages/small_page_document.ts',
  'edge/pages/shop/page_document.ts',
  'edge/pages/storefront/style/control.css',
])('fields and buttons of %s have the strong border', (path) => {
  const faint = [...textOf(path).matchAll(/^([\w.,\s-]*\b(?:input|button|select)\b[\w.,\s-]*)\{([^}]*)\}/gm)]
    .filter(([, , rules]) => /border(?:-color)?:[^;]*var\(--line\)/.test(rules!))
    .map(([, selector]) => selector!.trim());
  expect(faint).toEqual([]);
});
