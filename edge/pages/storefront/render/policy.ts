// The content security policy of the shop's pages.
import type { ShopSetting } from '#edge/pages/storefront/setting.ts';
import type { PaymentMethod } from '#proto/gen/client/message.ts';

/** Returns the SHA-256 hash of a text in base64. */
export const hashOf = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
};

const originOf = (url: string | undefined): string => (url === undefined ? '' : ` ${new URL(url).origin}`);

export type CardLibrary = NonNullable<PaymentMethod['element']>;

/** Addresses that Stripe asks sites to allow for its Payment Element. */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: ' https://api.stripe.com',
};

/** Texts of the page's own style and script elements; empty without one. */
interface InlineTexts {
  readonly brand: string;
  readonly sessionScript: string;
}

const NO_INLINE: InlineTexts = { brand: '', sessionScript: '' };

const hashSource = async (text: string): Promise<string> => (text === '' ? '' : ` 'sha256-${await hashOf(text)}'`);

/** `libraries` are those of the card fields that the page may show. */
export const contentPolicy = async (
  { url }: ShopSetting,
  { brand, sessionScript } = NO_INLINE,
  libraries: readonly CardLibrary[] = [],
): Promise<string> => {
  const stripe = libraries.includes('stripe') ? STRIPE : { script: '', frame: '', connect: '' };
  const simulator = libraries.includes('simulator') ? originOf(url) : '';
  return [
    "default-src 'none'",
    `script-src 'self'${await hashSource(sessionScript)}${simulator}${stripe.script}`,
    ...(libraries.length === 0 ? [] : [`frame-src 'self'${simulator}${stripe.frame}`]),
    `style-src 'self'${await hashSource(brand)}`,
    "font-src 'self'",
    `connect-src 'self'${originOf(url)}${stripe.connect}`,
    "img-src 'self' data: https: http:",
    "base-uri 'none'",
    // Allows the form that sends gift cards to the store's checkout page.
    `form-action 'self'${originOf(url)}`,
    "frame-ancestors 'none'",
  ].join('; ');
};
