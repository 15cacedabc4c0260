// The demo shop's lookbooks: its scenes, and what stands where in them.

export interface DemoHotspot {
  /** Name of its product. */
  readonly product: string;
  readonly x: number;
  readonly y: number;
  readonly label?: string;
}

export interface DemoLookbook {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  /** Slug of the collection behind it. */
  readonly collection: string;
  /** How many days ago it was published. */
  readonly daysAgo: number;
  readonly images: readonly {
    /** Name of its scene, of which the wide form is shown. */
    readonly scene: string;
    readonly hotspots: readonly DemoHotspot[];
  }[];
}

export const LOOKBOOKS: readonly DemoLookbook[] = [
  {
    title: 'Slow Mornings, Long Evenings',
    slug: 'slow-mornings-long-evenings',
    description: 'One day at one table: the coffee that begins it, and the supper that does not want to end.',
    collection: 'slow-mornings',
    daysAgo: 5,
    images: [
      {
        scene: 'slow-mornings',
        hotspots: [
          { product: 'Gooseneck Kettle', x: 0.15, y: 0.7, label: 'A thread of hot water' },
          { product: 'Ridged Cone Dripper', x: 0.38, y: 0.71 },
          { product: 'Hand Grinder', x: 0.62, y: 0.72, label: 'Coarser than table salt' },
          { product: 'Espresso Cups, Set of Two', x: 0.85, y: 0.73 },
          { product: 'Nyeri Hills Whole Bean', x: 0.59, y: 0.29 },
          { product: 'Highland Mug', x: 0.69, y: 0.32 },
          { product: 'Cone Filter Papers, Box of 100', x: 0.89, y: 0.3 },
        ],
      },
      {
        scene: 'long-table',
        hotspots: [
          { product: 'Enamel Stew Pot', x: 0.15, y: 0.7, label: 'Supper for eleven' },
          { product: 'Sunday Platter', x: 0.38, y: 0.74 },
          { product: 'Long Chopping Board', x: 0.62, y: 0.72 },
          { product: 'Tall Rift Vase', x: 0.85, y: 0.71 },
          { product: 'Pantry Jars, Set of Three', x: 0.61, y: 0.29 },
          { product: 'Ridge Bowl', x: 0.74, y: 0.33 },
          { product: 'Seven-Spice Tin', x: 0.87, y: 0.31, label: 'One spoon' },
        ],
      },
    ],
  },
  {
    title: 'Three Weeks of Purple',
    slug: 'three-weeks-of-purple',
    description: 'The jacaranda flowers once. A verandah for the days of it, and a corner indoors for the evenings.',
    collection: 'under-the-jacaranda',
    daysAgo: 12,
    images: [
      {
        scene: 'under-the-jacaranda',
        hotspots: [
          { product: 'Long-Reach Watering Can', x: 0.15, y: 0.71 },
          { product: 'Folding Camp Stool', x: 0.38, y: 0.72, label: 'The good seat' },
          { product: 'Jioni Solar Lantern', x: 0.62, y: 0.73, label: 'Until the talk is over' },
          { product: 'Enamel Camp Mugs, Set of Four', x: 0.85, y: 0.74 },
          { product: 'Breathing Planter', x: 0.61, y: 0.31 },
          { product: 'Brass Plant Mister', x: 0.74, y: 0.31 },
          { product: 'Sisal Garden Twine', x: 0.87, y: 0.33 },
        ],
      },
      {
        scene: 'new-season',
        hotspots: [
          { product: 'Rift Valley Wool Blanket', x: 0.15, y: 0.71, label: 'Eleven colours' },
          { product: 'Uyoga Table Lamp', x: 0.38, y: 0.7 },
          { product: 'Acacia Bud Vase', x: 0.62, y: 0.73 },
          { product: 'Elephant Grass Notebook', x: 0.85, y: 0.74 },
          { product: 'Basketweave Cushion Cover', x: 0.61, y: 0.31 },
          { product: 'Kiondo Market Basket', x: 0.74, y: 0.3 },
          { product: 'Beeswax Candles, Set of Four', x: 0.87, y: 0.32 },
        ],
      },
    ],
  },
];
