// Drawings of what lies on a desk: notebooks, cards, pens and pencils.
import { BRASS, INK, PAPER, WOOD } from './palette.ts';
import { box, circle, faded, group, leaf, line, path, repeat, type Shapes, sprig } from './pen.ts';

const pencil = (x: number, y: number, length: number, turn: number, colour: string): string =>
  group(`rotate(${turn} ${x} ${y})`, [
    box(x - 13, y - length, 26, length, 3, colour),
    box(x + 3, y - length, 10, length, 3, '#00000026'),
    path(`M${x - 13} ${y - length}h26l-13-44z`, WOOD.light),
    path(`M${x - 5} ${y - length - 28}h10l-5-16z`, INK),
    box(x - 13, y - 22, 26, 12, 0, BRASS.main),
  ]);

const book = (x: number, y: number, w: number, h: number, cover: string, spine: string): string =>
  box(x + 8, y + 8, w, h, 12, PAPER.shade) + box(x, y, w, h, 12, cover) + box(x, y, w * 0.15, h, 12, spine);

export const STATIONERY: Shapes = {
  notebook: (c) => [
    group('rotate(-7 400 420)', [
      book(256, 196, 288, 420, c.main, c.shade),
      line('M504 200v412', c.accent, 9),
      ...[0, 1, 2, 3, 4].map((index) =>
        line(`M400 520c${-60 + index * 30}-40 ${-80 + index * 40}-90 ${-70 + index * 35}-150`, c.light, 6),
      ),
      box(340, 260, 130, 54, 6, PAPER.main),
      line('M356 280h96M356 296h64', INK, 4),
    ]),
    pencil(612, 640, 260, 12, c.accent),
  ],
  sketchbooks: (c) => [
    group('rotate(14 400 420)', [book(300, 230, 250, 360, c.shade, INK)]),
    group('rotate(2 400 420)', [book(270, 230, 250, 360, c.accent, c.shade)]),
    group('rotate(-10 400 420)', [
      book(246, 240, 250, 360, c.main, c.shade),
      circle(378, 380, 54, c.light),
      path('M300 430l52-60 34 38 26-28 52 50z', c.shade),
      line('M318 500h116', c.light, 7),
    ]),
  ],
  planner: (c) => [
    box(176, 246, 448, 394, 14, c.shade),
    box(176, 236, 448, 394, 14, c.main),
    box(198, 280, 404, 330, 6, PAPER.main),
    path('M400 280h202v330H400z', PAPER.shade),
    repeat(2, (page) =>
      repeat(3, (row) =>
        repeat(2, (column) =>
          box(
            214 + page * 200 + column * 90,
            300 + row * 100,
            80,
            86,
            6,
            (page + row + column) % 3 === 0 ? c.light : '#ffffff',
          ),
        ),
      ),
    ),
    line('M400 280v330', c.shade, 4),
    repeat(9, (index) => line(`M${224 + index * 44} 222v44`, INK, 9)),
    line('M232 330h40M232 346h26M434 430h42M522 530h40', c.accent, 6),
  ],
  pencils: (c) => [
    ...[-66, -40, -14, 14, 40, 66].map((x, index) =>
      pencil(400 + x, 560, 250 + ((index * 37) % 60), x / 5.5, index % 2 ? c.main : c.accent),
    ),
    path('M290 420h220l-14 218H304z', c.light),
    path('M444 420h66l-14 218h-60z', c.main),
    box(280, 408, 240, 24, 10, c.shade),
    box(334, 490, 110, 70, 8, PAPER.main),
    leaf(390, 552, 52, 0),
  ],
  pen: (c) => [
    group('rotate(48 400 400)', [
      box(368, 130, 64, 360, 26, c.main),
      box(404, 130, 28, 360, 14, c.shade),
      box(378, 160, 10, 250, 5, c.light),
      box(364, 300, 72, 16, 6, INK),
      path('M372 488h56l-18 96h-20z', INK),
      path('M388 584h24l-10 66h-4z', BRASS.light),
      line('M400 600v40', INK, 3),
      line('M440 150v120', BRASS.light, 11),
    ]),
    line('M150 650c60-50 90 20 140-10s60-40 90-10 60 20 100-10', c.accent, 8),
  ],
  cards: (c) => [
    group('rotate(-12 400 420)', [
      box(210, 250, 270, 370, 10, c.main),
      sprig(330, 560, 220, 30, { main: c.light, shade: c.shade, light: c.light }),
    ]),
    group('rotate(9 400 420)', [
      box(330, 250, 270, 370, 10, PAPER.main),
      box(350, 270, 230, 330, 6, c.light),
      circle(465, 390, 66, c.accent),
      path('M350 470c50-50 90-50 130 0s70 30 100-10v134a6 6 0 0 1-6 6H356a6 6 0 0 1-6-6z', c.main),
      path('M440 520c0-80-8-110 6-130 20-24 60-16 70 6-20-4-36 0-40 20s-2 70 2 104z', c.shade),
    ]),
    group('translate(0 0)', [path('M220 540h250v98H220z', c.accent), path('M220 540l125 66 125-66z', '#ffffff55')]),
  ],
  'desk-tray': (c) => [
    path('M170 470h460l44 120H126z', c.shade),
    path('M196 482h408l34 92H162z', c.main),
    path('M126 590h548v34c0 10-8 16-18 16H144c-10 0-18-6-18-16z', c.main),
    path('M520 590h154v34c0 10-8 16-18 16H520z', c.shade),
    line('M150 608h340', c.light, 5),
    path('M420 484l10 88', c.shade),
    line('M424 484l14 88', c.shade, 9),
    group('rotate(-14 320 520)', [box(220, 500, 180, 22, 10, c.accent), box(380, 500, 40, 22, 6, BRASS.main)]),
    box(480, 456, 96, 72, 8, PAPER.main, 6),
    box(470, 468, 96, 68, 8, c.light, -4),
    circle(220, 548, 14, BRASS.main),
    circle(262, 556, 14, BRASS.light),
    faded(0.4, [line('M210 496h100', c.light, 4)]),
    sprig(596, 500, 190, -26),
  ],
};
