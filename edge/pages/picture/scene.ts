// Whole scenes for collections, wide and tall, and the shop's own mark: drawings arranged on a shelf and a table.
import { INK, PALETTES, type Palette, WOOD } from './palette.ts';
import { box, circle, faded, group, line, oval, type PictureShape, path, turn } from './pen.ts';

/** What stands in a scene: a drawing in a colour, and how large it is beside the others. */
type Prop = readonly [shape: string, colour: string, scale: number];

interface Scene {
  /** The palette of the wall. */
  readonly wall: string;
  readonly shelf: readonly Prop[];
  readonly table: readonly Prop[];
}

const SCENES: ReadonlyMap<string, Scene> = new Map(
  Object.entries<Scene>({
    'slow-mornings': {
      wall: 'sand',
      shelf: [
        ['beans', 'forest', 0.55],
        ['mug', 'clay', 0.42],
        ['mug', 'oat', 0.42],
        ['filters', 'kraft', 0.48],
      ],
      table: [
        ['kettle', 'copper', 0.72],
        ['dripper', 'oat', 0.66],
        ['grinder', 'steel', 0.62],
        ['espresso-cups', 'clay', 0.6],
      ],
    },
    'long-table': {
      wall: 'rose',
      shelf: [
        ['jars', 'clay', 0.52],
        ['bowl', 'sage', 0.46],
        ['spice-tin', 'brass', 0.46],
      ],
      table: [
        ['pot', 'cobalt', 0.74],
        ['platter', 'oat', 0.62],
        ['board', 'kraft', 0.66],
        ['vase', 'ochre', 0.66],
      ],
    },
    'new-season': {
      wall: 'sage',
      shelf: [
        ['cushion', 'mango', 0.5],
        ['basket', 'sunset', 0.52],
        ['candles', 'oat', 0.44],
      ],
      table: [
        ['blanket', 'sunset', 0.74],
        ['table-lamp', 'lagoon', 0.68],
        ['bud-vase', 'rose', 0.6],
        ['notebook', 'indigo', 0.56],
      ],
    },
    'best-loved': {
      wall: 'cobalt',
      shelf: [
        ['notebook', 'hibiscus', 0.5],
        ['bottle', 'forest', 0.5],
        ['mug', 'indigo', 0.42],
        ['pencils', 'forest', 0.46],
      ],
      table: [
        ['backpack', 'forest', 0.74],
        ['basket', 'sunset', 0.66],
        ['planter', 'clay', 0.66],
        ['lantern', 'charcoal', 0.6],
      ],
    },
    'under-the-jacaranda': {
      wall: 'dusk',
      shelf: [
        ['planter', 'lagoon', 0.48],
        ['mister', 'brass', 0.46],
        ['twine', 'sand', 0.42],
      ],
      table: [
        ['watering-can', 'sage', 0.7],
        ['stool', 'ochre', 0.68],
        ['solar-lantern', 'mango', 0.6],
        ['enamel-mugs', 'cobalt', 0.6],
      ],
    },
    'small-gifts': {
      wall: 'steel',
      shelf: [
        ['bud-vase', 'rose', 0.48],
        ['salt-cellar', 'soapstone', 0.44],
        ['pouch', 'mango', 0.46],
      ],
      table: [
        ['cards', 'sunset', 0.66],
        ['pencils', 'forest', 0.64],
        ['candles', 'ochre', 0.62],
        ['wash-bag', 'dusk', 0.62],
      ],
    },
  }),
);

export const SCENE_NAMES: readonly string[] = [...SCENES.keys()];

const bunting = (width: number, c: Palette): string =>
  line(`M0 40Q${width / 2} 170 ${width} 40`, INK, 4) +
  Array.from({ length: 13 }, (_, index) => {
    const share = (index + 0.5) / 13;
    const [x, y] = [width * share, 40 + 4 * 65 * share * (1 - share)];
    return path(`M${x - 26} ${y - 4}h52l-26 62z`, [c.accent, c.main, c.shade][index % 3] ?? c.main);
  }).join('');

/** Sets the props out side by side with their feet on `ground`. */
const row = (
  props: readonly Prop[],
  shapes: ReadonlyMap<string, PictureShape>,
  ground: number,
  from: number,
  to: number,
  size: number,
): string[] =>
  props.map(([name, colour, scale], index) => {
    const [shape, palette] = [shapes.get(name), PALETTES.get(colour)];
    if (!shape || !palette) throw new Error(`The scene's ${name} in ${colour} cannot be drawn.`);
    const x = from + ((index + 0.5) / props.length) * (to - from);
    const s = scale * size;
    return group(`translate(${Math.round(x - 400 * s)} ${Math.round(ground - 638 * s)}) scale(${s.toFixed(3)})`, [
      oval(406, 644, 210, 22, `${INK}22`),
      ...shape(palette),
    ]);
  });

/** A scene by its name, or null: a shelf of small things above a table of large ones. */
export const scene = (
  name: string,
  width: number,
  height: number,
  shapes: ReadonlyMap<string, PictureShape>,
): string[] | null => {
  const found = SCENES.get(name);
  const c = PALETTES.get(found?.wall ?? '');
  if (!found || !c) return null;
  const wide = width > height;
  const [shelf, table] = wide ? [376, 800] : [500, 1080];
  const small = wide ? 0.86 : 0.84;
  return [
    box(0, 0, width, height, 0, c.wall),
    circle(wide ? width * 0.27 : width / 2, height * 0.42, width * (wide ? 0.21 : 0.42), c.sun),
    bunting(width, c),
    ...row(found.shelf, shapes, shelf, width * (wide ? 0.54 : 0.14), width * (wide ? 0.94 : 0.86), small),
    box(width * (wide ? 0.52 : 0.1), shelf, width * (wide ? 0.44 : 0.8), 20, 6, WOOD.main),
    box(width * (wide ? 0.52 : 0.1), shelf + 12, width * (wide ? 0.44 : 0.8), 12, 6, WOOD.shade),
    box(0, table - 34, width, height - table + 34, 0, WOOD.light),
    faded(0.6, [box(0, table + (height - table) * 0.55, width, 6, 0, WOOD.main)]),
    ...row(found.table, shapes, table, width * (wide ? 0.03 : 0.01), width * (wide ? 0.97 : 0.99), wide ? 0.96 : 0.6),
  ];
};

/** The shop's mark: the sun going down into a bowl of clay. */
export const mark = (): string[] => {
  const clay = PALETTES.get('clay') as Palette;
  const ray = (index: number): string =>
    group(`rotate(${-75 + index * 25} 400 430)`, [box(391, 150, 18, 74, 9, '#eba545')]);
  return [
    box(0, 0, 800, 800, 160, '#f7ead6'),
    ...Array.from({ length: 7 }, (_, index) => ray(index)),
    circle(400, 430, 168, '#eba545'),
    turn(
      [
        [232, 430],
        [216, 510],
        [150, 590],
        [104, 620],
        [104, 640],
      ],
      clay,
    ),
    oval(400, 430, 232, 34, clay.light),
    path('M190 428A210 28 0 0 1 610 428z', '#eba545'),
    path('M232 430A168 168 0 0 1 568 430z', '#eba545'),
  ];
};
