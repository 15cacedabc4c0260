// Drawings of what goes outside: hammocks, stools, bottles, grills and picnics.
import { INK, ROPE, STEEL, WOOD } from './palette.ts';
import {
  band,
  box,
  circle,
  faded,
  group,
  hoop,
  line,
  mouth,
  oval,
  path,
  repeat,
  type Shapes,
  steam,
  turn,
} from './pen.ts';

export const OUTDOORS: Shapes = {
  hammock: (c) => [
    box(96, 120, 34, 524, 12, WOOD.shade),
    box(670, 120, 34, 524, 12, WOOD.shade),
    box(96, 120, 16, 524, 8, WOOD.main),
    box(670, 120, 16, 524, 8, WOOD.main),
    ...[-1, 0, 1].map((at) => line(`M130 230L226 ${352 + at * 22}M670 230L574 ${352 + at * 22}`, ROPE.shade, 5)),
    path('M220 330C260 470 540 470 580 330l10 46C560 620 240 620 210 376z', c.main),
    ...[0, 1, 2, 3].map((index) =>
      line(
        `M${214 + index * 3} ${392 + index * 20}C${260 + index * 10} ${560 + index * 12} ${540 - index * 10} ${560 + index * 12} ${586 - index * 3} ${392 + index * 20}`,
        index % 2 ? c.light : c.accent,
        index % 2 ? 4 : 8,
      ),
    ),
    path('M220 330C260 470 540 470 580 330c-20 120-110 168-180 168s-160-48-180-168z', c.shade),
    line('M212 384C240 620 560 620 588 384', c.shade, 8),
    repeat(15, (index) => {
      const x = 248 + index * 22;
      return line(`M${x} ${566 - (index - 7) * (index - 7) * 1.9}v34`, c.light, 4);
    }),
  ],
  stool: (c) => [
    line('M262 420l250 214M538 420L288 634', WOOD.shade, 24),
    line('M258 418l250 214M534 418L284 632', WOOD.main, 12),
    line('M330 570h140', WOOD.shade, 14),
    circle(400, 534, 13, STEEL.main),
    path('M226 390c100 46 248 46 348 0l14 40c-110 54-266 54-376 0z', c.main),
    path('M500 414c26-6 52-14 74-24l14 40c-24 12-48 20-74 27z', c.shade),
    line('M232 412c100 44 236 44 336 0', c.accent, 8),
    box(212, 378, 60, 34, 12, c.accent, 20),
    box(528, 378, 60, 34, 12, c.accent, -20),
  ],
  'enamel-mugs': (c) => {
    const mug = (x: number, y: number, main: typeof c) => [
      line(`M${x + 74} ${y + 36}c60-8 62 74-6 78`, main.shade, 16),
      turn(
        [
          [80, y],
          [78, y + 80],
          [74, y + 134],
        ],
        main,
        x,
      ),
      hoop(80, y, INK, 7, x),
      mouth(80, y, INK, '#fbf7ee', x),
    ];
    const cream = { ...c, main: '#f6eee0', shade: '#ddd0b9', light: '#ffffff' };
    return [
      ...mug(300, 490, c),
      ...mug(500, 496, cream),
      ...mug(400, 344, cream),
      ...mug(396, 210, c),
      steam(396, 180),
    ];
  },
  bottle: (c) => [
    turn(
      [
        [60, 250],
        [96, 318],
        [102, 420],
        [100, 632],
      ],
      c,
    ),
    band(101, 470, 101, 540, c.accent),
    turn(
      [
        [62, 196],
        [62, 254],
      ],
      { main: INK, shade: '#241a15', light: '#6a564a' },
    ),
    oval(400, 196, 62, 10, '#57463c'),
    line('M350 196c0-76 100-76 100 0', INK, 14),
    path('M340 520l36-36 26 22 22-26 36 36z', c.light),
    circle(438, 486, 8, c.light),
  ],
  'picnic-blanket': (c) => [
    path('M130 560l120-190h320l110 190c-180 60-380 60-550 0z', c.main),
    ...[0, 1, 2].map((index) => path(`M${290 + index * 84} 370h34l${-8 + index * 14} 234h-52z`, `${c.light}88`)),
    line('M214 436h398M176 496h476M148 548h520', c.accent, 9),
    path('M570 370l110 190c-36 12-72 21-110 28l-50-218z', `${c.shade}55`),
    group('translate(90 20)', [
      path('M230 330h170v110H230z', WOOD.main),
      path('M352 330h48v110h-48z', WOOD.shade),
      repeat(4, (index) => line(`M230 ${350 + index * 24}h170`, WOOD.light, 4)),
      line('M256 330c0-90 118-90 118 0', WOOD.shade, 11),
    ]),
    circle(528, 470, 26, '#e8a14a'),
    circle(572, 484, 26, '#eeb45f'),
  ],
  grill: (c) => [
    path('M340 520c-30-70 30-90 20-160 50 30 60 70 50 100 20-10 26-30 24-50 40 50 30 90 0 116z', '#ef8d3c'),
    path('M366 520c-16-40 20-54 22-90 30 30 40 60 20 92z', '#ffd778'),
    line('M210 640l60-250M590 640l-60-250M240 640l20-60M560 640l-20-60', c.shade, 14),
    box(180, 372, 440, 22, 10, c.main),
    repeat(12, (index) => line(`M${204 + index * 36} 366v32`, c.light, 6)),
    group('rotate(-10 320 640)', [box(240, 600, 240, 42, 20, WOOD.shade), oval(470, 621, 13, 20, WOOD.light)]),
    group('rotate(12 480 640)', [box(330, 604, 240, 40, 20, WOOD.main), oval(344, 624, 12, 19, WOOD.light)]),
    turn(
      [
        [60, 290],
        [82, 330],
        [84, 362],
      ],
      c,
      470,
    ),
    line('M548 310c40 0 40 46 4 50', c.shade, 11),
    line('M400 306l-34-16', c.shade, 16),
    oval(470, 288, 60, 10, c.light),
    circle(470, 276, 11, INK),
    ...[
      [280, 352],
      [330, 350],
    ].map(([x = 0, y = 0]) => faded(1, [oval(x, y, 34, 16, '#9c5233'), line(`M${x - 18} ${y - 4}h36`, '#6d3722', 4)])),
    steam(290, 320),
  ],
};
