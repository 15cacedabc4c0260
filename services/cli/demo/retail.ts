// The demo shop's complete data.
import type { UpdateStoreRequest } from '#proto/gen/store.ts';
import type { DemoShop } from './data.ts';
import { CATEGORIES, COLLECTIONS, POLICIES, PRODUCTS, TRANSLATIONS } from './data.ts';
import { deliveryRequest } from './delivery.ts';
import { EXCHANGE_RATES, PROMOTIONS, TAX_RATES } from './price.ts';

export const DEMO_STORE = { name: 'Jua & Udongo', currency: 'USD', country: 'KE', plan: 'premium' } as const;

export const profile = (pictures: string): UpdateStoreRequest => ({
  name: DEMO_STORE.name,
  description:
    'Jua na udongo: sun and clay. We are a small Nairobi maker of things for the house and the road away from it, thrown, woven, forged and sewn by people whose names we know. Everything we sell can be mended, and most of it should never need to be.',
  logo_url: `${pictures}/mark.svg`,
  branding: {
    primary_color: '#c4704b',
    accent_color: '#eba545',
    background_color: '#f7ead6',
    text_color: '#3b2d25',
    tagline: 'Made under the sun, out of the ground.',
  },
  website_url: 'https://jua-udongo.example',
  contact_email: 'karibu@jua-udongo.example',
  contact_phone: '+254 20 555 0142',
  country: DEMO_STORE.country,
  timezone: 'Africa/Nairobi',
  language: 'en',
  languages: ['sw', 'de'],
  return_window_days: 30,
  low_stock_threshold: 5,
  feeds: { llms_enabled: true, products_enabled: true },
  currencies: [
    { currency: 'EUR', prices: 'rate' },
    { currency: 'KES', prices: 'rate' },
  ],
});

export const RETAIL_SHOP: DemoShop = {
  name: DEMO_STORE.name,
  profile,
  policies: POLICIES,
  categories: CATEGORIES,
  products: PRODUCTS,
  collections: COLLECTIONS,
  promotions: PROMOTIONS,
  taxRates: TAX_RATES,
  exchangeRates: EXCHANGE_RATES,
  translations: TRANSLATIONS,
  delivery: deliveryRequest,
};
