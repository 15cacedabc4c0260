// Derives a page's light and dark theme from a store's brand colours. Moves each colour towards black or white until
// its contrast meets WCAG 2.2 AA. Pure.

/** Brand colours as `#rgb` or `#rrggbb`; other values are ignored. */
export interface Branding {
  readonly primary_color?: unknown;
  readonly background_color?: unknown;
  readonly text_color?: unknown;
}

type Rgb = readonly [red: number, green: number, blue: number];

const TEXT_MIN = 4.5;
const BORDER_MIN = 3;
/** Wanted contrast of body text, above the required minimum. */
const INK_MIN = 7;
const STEPS = 20;

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

const DAY = { background: '#f6f3ec', ink: '#22201c', go: '#175c43', no: '#9a2f22' };
const NIGHT = { background: '#161512', ink: '#f2eee6', go: '#7fd3ae', no: '#f0a093' };

const rgbOf = (hex: string): Rgb => {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const part = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};

const hexOf = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const readColour = (value: unknown): Rgb | null =>
  typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? rgbOf(value) : null;

const luminanceOf = (colour: Rgb): number => {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrastOf = (one: Rgb, other: Rgb): number => {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

const mixed = (from: Rgb, to: Rgb, share: number): Rgb =>
  [0, 1, 2].map((at) => Math.round(from[at]! + (to[at]! - from[at]!) * share)) as unknown as Rgb;

const inkColourOn = (from: Rgb): Rgb => (contrastOf(from, BLACK) >= contrastOf(from, WHITE) ? BLACK : WHITE);

/** Mixes the colour with `end` until its contrast with every background is at least `least`. */
const withContrast = (colour: Rgb, end: Rgb, backgrounds: readonly Rgb[], least: number): Rgb => {
  for (let step = 0; step < STEPS; step++) {
    const next = mixed(colour, end, step / STEPS);
    if (backgrounds.every((background) => contrastOf(next, background) >= least)) return next;
  }
  return end;
};

/** Returns a shade of the background on which text stays readable. */
const shaded = (background: Rgb, end: Rgb, share: number): Rgb =>
  [share, share / 2, share / 4]
    .map((part) => mixed(background, end, part))
    .find((each) => contrastOf(each, end) >= 5) ?? background;

interface ThemeInput {
  readonly background: Rgb;
  readonly ink: Rgb;
  readonly go: Rgb;
  readonly no: Rgb;
}

const themeOf = ({ background, ink: text, go: pressed, no: wrong }: ThemeInput): Readonly<Record<string, Rgb>> => {
  const end = inkColourOn(background);
  const isDay = end === BLACK;
  const sheet = isDay ? mixed(background, WHITE, 0.7) : shaded(background, end, 0.06);
  const tint = shaded(background, end, isDay ? 0.05 : 0.1);
  const backgrounds = [background, sheet, tint];
  const ink = withContrast(text, end, backgrounds, INK_MIN);
  const go = withContrast(pressed, end, backgrounds, TEXT_MIN);
  return {
    background,
    sheet,
    ink,
    soft: withContrast(mixed(ink, background, 0.35), end, backgrounds, TEXT_MIN),
    line: mixed(background, end, isDay ? 0.12 : 0.16),
    strong: withContrast(mixed(ink, background, 0.55), end, backgrounds, BORDER_MIN),
    tint,
    code: tint,
    go,
    'go-over': mixed(go, end, 0.2),
    'on-go': inkColourOn(go),
    no: withContrast(wrong, end, backgrounds, TEXT_MIN),
  };
};

const rulesOf = (set: Readonly<Record<string, Rgb>>): string =>
  Object.entries(set)
    .map(([name, colour]) => `--${name}:${hexOf(colour)}`)
    .join(';');

export const brandStyle = (branding: Branding | null | undefined): string => {
  const primary = readColour(branding?.primary_color);
  const configured = readColour(branding?.background_color);
  if (primary === null && configured === null) return '';
  const background = configured ?? rgbOf(DAY.background);
  // A store with a dark background has only one theme.
  const isDark = inkColourOn(background) === WHITE;
  const own = isDark ? NIGHT : DAY;
  const day = themeOf({
    background,
    ink: readColour(branding?.text_color) ?? rgbOf(own.ink),
    go: primary ?? rgbOf(own.go),
    no: rgbOf(own.no),
  });
  if (isDark) return `:root{color-scheme:dark;${rulesOf(day)}}`;
  const night = themeOf({
    background: rgbOf(NIGHT.background),
    ink: rgbOf(NIGHT.ink),
    go: primary ?? rgbOf(NIGHT.go),
    no: rgbOf(NIGHT.no),
  });
  return `:root{${rulesOf(day)}}@media (prefers-color-scheme:dark){:root{${rulesOf(night)}}}`;
};
