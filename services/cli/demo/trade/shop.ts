// The wholesale demo shop's complete data: it has list prices, and quotes for businesses.
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import type { DemoPolicy, DemoShop, DemoTaxRate } from '#services/cli/demo/data.ts';
import { NO_TRANSLATIONS, TRADE_CATEGORIES, TRADE_PRODUCTS } from '#services/cli/demo/data.ts';
import { profile, TRADE_STORE } from './store.ts';

const POLICIES: readonly DemoPolicy[] = [
  {
    type: 'terms',
    title: 'Terms of trade',
    body: `These terms apply between Milima Coffee Trade and businesses that buy from it.

**Quotes.** A quote stands for as long as it says. Accept it and send us a purchase order with your own number; we confirm it, and then it is an order.

**Payment.** Invoices are due by the terms of the quote, thirty days unless it says otherwise.

**Breakages.** What arrives broken is replaced by the piece, if you tell us within two days.`,
  },
  {
    type: 'shipping',
    title: 'Delivery',
    body: 'Quoted prices include delivery to one address in Kenya. What is ordered without a quote travels at the rates shown at checkout.',
  },
];

const TAX_RATES: readonly DemoTaxRate[] = TRADE_CATEGORIES.flatMap(({ subcategories }) =>
  subcategories.map(({ name }) => ({
    name: 'VAT',
    country: 'KE',
    category: name,
    rate: name === 'Sacks' ? 0 : 0.16,
  })),
);

const delivery = (): PutConfigRequest => ({
  restriction: 'none',
  fulfil_from: 'primary',
  locations: [
    {
      name: 'The warehouse',
      latitude: -1.3152,
      longitude: 36.8521,
      address: { line1: '7 Enterprise Road', city: 'Nairobi', postal_code: '00500', country: 'KE' },
      hours: 'Monday to Friday, 7:00 to 16:00',
      instructions: 'Gate C. Bring the number of your purchase order.',
      pickup: true,
      primary: true,
    },
  ],
  zones: [
    {
      name: 'Kenya',
      kind: 'countries',
      countries: ['KE'],
      rate: { fee: 25, free_threshold: 1_000, estimate: '1-3 days' },
    },
    {
      name: 'Uganda, Tanzania, Rwanda',
      kind: 'countries',
      countries: ['UG', 'TZ', 'RW'],
      rate: { fee: 90, estimate: '4-8 days' },
    },
  ],
  tiers: [],
  fallback: null,
});

export const TRADE_SHOP: DemoShop = {
  name: TRADE_STORE.name,
  profile,
  policies: POLICIES,
  categories: TRADE_CATEGORIES,
  products: TRADE_PRODUCTS,
  collections: [],
  promotions: [],
  taxRates: TAX_RATES,
  exchangeRates: [],
  translations: NO_TRANSLATIONS,
  delivery,
};
