// Writes the HTML around a rendered page: head, root element, and the data with which the browser continues. Pure.
import type { PageState } from '#edge/pages/storefront/client.ts';
import type { PageFiles } from '#edge/pages/storefront/setting.ts';
import type { PageHead } from './head.ts';
import { escaped } from './markup.ts';

/** Data in a script element, which ends at the first `</script`. */
export const scriptJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

export interface DocumentParts {
  readonly head: PageHead;
  readonly language: string;
  /** URL of the shop's first page, without a slash at its end. */
  readonly shopUrl: string;
  readonly storeName: string;
  /** Rules of the store's own colours. */
  readonly brand: string;
  /** Begins the browser's session. */
  readonly sessionScript: string;
  readonly icon: string | null;
  readonly files: PageFiles;
  readonly structured: readonly object[];
}

const absolute = (url: string, shopUrl: string): string => URL.parse(url, shopUrl)?.href ?? url;

const meta = (name: 'name' | 'property', key: string, content: string): string =>
  `<meta ${name}="${key}" content="${escaped(content)}">`;

const addressTags = ({ head, shopUrl }: DocumentParts): readonly string[] => {
  const { canonical, alternates } = head;
  if (canonical === null) return [meta('name', 'robots', 'noindex, follow')];
  const url = shopUrl + canonical || '/';
  return [
    `<link rel="canonical" href="${escaped(url)}">`,
    ...alternates.map(
      ({ language, path }) =>
        `<link rel="alternate" hreflang="${escaped(language)}" href="${escaped(shopUrl + path)}">`,
    ),
    meta('property', 'og:url', url),
  ];
};

const previewTags = ({ head, shopUrl, storeName }: DocumentParts): readonly string[] => [
  meta('property', 'og:site_name', storeName),
  meta('property', 'og:type', head.type),
  meta('property', 'og:title', head.title),
  meta('property', 'og:description', head.description),
  ...(head.image ? [meta('property', 'og:image', absolute(head.image, shopUrl))] : []),
  meta('name', 'twitter:card', head.image ? 'summary_large_image' : 'summary'),
];

export const documentStart = (parts: DocumentParts): string => {
  const { head, language, brand, sessionScript, icon, files, structured } = parts;
  const tags = [
    '<meta charset="utf-8">',
    // Stands before the style sheets, for which later scripts wait.
    `<script>${sessionScript}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(head.title)}</title>`,
    meta('name', 'description', head.description),
    ...addressTags(parts),
    ...previewTags(parts),
    `<link rel="icon" href="${escaped(icon ?? 'data:,')}">`,
    ...(files.fonts ?? []).map(
      (font) => `<link rel="preload" href="${escaped(font)}" as="font" type="font/woff2" crossorigin>`,
    ),
    `<link rel="stylesheet" href="${escaped(files.style)}">`,
    ...(brand ? [`<style>${brand}</style>`] : []),
    `<script type="module" src="${escaped(files.script)}"></script>`,
    ...structured.map((each) => `<script type="application/ld+json">${scriptJson(each)}</script>`),
  ];
  return `<!doctype html>\n<html lang="${escaped(language)}">\n<head>\n${tags.join('\n')}\n</head>\n<body>\n<div id="shop">`;
};

export const documentEnd = (state: PageState): string =>
  `</div>\n<script type="application/json" id="state">${scriptJson(state)}</script>\n</body>\n</html>\n`;
