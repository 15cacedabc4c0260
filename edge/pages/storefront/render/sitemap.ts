// The shop's sitemap and robots.txt. A large shop's sitemap is an index of parts.
import { escaped } from './markup.ts';

/** Addresses in one file; the protocol allows 50,000. */
const PART_MAX = 5_000;
/** A listing is read anew after this time, because a large shop's takes a request for each hundred products. */
const CACHED_MS = 10 * 60_000;

export interface SiteAddress {
  /** Path within the shop. */
  readonly path: string;
  readonly changed?: string | null;
}

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const OPENING = '<?xml version="1.0" encoding="UTF-8"?>\n';

const addressXml = ({ path, changed }: SiteAddress, shopUrl: string): string =>
  `<url><loc>${escaped(shopUrl + path)}</loc>${changed ? `<lastmod>${escaped(changed)}</lastmod>` : ''}</url>`;

const partOf = (addresses: readonly SiteAddress[], shopUrl: string): string =>
  `${OPENING}<urlset ${NAMESPACE}>\n${addresses.map((each) => addressXml(each, shopUrl)).join('\n')}\n</urlset>\n`;

const indexOf = (parts: number, shopUrl: string): string => {
  const names = Array.from(
    { length: parts },
    (_, at) => `<sitemap><loc>${escaped(`${shopUrl}/sitemap-${at + 1}.xml`)}</loc></sitemap>`,
  );
  return `${OPENING}<sitemapindex ${NAMESPACE}>\n${names.join('\n')}\n</sitemapindex>\n`;
};

/** `part` counts from 1; null asks for the whole, which is an index in a large shop. Returns null for an unknown part. */
export const sitemap = (
  addresses: readonly SiteAddress[],
  part: number | null,
  shopUrl: string,
  partMax = PART_MAX,
): string | null => {
  const parts = Math.max(1, Math.ceil(addresses.length / partMax));
  if (part === null) return parts === 1 ? partOf(addresses, shopUrl) : indexOf(parts, shopUrl);
  if (part < 1 || part > parts) return null;
  return partOf(addresses.slice((part - 1) * partMax, part * partMax), shopUrl);
};

const HIDDEN = ['/cart', '/checkout', '/account', '/orders/', '/search', '/server/'];

export const robots = (base: string, shopUrl: string): string =>
  [
    'User-agent: *',
    ...HIDDEN.map((path) => `Disallow: ${base}${path}`),
    '',
    `Sitemap: ${shopUrl}/sitemap.xml`,
    '',
  ].join('\n');

/** Reads the addresses at most once in ten minutes; a failed reading is repeated at the next call. */
export const cachedAddresses = (read: () => Promise<readonly SiteAddress[]>, now: () => number = Date.now) => {
  let known: { readonly since: number; readonly addresses: Promise<readonly SiteAddress[]> } | null = null;
  return (): Promise<readonly SiteAddress[]> => {
    if (known !== null && now() - known.since < CACHED_MS) return known.addresses;
    const reading = read();
    known = { since: now(), addresses: reading };
    reading.catch(() => {
      known = null;
    });
    return reading;
  };
};
