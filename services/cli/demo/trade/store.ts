// The wholesale demo shop's profile.

import type { UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateStoreRequest } from '#proto/gen/store_admin.ts';

export const TRADE_STORE: CreateStoreRequest = {
  name: 'Milima Coffee Trade',
  currency: 'USD',
  country: 'KE',
  plan: 'premium',
  wholesale: true,
};

export const profile = (pictures: string): UpdateStoreRequest => ({
  name: TRADE_STORE.name,
  description:
    'Coffee, and what it is served in, for the cafés and hotels of East Africa: by the sack, by the case, on thirty days. Ask for a quote; a person answers.',
  logo_url: `${pictures}/mark.svg`,
  branding: {
    primary_color: '#3f5c43',
    accent_color: '#c98b2d',
    background_color: '#f3efe4',
    text_color: '#2b2a25',
    tagline: 'From the hill to the counter.',
  },
  website_url: 'https://milima-coffee.example',
  contact_email: 'trade@milima-coffee.example',
  contact_phone: '+254 20 555 0177',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  wholesale_enabled: true,
  return_window_days: 14,
  low_stock_threshold: 10,
  feeds: { llms_enabled: true, products_enabled: true },
});
