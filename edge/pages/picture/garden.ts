// Drawings of what stands and works in a garden: planters, tools and watering.
import { BRASS, GLASS, LEAF, ROPE, STEEL, WOOD } from './palette.ts';
import {
  band,
  box,
  curve,
  faded,
  group,
  hoop,
  leaf,
  line,
  mouth,
  oval,
  path,
  repeat,
  type Shapes,
  sprig,
  turn,
} from './pen.ts';

const SOIL = '#57402f';

export const GARDEN: Shapes = {
  planter: (c) => [
    ...[
      [-70, -34],
      [-36, -16],
      [0, 4],
      [40, 20],
      [76, 38],
    ].map(([x = 0, angle = 0], index) => leaf(400 + x * 0.8, 410, 170 + (index % 2) * 60, angle)),
    turn(
      [
        [150, 452],
        [108, 632],
      ],
      c,
    ),
    turn(
      [
        [172, 396],
        [168, 452],
      ],
      c,
    ),
    mouth(172, 396, c.light, SOIL),
    ...[
      [-60, -46],
      [-20, -12],
      [26, 22],
      [66, 50],
    ].map(([x = 0, angle = 0], index) => leaf(400 + x, 412, 120 + (index % 2) * 46, angle)),
    turn(
      [
        [172, 402],
        [168, 452],
      ],
      c,
    ),
    hoop(170, 400, c.light, 6),
    band(136, 520, 128, 556, c.accent),
  ],
  'hanging-planter': (c) => [
    line('M400 0v90M400 90L236 420M400 90l164 330M400 90v330', ROPE.shade, 6),
    ...[
      [-110, -60],
      [-50, -26],
      [0, 2],
      [54, 28],
      [112, 62],
    ].map(([x = 0, angle = 0]) => leaf(400 + x, 420, 150, angle)),
    turn(
      [
        [168, 420],
        [160, 500],
        [96, 580],
        [40, 600],
      ],
      c,
    ),
    hoop(166, 452, c.accent, 10),
    ...[-120, -64, 70, 128].map((x, index) => {
      const tip = 560 + (index % 2) * 60;
      return (
        line(
          curve([
            [400 + x, 424],
            [400 + x * 1.2, 470],
            [400 + x * 1.22, tip],
          ]),
          LEAF.shade,
          5,
        ) + repeat(4, (at) => leaf(400 + x * 1.2, 470 + at * ((tip - 470) / 3.4), 46, at % 2 ? 118 : -118))
      );
    }),
    oval(400, 90, 14, 14, BRASS.main),
  ],
  trough: (c) => [
    ...[190, 262, 330, 402, 470, 540, 606].map((x, index) =>
      sprig(x, 500, 150 + (index % 3) * 44, index % 2 ? 30 : -26),
    ),
    path('M150 480h500l-26 152H176z', c.main),
    path('M520 480h130l-26 152H508z', c.shade),
    box(136, 464, 528, 34, 10, c.main),
    path('M520 464h134a10 10 0 0 1 10 10v14a10 10 0 0 1-10 10H516z', c.shade),
    line('M160 480h330', c.light, 6),
    repeat(9, (index) => path(`M${206 + index * 44} 590l22-44 22 44z`, c.accent)),
  ],
  trowel: (c) => [
    group('rotate(32 400 400)', [
      box(374, 100, 52, 210, 24, WOOD.main),
      box(402, 100, 24, 210, 14, WOOD.shade),
      box(372, 282, 56, 30, 8, BRASS.main),
      line('M386 124h28', c.accent, 8),
      path('M388 312h24l6 80h-36z', STEEL.shade),
      path('M336 392c20-16 108-16 128 0 16 110-10 210-64 270-54-60-80-160-64-270z', c.main),
      path('M400 382c26 0 52 4 64 10 16 110-10 210-64 270z', c.shade),
      line('M362 420c-4 70 6 120 22 160', c.light, 9),
    ]),
    faded(0.9, [oval(250, 650, 90, 22, SOIL), oval(300, 644, 60, 18, '#6b513d')]),
    leaf(236, 646, 90, -18),
    leaf(236, 646, 76, 30),
  ],
  secateurs: (c) => [
    group('rotate(-24 400 400)', [
      path('M396 352c-70-30-84-150-34-246 46 70 66 160 60 246z', STEEL.main),
      path('M396 352c-40-60-46-150-34-246 20 90 40 170 52 246z', STEEL.shade),
      path('M404 352c44-20 78-80 74-150-40 20-78 80-92 150z', STEEL.shade),
      line('M386 384c-52 60-84 150-80 264', c.main, 46),
      line('M376 424c-34 52-52 120-54 200', c.light, 9),
      line('M414 384c54 50 92 130 98 250', c.shade, 46),
      line('M372 470q30-24 56 0', STEEL.shade, 8),
      oval(400, 362, 38, 38, BRASS.main),
      oval(400, 362, 16, 16, BRASS.shade),
    ]),
    sprig(196, 640, 210, -20),
  ],
  'watering-can': (c) => [
    line('M300 560C210 540 206 380 128 318', c.shade, 36),
    line('M300 552C216 536 212 378 130 316', c.main, 24),
    group('rotate(-36 120 306)', [oval(116, 300, 62, 22, c.shade), oval(116, 292, 62, 20, c.light)]),
    line('M510 416c120-60 170 110 36 190', c.shade, 22),
    line('M340 380c0-150 150-150 150 0', c.shade, 18),
    turn(
      [
        [132, 384],
        [140, 500],
        [140, 632],
      ],
      c,
    ),
    mouth(132, 384, c.light, '#3f6476'),
    hoop(140, 470, c.accent, 8),
    hoop(140, 590, c.accent, 8),
    ...[
      [70, 380],
      [96, 420],
      [54, 450],
      [84, 500],
    ].map(([x = 0, y = 0]) => path(`M${x} ${y}c16 22 14 40 0 42-14-2-16-20 0-42z`, '#7fb3c4')),
  ],
  mister: (c) => [
    turn(
      [
        [34, 336],
        [60, 390],
        [118, 450],
        [122, 590],
        [104, 632],
      ],
      c,
    ),
    faded(0.8, [hoop(121, 480, c.light, 5), hoop(122, 580, c.light, 5)]),
    turn(
      [
        [42, 296],
        [42, 342],
      ],
      BRASS,
    ),
    path('M356 240h96l26 22-18 34H356z', c.shade),
    box(280, 244, 90, 28, 10, BRASS.main),
    line('M446 292c34 20 30 60 16 96', BRASS.shade, 12),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) =>
      oval(
        244 - (index % 3) * 46,
        216 + Math.floor(index / 3) * 42 + (index % 3) * (Math.floor(index / 3) - 1) * 16,
        7,
        7,
        GLASS.shade,
      ),
    ),
    sprig(596, 640, 230, 24),
  ],
  twine: (c) => [
    turn(
      [
        [96, 340],
        [168, 400],
        [182, 490],
        [168, 580],
        [96, 632],
      ],
      c,
    ),
    repeat(11, (index) => {
      const y = 376 + index * 23;
      const r = 182 - ((index - 5) * (index - 5) * 60) / 26;
      return line(`M${400 - r} ${y}Q400 ${y + 64} ${400 + r} ${y - 10}`, index % 2 ? c.light : c.shade, 5);
    }),
    oval(400, 340, 96, 20, c.shade),
    oval(400, 340, 40, 10, SOIL),
    line('M520 600c60 60 130 10 160 60', c.main, 9),
    box(330, 450, 140, 92, 8, '#fbf4e6'),
    leaf(400, 530, 64, 0),
  ],
};
