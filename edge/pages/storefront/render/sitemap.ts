// The shop's sitemap and robots.txt. A large shop's sitemap is an index of parts.
import { alternatesOf, languagePath, type ShopLanguages } from '#edge/pages/storefront/language_path.ts';
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

/** Addresses of a shop's pages, and the languages in which each is shown. */
export interface SiteListing {
  readonly addresses: readonly SiteAddress[];
  readonly languages: ShopLanguages;
}

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const ALTERNATES = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const OPENING = '<?xml version="1.0" encoding="UTF-8"?>\n';

const urlXml = (path: string, changed: string | null | undefined, links: string, shopUrl: string): string => {
  const time = changed ? `<lastmod>${escaped(changed)}</lastmod>` : '';
  return `<url><loc>${escaped(shopUrl + path)}</loc>${time}${links}</url>`;
};

/** Lists a page in each language, with links between the languages. */
const addressXml = ({ path, changed }: SiteAddress, store: ShopLanguages, shopUrl: string): string => {
  const alternates = alternatesOf(store, path);
  const links = alternates
    .map(
      (each) =>
        `<xhtml:link rel="alternate" hreflang="${escaped(each.language)}" href="${escaped(shopUrl + each.path)}"/>`,
    )
    .join('');
  return [store.language, ...store.languages]
    .map((language) => urlXml(languagePath(store, language, path), changed, links, shopUrl))
    .join('\n');
};

const partOf = (addresses: readonly SiteAddress[], store: ShopLanguages, shopUrl: string): string => {
  const spaces = store.languages.length === 0 ? NAMESPACE : `${NAMESPACE} ${ALTERNATES}`;
  return `${OPENING}<urlset ${spaces}>\n${addresses.map((each) => addressXml(each, store, shopUrl)).join('\n')}\n</urlset>\n`;
};

const indexOf = (parts: number, shopUrl: string): string => {
  const names = Array.from(
    { length: parts },
    (_, at) => `<sitemap><loc>${escaped(`${shopUrl}/sitemap-${at + 1}.xml`)}</loc></sitemap>`,
  );
  return `${OPENING}<sitemapindex ${NAMESPACE}>\n${names.join('\n')}\n</sitemapindex>\n`;
};

/** `part` counts from 1; null asks for the whole, which is an index in a large shop. Returns null for an unknown part. */
export const sitemap = (
  { addresses, languages }: SiteListing,
  part: number | null,
  shopUrl: string,
  partMax = PART_MAX,
): string | null => {
  const size = Math.ceil(partMax / (languages.languages.length + 1));
  const parts = Math.max(1, Math.ceil(addresses.length / size));
  if (part === null) return parts === 1 ? partOf(addresses, languages, shopUrl) : indexOf(parts, shopUrl);
  if (part < 1 || part > parts) return null;
  return partOf(addresses.slice((part - 1) * size, part * size), languages, shopUrl);
};

const HIDDEN = ['/cart', '/checkout', '/account', '/orders/', '/search', '/server/'];

/** `homes` are the paths of the first page in each language. */
export const robots = (homes: readonly string[], shopUrl: string): string =>
  [
    'User-agent: *',
    ...homes.flatMap((home) => HIDDEN.map((path) => `Disallow: ${home}${path}`)),
    '',
    `Sitemap: ${shopUrl}/sitemap.xml`,
    '',
  ].join('\n');

/** Reads the addresses at most once in ten minutes; a failed reading is repeated at the next call. */
export const cachedAddresses = (read: () => Promise<SiteListing>, now: () => number = Date.now) => {
  let known: { readonly since: number; readonly listing: Promise<SiteListing> } | null = null;
  return (): Promise<SiteListing> => {
    if (known !== null && now() - known.since < CACHED_MS) return known.listing;
    const reading = read();
    known = { since: now(), listing: reading };
    reading.catch(() => {
      known = null;
    });
    return reading;
  };
};
