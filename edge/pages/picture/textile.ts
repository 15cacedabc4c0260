// Drawings of what comes from the loom: blankets, towels, cushions and aprons.
import { ROPE } from './palette.ts';
import { box, circle, faded, group, line, oval, path, repeat, type Shapes } from './pen.ts';

const fringe = (x: number, y: number, width: number, count: number, colour: string): string =>
  repeat(count, (index) => {
    const at = x + (index * width) / (count - 1);
    return line(`M${at} ${y}l${index % 2 ? 3 : -3} 26`, colour, 5);
  });

export const TEXTILES: Shapes = {
  blanket: (c) => {
    const fold = (y: number, main: string, edge: string) => [
      box(170, y, 460, 62, 30, main),
      path(`M600 ${y}a31 31 0 0 1 0 62h-90a31 31 0 0 0 0-62z`, edge),
      line(`M196 ${y + 31}h330`, edge, 3),
    ];
    return [
      ...fold(578, c.shade, c.main),
      ...fold(518, c.main, c.shade),
      ...fold(458, c.accent, c.main),
      ...fold(398, c.main, c.shade),
      path('M170 372c0-34 20-50 54-50h352c34 0 54 16 54 50v24c0 20-12 32-34 32H204c-22 0-34-12-34-32z', c.main),
      path('M250 322h58v106h-58zM326 322h18v106h-18zM470 322h18v106h-18zM506 322h58v106h-58z', c.accent),
      path('M576 322c34 0 54 16 54 50v24c0 20-12 32-34 32h-20z', c.shade),
      line('M200 340h340', c.light, 6),
      fringe(186, 426, 428, 22, c.light),
    ];
  },
  throw: (c) => [
    box(196, 196, 408, 26, 13, '#94653a'),
    box(210, 222, 14, 420, 6, '#94653a'),
    box(576, 222, 14, 420, 6, '#94653a'),
    box(216, 560, 368, 14, 6, '#b98552'),
    path('M252 190h296v330c-48 18-98-14-148 2s-100 14-148-2z', c.main),
    path('M486 190h62v330c-20 8-42 6-62 1z', c.shade),
    ...[268, 318, 420, 470].map((y, index) =>
      line(`M252 ${y}c50 14 100-12 148 0s100 12 148 0`, index % 2 ? c.light : c.accent, index % 2 ? 8 : 22),
    ),
    fringe(258, 520, 284, 16, c.light),
  ],
  towel: (c) => [
    line('M180 236h440', '#94653a', 16),
    circle(180, 236, 14, '#b98552'),
    circle(620, 236, 14, '#b98552'),
    path('M262 228h276v372H262z', c.main),
    repeat(9, (index) =>
      box(262 + 14 + index * 30, 228, index % 3 === 0 ? 14 : 6, 372, 0, index % 3 === 0 ? c.accent : c.light),
    ),
    faded(0.18, [path('M474 228h64v372h-64z', '#3b2d25'), path('M262 228h276v26H262z', '#ffffff')]),
    repeat(12, (index) => line(`M${270 + index * 23.6} 600l-3 34m6-34l3 34`, c.light, 4)),
  ],
  cushion: (c) => [
    path(
      'M214 300C300 330 500 330 586 300 560 390 560 530 590 626 500 600 300 600 210 626 240 530 240 390 214 300Z',
      c.main,
    ),
    path(
      'M586 300C560 390 560 530 590 626 545 612 500 606 466 606 480 500 478 400 462 321 510 317 556 310 586 300Z',
      c.shade,
    ),
    repeat(6, (row) =>
      repeat(6, (column) => {
        const [x, y] = [268 + column * 52, 360 + row * 40];
        return (row + column) % 2 ? box(x - 19, y - 5, 38, 10, 5, c.light) : box(x - 5, y - 17, 10, 34, 5, c.accent);
      }),
    ),
    ...[
      [214, 300],
      [586, 300],
      [590, 626],
      [210, 626],
    ].map(([x, y]) => circle(x ?? 0, y ?? 0, 13, c.accent)),
  ],
  'floor-cushion': (c) => [
    path('M150 520c0-60 110-96 250-96s250 36 250 96v44c0 52-110 84-250 84s-250-32-250-84z', c.shade),
    oval(400, 512, 250, 96, c.main),
    repeat(16, (index) => {
      const angle = (index / 16) * Math.PI * 2;
      return line(
        `M400 508L${400 + Math.cos(angle) * 246} ${512 + Math.sin(angle) * 92}`,
        index % 2 ? c.light : c.shade,
        4,
      );
    }),
    oval(400, 506, 30, 14, c.accent),
    line('M152 540c30 60 130 84 248 84s218-24 248-84', c.accent, 7),
    line('M650 540c40-10 44 40 14 60', c.accent, 16),
  ],
  'tea-towels': (c) => {
    const cloth = (x: number, fill: string, stripe: string, turn: number) =>
      group(`rotate(${turn} 400 250) translate(${x} 0)`, [
        path('M330 250h140l14 330c-52 14-116 14-168 0z', fill),
        path('M436 250h34l14 330c-16 4-32 7-48 8z', '#00000014'),
        ...[470, 498, 526].map((y, index) => line(`M320 ${y}c50 12 110 12 160 0`, stripe, index === 1 ? 16 : 6)),
      ]);
    return [
      box(170, 226, 460, 18, 9, '#94653a'),
      ...[-150, 0, 150].map((x) => line(`M${400 + x} 244v-20a16 16 0 1 1 20-16`, '#a97d33', 7)),
      cloth(-150, c.accent, c.main, 3),
      cloth(150, c.main, c.light, -3),
      cloth(0, c.light, c.main, 0),
    ];
  },
  apron: (c) => [
    line('M330 250c0-90 140-90 140 0', c.accent, 14),
    line('M262 430c-60 10-90 60-70 120M538 430c60 10 90 60 70 120', c.accent, 12),
    path(
      'M330 246c40 20 100 20 140 0 6 70 30 120 76 150 10 90 6 170-6 238-90 14-190 14-280 0-12-68-16-148-6-238 46-30 70-80 76-150z',
      c.main,
    ),
    path('M470 246c6 70 30 120 76 150 10 90 6 170-6 238-30 5-62 8-92 9 14-120 20-270 22-397z', c.shade),
    repeat(7, (index) => line(`M${290 + index * 32} ${index === 0 || index === 6 ? 400 : 300}V634`, c.light, 3)),
    path('M318 450h164v104c-50 10-114 10-164 0z', c.light),
    line('M318 462h164', c.accent, 8),
    line('M400 466v86', ROPE.shade, 3),
  ],
};
