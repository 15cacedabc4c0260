// The colours a picture is painted with: one named colour gives the object, its shadow, its wall and its accent.

export interface Palette {
  /** The backdrop, and the round sun in it. */
  readonly wall: string;
  readonly sun: string;
  /** The object itself, its shaded side and its lit edge. */
  readonly main: string;
  readonly shade: string;
  readonly light: string;
  /** A second colour for stripes, glazes and stitches. */
  readonly accent: string;
}

/** What is wood, leaf, rope or metal looks the same in every palette. */
export const WOOD = { main: '#b98552', shade: '#94653a', light: '#d9ad7c' } as const;
export const LEAF = { main: '#76945d', shade: '#55744a', light: '#9bb47e' } as const;
export const STEEL = { main: '#c6ccd0', shade: '#98a2a9', light: '#e6eaec' } as const;
export const BRASS = { main: '#d3a550', shade: '#a97d33', light: '#ecca85' } as const;
export const PAPER = { main: '#fbf4e6', shade: '#e5d8c0', light: '#ffffff' } as const;
export const ROPE = { main: '#cfb98d', shade: '#a8905f', light: '#e5d5b0' } as const;
export const GLASS = { main: '#dbe9e6', shade: '#b4cdc9', light: '#f6fbfa' } as const;
export const INK = '#3b2d25';
export const GLOW = '#ffe7a6';

const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** `share` of the second colour in the first. */
const mix = (first: string, second: string, share: number): string => {
  const other = channels(second);
  const mixed = channels(first).map((value, at) => Math.round(value + ((other[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

const palette = (main: string, wall: string, accent: string): Palette => ({
  wall,
  sun: mix(wall, '#fffaf0', 0.5),
  main,
  shade: mix(main, '#2a1a12', 0.24),
  light: mix(main, '#fff6e6', 0.36),
  accent,
});

/** The names are those that the shop's colour attributes use. */
export const PALETTES: ReadonlyMap<string, Palette> = new Map([
  ['brass', palette('#d3a550', '#dfe3d6', '#6b4a2b')],
  ['charcoal', palette('#4a4a4d', '#e6dccd', '#d98b5f')],
  ['clay', palette('#c4704b', '#f1dfc9', '#f6e6cf')],
  ['cobalt', palette('#34559a', '#e9e4d4', '#f3c567')],
  ['copper', palette('#c67c50', '#d9e2dc', '#7a4327')],
  ['dusk', palette('#7d6a93', '#f0dcd3', '#f2b98d')],
  ['forest', palette('#4d6b53', '#ece2c9', '#e0b35f')],
  ['hibiscus', palette('#c4475c', '#f6dfd2', '#f7d9a8')],
  ['indigo', palette('#3d4f7d', '#e8e1d2', '#efe6d3')],
  ['kraft', palette('#c39c6c', '#dbe5df', '#8a5f38')],
  ['lagoon', palette('#4f9a98', '#f3e4cc', '#f6f0df')],
  ['mango', palette('#eba545', '#dde9e4', '#c9573b')],
  ['oat', palette('#e9dcc3', '#d5dfd9', '#b98a5e')],
  ['ochre', palette('#d49a3d', '#e7e0d6', '#7c4a2a')],
  ['rose', palette('#d99a90', '#f3e6da', '#a4544f')],
  ['sage', palette('#9db08c', '#f3e6d3', '#f7f0e0')],
  ['sand', palette('#d9c09a', '#dce6e4', '#a8703f')],
  ['soapstone', palette('#b9aaa3', '#e4e6d9', '#8b5f52')],
  ['steel', palette('#c6ccd0', '#ead9c8', '#4d5a61')],
  ['sunset', palette('#dd7350', '#f6e3cf', '#f2bf5e')],
  ['walnut', palette('#8a5d3d', '#e9e3d3', '#d8b48a')],
]);
