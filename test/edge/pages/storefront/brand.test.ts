// A store's brand colours: text and controls keep the contrast of WCAG 2.2 AA for every colour.
import { expect, test } from 'vitest';
import { brandStyle } from '#edge/pages/storefront/brand.ts';
import { BORDER_MIN, contrastOf, TEXT_MIN } from '#test/support/contrast.ts';

type Set = Readonly<Record<string, string>>;

const setsOf = (style: string): readonly Set[] =>
  [...style.matchAll(/:root\{([^}]*)\}/g)].map(([, rules]) =>
    Object.fromEntries([...rules!.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex!])),
  );

const faintIn = (set: Set): readonly unknown[] => {
  const pairs = ['background', 'sheet', 'tint'].flatMap((background) => [
    ...['ink', 'soft', 'go', 'no'].map((name) => [name, background, TEXT_MIN] as const),
    ['strong', background, BORDER_MIN] as const,
  ]);
  return [...pairs, ['on-go', 'go', TEXT_MIN] as const, ['on-go', 'go-over', TEXT_MIN] as const].filter(
    ([name, background, least]) => contrastOf(set[name]!, set[background]!) < least,
  );
};

test('uses the page’s colours if a store sets none or invalid ones', () => {
  for (const branding of [null, {}, { primary_color: 'red', background_color: 'url(x)' }, { text_color: '#000' }])
    expect(brandStyle(branding)).toBe('');
});

test('keeps the store’s background by day and builds a night theme', () => {
  const [day, night] = setsOf(
    brandStyle({ primary_color: '#c4704b', background_color: '#f7ead6', text_color: '#3b2d25' }),
  );
  expect(day).toMatchObject({ background: '#f7ead6', ink: '#3b2d25' });
  expect(night!.background).toBe('#161512');
});

test('gives a dark store one dark theme', () => {
  const style = brandStyle({ primary_color: '#7fd3ae', background_color: '#101418' });
  expect(style).toContain('color-scheme:dark');
  expect(setsOf(style)).toHaveLength(1);
});

/** Every combination of these channels: black, white, mid greys and saturated colours. */
const PARTS = ['00', '55', '77', 'aa', 'ff'];
const COLOURS = PARTS.flatMap((red) => PARTS.flatMap((green) => PARTS.map((blue) => `#${red}${green}${blue}`)));

test('keeps the contrast for every store colour', () => {
  const faint = COLOURS.flatMap((background_color, at) =>
    [COLOURS[(at * 7) % COLOURS.length]!, COLOURS[(at * 31 + 5) % COLOURS.length]!, background_color].flatMap(
      (primary_color) => {
        const text_color = COLOURS[(at * 13 + 1) % COLOURS.length]!;
        const branding = { background_color, primary_color, text_color };
        return setsOf(brandStyle(branding)).flatMap((set) => faintIn(set).map((each) => [branding, each]));
      },
    ),
  );
  expect(faint).toEqual([]);
});
