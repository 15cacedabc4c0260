// The demo shop's categories, and where each stands in the taxonomies of shopping and social channels.
import type { DemoCategory } from './shop.ts';

export const CATEGORIES: readonly DemoCategory[] = [
  {
    name: 'Ceramics',
    description: 'Stoneware thrown on the wheel in Kitengela and fired with off-cuts from the joiner next door.',
    subcategories: [
      {
        name: 'Mugs & Cups',
        google_product_category: 'Home & Garden > Kitchen & Dining > Tableware > Drinkware > Mugs',
        meta_product_category: 'home > kitchen & dining > tableware > drinkware',
      },
      {
        name: 'Bowls & Plates',
        google_product_category: 'Home & Garden > Kitchen & Dining > Tableware > Dinnerware',
        meta_product_category: 'home > kitchen & dining > tableware > dinnerware',
      },
      {
        name: 'Vases',
        google_product_category: 'Home & Garden > Decor > Vases',
        meta_product_category: 'home > home decor > vases',
      },
    ],
  },
  {
    name: 'Textiles',
    description: 'Blankets, towels and cushions from handlooms, woven one at a time and never quite identical.',
    subcategories: [
      {
        name: 'Blankets & Throws',
        google_product_category: 'Home & Garden > Linens & Bedding > Bedding > Blankets',
        meta_product_category: 'home > bedding > blankets & throws',
      },
      {
        name: 'Cushions',
        google_product_category: 'Home & Garden > Decor > Throw Pillows',
        meta_product_category: 'home > home decor > pillows & cushions',
      },
      {
        name: 'Table & Bath Linen',
        google_product_category: 'Home & Garden > Linens & Bedding > Towels',
        meta_product_category: 'home > bath > towels',
      },
    ],
  },
  {
    name: 'Coffee',
    description: 'Beans from the slopes of Mount Kenya, and the few good tools that do them justice.',
    subcategories: [
      {
        name: 'Brewing',
        google_product_category:
          'Home & Garden > Kitchen & Dining > Kitchen Appliances > Coffee Makers & Espresso Machines',
        meta_product_category: 'home > kitchen & dining > coffee makers',
      },
      {
        name: 'Grinders & Kettles',
        google_product_category: 'Home & Garden > Kitchen & Dining > Kitchen Tools & Utensils > Coffee Grinders',
        meta_product_category: 'home > kitchen & dining > kitchen tools',
      },
      {
        name: 'Beans',
        google_product_category: 'Food, Beverages & Tobacco > Beverages > Coffee',
        meta_product_category: 'food & beverages > beverages > coffee',
      },
    ],
  },
  {
    name: 'Lighting',
    description: 'Lamps that are kind to faces, wired by hand and tested twice.',
    subcategories: [
      {
        name: 'Table Lamps',
        google_product_category: 'Home & Garden > Lighting > Lamps',
        meta_product_category: 'home > lighting > lamps',
      },
      {
        name: 'Pendants',
        google_product_category: 'Home & Garden > Lighting > Lighting Fixtures > Ceiling Light Fixtures',
        meta_product_category: 'home > lighting > ceiling lights',
      },
      {
        name: 'Lanterns & Candles',
        google_product_category: 'Home & Garden > Decor > Home Fragrances > Candles',
        meta_product_category: 'home > home decor > candles & lanterns',
      },
    ],
  },
  {
    name: 'Garden',
    description: 'Pots that breathe and tools that can be sharpened, for gardens from a windowsill upwards.',
    subcategories: [
      {
        name: 'Planters',
        google_product_category: 'Home & Garden > Lawn & Garden > Gardening > Pots & Planters',
        meta_product_category: 'patio & garden > gardening > planters',
      },
      {
        name: 'Hand Tools',
        google_product_category: 'Home & Garden > Lawn & Garden > Gardening > Gardening Tools',
        meta_product_category: 'patio & garden > gardening > garden tools',
      },
      {
        name: 'Watering',
        google_product_category: 'Home & Garden > Lawn & Garden > Watering & Irrigation > Watering Cans',
        meta_product_category: 'patio & garden > gardening > watering',
      },
    ],
  },
  {
    name: 'Bags',
    description: 'Baskets, canvas and waxed cotton, sewn to be mended rather than replaced.',
    subcategories: [
      {
        name: 'Baskets & Totes',
        google_product_category: 'Apparel & Accessories > Handbags, Wallets & Cases > Handbags',
        meta_product_category: 'bags & luggage > totes',
      },
      {
        name: 'Backpacks & Travel',
        google_product_category: 'Luggage & Bags > Backpacks',
        meta_product_category: 'bags & luggage > backpacks',
      },
      {
        name: 'Pouches',
        google_product_category: 'Luggage & Bags > Cosmetic & Toiletry Bags',
        meta_product_category: 'bags & luggage > pouches',
      },
    ],
  },
  {
    name: 'Stationery',
    description: 'Paper made from elephant grass and a press that is older than anyone who works it.',
    subcategories: [
      {
        name: 'Notebooks & Planners',
        google_product_category: 'Office Supplies > General Office Supplies > Paper Products > Notebooks & Notepads',
        meta_product_category: 'office supplies > paper > notebooks',
      },
      {
        name: 'Writing',
        google_product_category:
          'Office Supplies > Office Instruments > Writing & Drawing Instruments > Pens & Pencils',
        meta_product_category: 'office supplies > pens & pencils',
      },
      {
        name: 'Cards & Desk',
        google_product_category: 'Office Supplies > Desk Organizers',
        meta_product_category: 'office supplies > desk accessories',
      },
    ],
  },
  {
    name: 'Kitchen',
    description: 'Boards, pans and jars for people who cook most evenings and wash up afterwards.',
    subcategories: [
      {
        name: 'Boards & Knives',
        google_product_category: 'Home & Garden > Kitchen & Dining > Kitchen Tools & Utensils > Cutting Boards',
        meta_product_category: 'home > kitchen & dining > cutlery & boards',
      },
      {
        name: 'Cookware',
        google_product_category: 'Home & Garden > Kitchen & Dining > Cookware & Bakeware > Cookware',
        meta_product_category: 'home > kitchen & dining > cookware',
      },
      {
        name: 'Jars & Spices',
        google_product_category: 'Home & Garden > Kitchen & Dining > Food Storage > Food Storage Containers',
        meta_product_category: 'home > kitchen & dining > food storage',
      },
    ],
  },
  {
    name: 'Outdoors',
    description: 'For the verandah, the campsite and the long wait for the ferry.',
    subcategories: [
      {
        name: 'Seats & Shade',
        google_product_category: 'Home & Garden > Lawn & Garden > Outdoor Living > Hammocks',
        meta_product_category: 'patio & garden > outdoor furniture > hammocks & seats',
      },
      {
        name: 'Camp Kitchen',
        google_product_category:
          'Sporting Goods > Outdoor Recreation > Camping & Hiking > Camping Cookware & Dinnerware',
        meta_product_category: 'sporting goods > camping & hiking > camp kitchen',
      },
      {
        name: 'Bottles & Picnics',
        google_product_category: 'Sporting Goods > Outdoor Recreation > Camping & Hiking > Hydration Systems',
        meta_product_category: 'sporting goods > camping & hiking > bottles',
      },
    ],
  },
];
