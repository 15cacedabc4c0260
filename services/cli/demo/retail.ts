// The demo shop, whole: what a storefront developer begins with.
import { CATEGORIES, COLLECTIONS, PRODUCTS } from './data.ts';
import { deliveryRequest } from './delivery.ts';
import { POLICIES } from './policy.ts';
import { PROMOTIONS, TAX_RATES } from './price.ts';
import type { DemoShop } from './shop.ts';
import { DEMO_STORE, profile } from './store.ts';

export const RETAIL_SHOP: DemoShop = {
  name: DEMO_STORE.name,
  profile,
  policies: POLICIES,
  categories: CATEGORIES,
  products: PRODUCTS,
  collections: COLLECTIONS,
  promotions: PROMOTIONS,
  taxRates: TAX_RATES,
  delivery: deliveryRequest,
};
