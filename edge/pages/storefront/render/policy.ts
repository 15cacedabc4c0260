// The content security policy of the shop's pages.
import type { ShopSetting } from '#edge/pages/storefront/setting.ts';

/** Returns the SHA-256 hash of a text in base64. */
export const hashOf = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
};

const originOf = (url: string | undefined): string => (url === undefined ? '' : ` ${new URL(url).origin}`);

/** `brand` is the inline style of the store's colours; empty without one. */
export const contentPolicy = async ({ url }: ShopSetting, brand: string): Promise<string> =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${brand && ` 'sha256-${await hashOf(brand)}'`}`,
    "font-src 'self'",
    `connect-src 'self'${originOf(url)}`,
    "img-src 'self' data: https: http:",
    "base-uri 'none'",
    // Allows the form that sends gift cards to the store's checkout page.
    `form-action 'self'${originOf(url)}`,
    "frame-ancestors 'none'",
  ].join('; ');
