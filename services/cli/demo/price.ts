// Promotions, taxes and exchange rates of the demo shop. All of them are limited to the demo's categories, so that other products keep
// their price.

import type { PutExchangeRateRequest } from '#proto/gen/exchange_rate.ts';
import type { DemoPromotion, DemoTaxRate } from './data.ts';
import { CATEGORIES } from './data.ts';

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
    // Only secret keys see drafts.
    status: 'draft',
    public: false,
  },
];

const UNTAXED = 'Beans';

export const TAX_RATES: readonly DemoTaxRate[] = CATEGORIES.flatMap(({ subcategories }) =>
  subcategories.map(({ name }) => ({ name: 'VAT', country: 'KE', category: name, rate: name === UNTAXED ? 0 : 0.16 })),
);

/** Made up, and valid for a year. */
export const EXCHANGE_RATES: readonly PutExchangeRateRequest[] = [
  { currency: 'EUR', rate: 0.92, rounding: { to: '0.90' }, max_age_hours: 8_760 },
  { currency: 'KES', rate: 129.25, rounding: { to: '50' }, max_age_hours: 8_760 },
];
