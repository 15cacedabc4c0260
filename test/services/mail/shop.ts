// The shop whose mails the sender's tests send, without a store domain.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type MailProfile, type MailRenderer, openRenderer } from '#services/mail/renderer.ts';

export const SENDER = 'shop@mail.example';

export const SHOP: MailProfile = {
  name: 'Café "Nairobi", Ltd',
  code: 'cafe',
  website_url: 'https://shop.example',
  contact_email: 'hello@shop.example',
  contact_phone: null,
  logo_url: null,
  timezone: 'Africa/Nairobi',
  wholesale_enabled: false,
  colours: { primary_color: null, background_color: null, text_color: null },
  currency: 'KES',
  languages: ['en'],
};

export const rendererOfShop = (
  runtime: Pick<Runtime, 'postgres' | 'seal' | 'log'>,
  shop: MailProfile = SHOP,
): MailRenderer =>
  openRenderer({ ...runtime, settings: { publicUrl: 'https://stoa.example' }, profiles: { get: () => shop } });
