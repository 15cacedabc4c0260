// What the demo shop takes off its prices, and the taxes it adds. All of it names the shop's own categories, so that what a
// reader puts on the shelf costs what it says.
import { CATEGORIES } from './data.ts';
import type { DemoPromotion, DemoTaxRate } from './shop.ts';

export const PROMOTIONS: readonly DemoPromotion[] = [
  {
    name: 'Karibu: ten per cent off your first order',
    code: 'KARIBU10',
    type: 'percentage',
    value: 10,
    categories: [],
    usage_limit_per_customer: 1,
    stackable: true,
  },
  {
    name: 'The third cup is on us',
    type: 'buy_x_get_y',
    buy: { quantity: 2 },
    get: { quantity: 1, discount_percent: 100 },
    categories: ['Mugs & Cups'],
    stackable: true,
  },
  {
    name: 'Blankets from 120.00 travel for free',
    type: 'free_shipping',
    categories: ['Blankets & Throws'],
    minimum_subtotal: 120,
    stackable: true,
  },
  {
    name: 'Seventh birthday: fifteen off a hundred',
    code: 'MIAKA7',
    type: 'fixed_amount',
    value: 15,
    categories: [],
    minimum_subtotal: 100,
    usage_limit: 500,
    stackable: false,
    // Waits for its day: seen with a secret key alone.
    status: 'draft',
    public: false,
  },
];

/** What grows on a hill is not taxed. */
const UNTAXED = 'Beans';

/** Kenya's value-added tax of what the shop sells. */
export const TAX_RATES: readonly DemoTaxRate[] = CATEGORIES.flatMap(({ subcategories }) =>
  subcategories.map(({ name }) => ({ name: 'VAT', country: 'KE', category: name, rate: name === UNTAXED ? 0 : 0.16 })),
);
