// Reads a merchant's HTML into a tree without elements that could run code, load files or disguise links. Server and
// browser read it in the same way, so the browser continues what the server has rendered. Pure.

export interface HtmlElement {
  readonly name: string;
  /** Address of a link; null for all other elements. */
  readonly href: string | null;
  readonly children: HtmlNode[];
}

export type HtmlNode = string | HtmlElement;

const ALLOWED = new Set(
  'p br ul ol li b strong i em u s sub sup blockquote table thead tbody tr th td dl dt dd hr code pre a'.split(' '),
);
const VOID = new Set(['br', 'hr']);
/** Elements whose contents are no text for readers. */
const DROPPED = 'script style template iframe object embed svg math form button noscript select textarea title'.split(
  ' ',
);
/** Elements that end a paragraph. */
const BLOCKS = new Set('p ul ol blockquote table dl hr pre h3'.split(' '));
/** Elements that end the one before them. */
const SIBLINGS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['tr'],
};
/** Elements within a word or sentence. */
const INLINE = new Set('a b strong i em u s sub sup code'.split(' '));
const DEPTH_MAX = 30;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '\u00ad',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  aacute: 'á',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  ntilde: 'ñ',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  aring: 'å',
  oslash: 'ø',
};
const CODE_POINT_MAX = 0x10ffff;

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]\w{1,7}));/g, (whole, digits, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = digits === undefined ? Number.parseInt(hex, 16) : Number(digits);
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : '';
  });

const ATTRIBUTE_HREF = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

const hrefOf = (attributes: string): string | null => {
  const [, double, single, bare] = ATTRIBUTE_HREF.exec(attributes) ?? [];
  const address = decode(double ?? single ?? bare ?? '').trim();
  return /^(https?:|mailto:|tel:)/i.test(address) ? address : null;
};

/** Headings become `h3`, which stands below those of the page. */
const nameOf = (name: string): string => (/^h[1-6]$/.test(name) ? 'h3' : name);

const PART = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][\w-]*)(?![\w-])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>|([^<]+|<)/g;

const withoutDropped = (text: string): string =>
  DROPPED.reduce((rest, name) => rest.replace(new RegExp(`<${name}\\b[\\s\\S]*?(?:</${name}\\s*>|$)`, 'gi'), ''), text);

export const readHtml = (text: string): readonly HtmlNode[] => {
  const root: HtmlElement = { name: '', href: null, children: [] };
  const open: HtmlElement[] = [root];
  const close = (name: string): void => {
    const at = open.findLastIndex((each) => each.name === name);
    if (at > 0) open.length = at;
  };
  for (const [, slash, tag, attributes = '', words] of withoutDropped(text).matchAll(PART)) {
    if (words !== undefined) open.at(-1)!.children.push(decode(words));
    if (tag === undefined) continue;
    const name = nameOf(tag.toLowerCase());
    if (!ALLOWED.has(name) && name !== 'h3') continue;
    if (slash) {
      close(name);
      continue;
    }
    if (BLOCKS.has(name)) close('p');
    for (const before of SIBLINGS[name] ?? []) if (open.at(-1)!.name === before) close(before);
    const href = name === 'a' ? hrefOf(attributes) : null;
    if (name === 'a' && href === null) continue;
    const element: HtmlElement = { name, href, children: [] };
    open.at(-1)!.children.push(element);
    if (!VOID.has(name) && open.length <= DEPTH_MAX) open.push(element);
  }
  return root.children;
};

export const isHtml = (text: string): boolean => /<\/?[a-z][^<>]*>|&[a-z]+;|&#\d+;/i.test(text);

/** Returns the words of a text that may be HTML, on one line. */
export const plainText = (text: string): string => {
  const words = (nodes: readonly HtmlNode[]): string =>
    nodes
      .map((node) => {
        if (typeof node === 'string') return node;
        return INLINE.has(node.name) ? words(node.children) : ` ${words(node.children)} `;
      })
      .join('');
  return (isHtml(text) ? words(readHtml(text)) : text).replace(/\s+/g, ' ').trim();
};
