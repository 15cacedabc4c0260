// What the wholesale shop sells: the same few things, many at a time.
import type { DemoProduct } from '#services/cli/demo/shop.ts';

export const PRODUCTS: readonly DemoProduct[] = [
  {
    name: 'Terrace Stools, Set of Six',
    brand: 'Milima',
    subcategory: 'Linen & Seats',
    description:
      'Six folding stools in forest canvas that stack to the height of one guest. The slings come off and go into the wash; the legs have not been beaten yet.',
    seo_description: 'Six folding terrace stools in forest green canvas for cafés and hotels.',
    tags: ['terrace', 'canvas', 'stackable'],
    attributes: { material: 'cypress and canvas', colour: 'forest', pieces: 6 },
    specifications: [
      ['Use', 'Each carries', 110, 'kg'],
      ['Size', 'Seat height', 44, 'cm'],
    ],
    parcel: [60, 40, 48],
    variants: [
      {
        sku: 'MCT-STL-06',
        gtin: '2007100000181',
        picture: 'stool-forest',
        price: 210,
        stock: 60,
        weight_grams: 8_400,
        dimensions_cm: '60 x 40 x 48',
      },
    ],
  },
  {
    name: 'Barista Aprons, Pack of Ten',
    brand: 'Milima',
    subcategory: 'Linen & Seats',
    description:
      'Heavy cotton, one size, a loop for the cloth and a pocket that is too deep to lose a pen in. Your mark is embroidered from the second order on.',
    seo_description: 'Ten heavy cotton barista aprons in forest green with a towel loop.',
    tags: ['cotton', 'uniform', 'café'],
    attributes: { material: 'cotton', colour: 'forest', pieces: 10 },
    specifications: [
      ['Care', 'Wash', '60 °C'],
      ['Size', 'Length', 82, 'cm'],
    ],
    parcel: [42, 32, 24],
    variants: [
      {
        sku: 'MCT-APR-10',
        gtin: '2007100000358',
        picture: 'apron-forest',
        price: 185,
        stock: 90,
        weight_grams: 4_200,
        dimensions_cm: '42 x 32 x 24',
      },
    ],
  },
  {
    name: 'Tea Towels, Bale of Fifty',
    brand: 'Milima',
    subcategory: 'Linen & Seats',
    description:
      'Half linen, half cotton, hemmed on all sides. They are stiff for a week and then dry everything for three years.',
    seo_description: 'Fifty half-linen tea towels in indigo for professional kitchens.',
    tags: ['linen', 'kitchen', 'refill'],
    attributes: { material: 'linen and cotton', colour: 'indigo', pieces: 50 },
    specifications: [
      ['Care', 'Wash', '95 °C'],
      ['Size', 'Each', '50 x 70', 'cm'],
    ],
    parcel: [52, 36, 30],
    variants: [
      {
        sku: 'MCT-TOW-50',
        gtin: '2007100000525',
        picture: 'tea-towels-indigo',
        price: 160,
        stock: 120,
        weight_grams: 5_100,
        dimensions_cm: '52 x 36 x 30',
      },
    ],
  },
  {
    name: 'Filter Papers, Carton of 4,000',
    brand: 'Milima',
    subcategory: 'Bar Tools',
    description:
      'Oxygen-bleached cone papers in forty sleeves of a hundred. One carton sees a busy bar through a quarter.',
    seo_description: 'Carton of 4,000 cone filter papers in forty sleeves for coffee bars.',
    tags: ['coffee', 'refill', 'pour-over'],
    attributes: { material: 'paper', colour: 'oat', pieces: 4_000 },
    specifications: [
      ['In the box', 'Sleeves', 40],
      ['Brewing', 'Shape', 'Cone, 60°'],
    ],
    parcel: [60, 40, 40],
    variants: [
      {
        sku: 'MCT-FLT-4000',
        gtin: '2007100000693',
        picture: 'filters-oat',
        price: 128,
        stock: 200,
        weight_grams: 6_800,
        dimensions_cm: '60 x 40 x 40',
      },
    ],
  },
  {
    name: 'Bar Kettle, Case of Four',
    brand: 'Kahawa Bench',
    subcategory: 'Bar Tools',
    description:
      'The gooseneck of the little shop, four to a case and with the heavier base that a bar needs. Lids, knobs and bases are sold on their own for as long as we make it.',
    seo_description: 'Four gooseneck kettles with heavy bases for coffee bars, in brass.',
    tags: ['coffee', 'pour-over', 'repairable'],
    attributes: { material: 'steel, brass plated', colour: 'brass', pieces: 4 },
    specifications: [
      ['Size', 'Each holds', 900, 'ml'],
      ['Use', 'Induction', true],
    ],
    parcel: [64, 34, 50],
    variants: [
      {
        sku: 'MCT-KET-04',
        gtin: '2007100000860',
        picture: 'kettle-brass',
        price: 264,
        stock: 45,
        weight_grams: 5_600,
        dimensions_cm: '64 x 34 x 50',
      },
    ],
  },
  {
    name: 'Espresso Cups, Case of 24',
    brand: 'Milima',
    subcategory: 'Cups by the Case',
    description:
      'Thick at the foot, thin at the lip, and all from one kiln. Twenty-four stand in the tray they are washed in.',
    seo_description: 'Case of 24 stoneware espresso cups in oat for bars and hotels.',
    tags: ['stoneware', 'café', 'dishwasher'],
    attributes: { material: 'stoneware', colour: 'oat', pieces: 24, dishwasher_safe: true },
    specifications: [
      ['Size', 'Each holds', 70, 'ml'],
      ['Care', 'Dishwasher safe', true],
    ],
    parcel: [52, 36, 20],
    variants: [
      {
        sku: 'MCT-ESP-24',
        gtin: '2007100001034',
        picture: 'espresso-cups-oat',
        price: 144,
        stock: 150,
        weight_grams: 6_200,
        dimensions_cm: '52 x 36 x 20',
      },
    ],
  },
  {
    name: 'Hotel Mugs, Case of 24',
    brand: 'Milima',
    subcategory: 'Cups by the Case',
    description:
      'The mug that survives a buffet: stackable, with a handle for a whole hand. Breakages are replaced by the piece.',
    seo_description: 'Case of 24 stackable stoneware hotel mugs in charcoal or sage.',
    tags: ['stoneware', 'hotel', 'dishwasher', 'stackable'],
    attributes: { material: 'stoneware', pieces: 24, dishwasher_safe: true },
    specifications: [
      ['Size', 'Each holds', 320, 'ml'],
      ['Care', 'Dishwasher safe', true],
    ],
    parcel: [58, 40, 26],
    variants: [
      {
        sku: 'MCT-MUG-24-CHA',
        gtin: '2007100001201',
        variant_attributes: { colour: 'charcoal' },
        picture: 'mug-charcoal',
        price: 240,
        stock: 140,
        weight_grams: 9_800,
        dimensions_cm: '58 x 40 x 26',
      },
      {
        sku: 'MCT-MUG-24-SAG',
        gtin: '2007100001379',
        variant_attributes: { colour: 'sage' },
        picture: 'mug-sage',
        price: 240,
        stock: 80,
        weight_grams: 9_800,
        dimensions_cm: '58 x 40 x 26',
      },
    ],
  },
  {
    name: 'House Espresso, 10 kg Sack',
    brand: 'Milima',
    subcategory: 'Sacks',
    description:
      'Two washed lots and one natural, roasted on Tuesdays and Thursdays. It tastes of cocoa at noon and still of cocoa at nine.',
    seo_description: 'House espresso blend in 10 kg sacks, as whole beans, for cafés and hotels.',
    tags: ['coffee', 'espresso', 'blend'],
    attributes: { roast: 'medium dark', colour: 'charcoal', weight_kg: 10 },
    specifications: [
      ['Coffee', 'Roast', 'Medium dark'],
      ['Size', 'Sack', 10, 'kg'],
    ],
    parcel: [60, 40, 22],
    variants: [
      {
        sku: 'MCT-ESP-10KG',
        gtin: '2007100001546',
        picture: 'beans-charcoal',
        price: 190,
        stock: 400,
        weight_grams: 10_200,
        dimensions_cm: '60 x 40 x 22',
      },
    ],
  },
  {
    name: 'Kiambu Estate AA, 15 kg Sack',
    brand: 'Milima',
    subcategory: 'Sacks',
    description:
      'One estate, one slope, picked ripe and dried on raised beds. Blackcurrant and tomato leaf when it is roasted light, which is how we would do it.',
    seo_description: 'Single-estate Kenyan AA coffee from Kiambu in 15 kg sacks.',
    tags: ['coffee', 'single origin', 'kenya'],
    attributes: { roast: 'light', colour: 'ochre', weight_kg: 15 },
    specifications: [
      ['Coffee', 'Altitude', 1_720, 'm'],
      ['Size', 'Sack', 15, 'kg'],
    ],
    parcel: [70, 45, 24],
    variants: [
      {
        sku: 'MCT-KIA-15KG',
        gtin: '2007100001713',
        picture: 'beans-ochre',
        price: 345,
        stock: 180,
        weight_grams: 15_300,
        dimensions_cm: '70 x 45 x 24',
      },
    ],
  },
];
