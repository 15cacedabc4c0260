// Adds a store's colours and logo to a page, and allows them in the page's content policy. Pure.
import { createHash } from 'node:crypto';
import { brandStyle } from './storefront/brand.ts';

export interface StoreBrand {
  readonly name: string;
  readonly logo_url: string | null;
  readonly colours: Parameters<typeof brandStyle>[0];
}

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const originOf = (address: string | null): string | null => {
  const url = URL.parse(address ?? '');
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : null;
};

export const isWebUrl = (address: string | null | undefined): address is string => originOf(address ?? null) !== null;

export const originsOf = (pictures: readonly (string | null)[]): readonly string[] => [
  ...new Set(pictures.map(originOf).filter((origin) => origin !== null)),
];

export const styleSource = (style: string, look: StoreBrand | null): string =>
  ['style-src', hashOf(style), ...(look && brandStyle(look.colours) ? [hashOf(brandStyle(look.colours))] : [])].join(
    ' ',
  );

export const brandElement = (look: StoreBrand | null): string => {
  const style = brandStyle(look?.colours);
  const icon = isWebUrl(look?.logo_url) ? `<link rel="icon" href="${Bun.escapeHTML(look.logo_url)}">` : '';
  return `${icon}${style && `<style>${style}</style>`}`;
};
