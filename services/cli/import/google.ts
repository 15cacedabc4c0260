// Reads a feed for Google's product listings: RSS or Atom with `g:` fields. Items of one group become the variants of
// one product.
import { decodeHTMLStrict } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SetupError } from '#services/cli/local/child.ts';
import { plainNumber } from '#values/numeral.ts';
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import {
  categoryPath,
  type FieldContext,
  gramsOf,
  gtinOf,
  handleOf,
  LOSS,
  Notes,
  pictures,
  salePrices,
} from './field.ts';
import { ANY, type Harmless, noteUnread, unreadOf } from './unread.ts';

const OPTIONS = ['color', 'size', 'material', 'pattern', 'gender', 'age_group'] as const;
const CONDITIONS = ['new', 'refurbished', 'used'] as const;
const LISTS = new Set(['item', 'entry', 'additional_image_link']);

/** Fields that repeat other fields or the store's settings. */
const HARMLESS: Harmless = [
  [/^(mobile_link|identifier_exists|availability|guid|pubDate|updated|published|author)$/, ANY],
  [/^(adult|is_bundle)$/, /^(no|false)$/i],
];

interface Item {
  readonly row: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: (name: string) => string;
  readonly texts: (name: string) => string[];
}

interface Feed {
  readonly items: readonly Item[];
  readonly read: ReadonlySet<string>;
}

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  trimValues: true,
  htmlEntities: true,
  isArray: (name) => LISTS.has(name),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : String(member(value, '#text') ?? member(value, '@href') ?? '');

const MARKUP = new Set(['description', 'summary', 'content']);

const ROOT_END = /<\/(?:[\w-]+:)?(?:rss|feed|RDF)\s*>\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*$/;

const checkXml = (source: string): void => {
  const verdict = XMLValidator.validate(source);
  if (verdict === true) return;
  const isFeed = /<(?:[\w-]+:)?(?:rss|feed|RDF)[\s>]/.test(source);
  if (isFeed && !ROOT_END.test(source)) {
    const items = source.match(/<(?:item|entry)[\s>]/g)?.length ?? 0;
    throw new SetupError(
      `The feed ends in line ${source.trimEnd().split('\n').length}, in item ${items}, before it is complete: the file was cut off. Download it again.`,
    );
  }
  throw new SetupError(`The file is not valid XML: line ${verdict.err.line}: ${verdict.err.msg} Export it again.`);
};

const feedOf = (source: string): Feed => {
  if (/<!DOCTYPE/i.test(source)) throw new SetupError('The file has a DOCTYPE, which is not accepted. Remove it.');
  checkXml(source);
  const tree: unknown = parser.parse(source);
  const roots = [member(tree, 'rss'), member(tree, 'feed'), member(tree, 'RDF')];
  if (roots.every((root) => root === undefined))
    throw new SetupError('The file is neither RSS nor Atom. Export a product feed.');
  const [rss, feed, rdf] = roots;
  const found = member(member(rss, 'channel'), 'item') ?? member(feed, 'entry') ?? member(rdf, 'item');
  if (!Array.isArray(found)) throw new SetupError('The feed has no items. Export it again, with its products.');
  const read = new Set<string>();
  const items = found.map((item: unknown, index): Item => {
    const texts = (name: string): string[] => {
      read.add(name);
      const all = [member(item, name) ?? []].flat().map(plain).filter(Boolean);
      return MARKUP.has(name) ? all : all.map((text) => decodeHTMLStrict(text));
    };
    return { row: index + 1, fields: isObject(item) ? item : {}, texts, text: (name) => texts(name)[0] ?? '' };
  });
  return { items, read };
};

/** Reads the feed; each item's number is its row. Skips amounts in other currencies. */
export const readGoogle = (source: string, currency: string): ImportedCatalogue => {
  const notes = new Notes();
  const groups = new Map<string, Item[]>();
  const { items, read } = feedOf(source);
  for (const item of items) {
    const id = item.text('id');
    if (id === '') {
      notes.whole(item.row, null, 'id', 'The item has no id.');
      continue;
    }
    const group = item.text('item_group_id') || id;
    if (groups.get(group)?.push(item) === undefined) groups.set(group, [item]);
  }
  const products = [...groups].map(([group, members]) => productOf(group, members, currency, notes));
  const unread = items.flatMap(({ fields, row }) => unreadOf(fields, row, read));
  noteUnread(notes, unread, HARMLESS);
  return { ...EMPTY, products, problems: notes.problems };
};

const amountOf = (
  text: string,
  param: string,
  currency: string,
  { notes, row, id }: FieldContext,
): number | undefined => {
  if (text === '') return undefined;
  const [, first, amountText, last] = /^([A-Z]{3})?\s*(\d{1,15}(?:\.\d+)?)\s*([A-Z]{3})?$/.exec(text) ?? [];
  const amount = plainNumber(amountText);
  const code = first ?? last ?? currency;
  if (amount !== null && code === currency) return amount;
  notes.field(row, id, param, amount === null ? `"${text}" is no amount.` : `${text} is not in ${currency}.`);
  return undefined;
};

const stockOf = (item: Item, place: FieldContext): number | undefined => {
  const quantity = item.text('quantity') || item.text('sell_on_google_quantity');
  if (/^\d{1,9}$/.test(quantity)) return Number(quantity);
  if (/^out[ _]of[ _]stock$/i.test(item.text('availability'))) return 0;
  place.notes.loss(place, 'stock', LOSS.quantity);
  return undefined;
};

const variantOf = (item: Item, id: string, isOne: boolean, currency: string, notes: Notes): VariantRow => {
  const place = { notes, row: item.row, id };
  const options = OPTIONS.flatMap((name) => {
    const value = item.text(name);
    return value === '' ? [] : [[name === 'color' ? 'colour' : name, value] as const];
  });
  const [, weight = item.text('shipping_weight'), unit = 'g'] =
    /^([\d.]+)\s*([a-z_]\w*)$/i.exec(item.text('shipping_weight')) ?? [];
  const condition = CONDITIONS.find((one) => one === item.text('condition').toLowerCase());
  if (!condition && item.text('condition') !== '')
    notes.field(item.row, id, 'condition', `"${item.text('condition')}" is none of ${CONDITIONS.join(', ')}.`);
  const price = amountOf(item.text('price'), 'price', currency, place);
  const sale = amountOf(item.text('sale_price'), 'sale_price', currency, place);
  return {
    sku: item.text('id'),
    ...salePrices(price, sale, place),
    stock: stockOf(item, place),
    weight_grams: gramsOf(weight, unit, place),
    ...(condition && { condition }),
    ...gtinOf(item.text('gtin'), place),
    mpn: item.text('mpn') || null,
    ...(options.length > 0 && {
      variant_attributes: Object.fromEntries(options),
      variant_name: options.map(([, value]) => value).join(' / '),
    }),
    ...(!isOne && {
      media: pictures(
        item.texts('image_link').map((url) => ({ url })),
        place,
      ),
    }),
  };
};

const handleIn = (link: string): string => {
  const last = URL.canParse(link) ? (new URL(link).pathname.split('/').filter(Boolean).at(-1) ?? '') : '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};

const productOf = (group: string, items: readonly Item[], currency: string, notes: Notes): FoundProduct => {
  const first = items[0]!;
  const place = { notes, row: first.row, id: group };
  const title = first.text('title');
  const addresses = items.flatMap((item) =>
    [...item.texts('image_link'), ...item.texts('additional_image_link')].map((url) => ({ url, row: item.row })),
  );
  const product = withVariants(
    {
      external_id: group,
      name: title,
      description: first.text('description') || first.text('summary') || first.text('content'),
      category: categoryPath(first.text('product_type').split('>'), place),
      brand: first.text('brand') || null,
      google_product_category: first.text('google_product_category') || null,
      media: pictures(
        addresses.map((address) => ({ ...address, alt: title })),
        place,
      ),
    },
    group,
    items.map((item) => variantOf(item, group, items.length === 1, currency, notes)),
  );
  return { row: first.row, handle: handleIn(first.text('link')) || handleOf(title) || group, product, collections: [] };
};
