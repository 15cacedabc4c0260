// A feed for Google's product listings: RSS or Atom with `g:` fields, items of one group being one product's variants.
import { XMLParser } from 'fast-xml-parser';
import { SetupError } from '#services/cli/local/child.ts';
import { plainNumber } from '#values/numeral.ts';
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import { type FieldContext, gramsOf, gtinOf, handleOf, Notes, pictures } from './field.ts';

const OPTIONS = ['color', 'size', 'material', 'pattern', 'gender', 'age_group'] as const;
const CONDITIONS = ['new', 'refurbished', 'used'] as const;
const LISTS = new Set(['item', 'entry', 'additional_image_link']);

interface Item {
  readonly row: number;
  readonly text: (name: string) => string;
  readonly texts: (name: string) => string[];
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

/** Atom's links have their address as an attribute. */
const plain = (value: unknown): string =>
  typeof value === 'string' ? value : String(member(value, '#text') ?? member(value, '@href') ?? '');

const itemsOf = (source: string): Item[] => {
  if (/<!DOCTYPE/i.test(source)) throw new SetupError('A document type is not accepted in the file.');
  let tree: unknown;
  try {
    tree = parser.parse(source, true);
  } catch (problem) {
    throw new SetupError(`The file is not valid XML: ${(problem as Error).message}`);
  }
  const found =
    member(member(member(tree, 'rss'), 'channel'), 'item') ??
    member(member(tree, 'feed'), 'entry') ??
    member(member(tree, 'RDF'), 'item');
  if (!Array.isArray(found)) throw new SetupError('The file has no items: it is neither RSS nor Atom.');
  return found.map((item, index) => {
    const texts = (name: string): string[] => [member(item, name) ?? []].flat().map(plain).filter(Boolean);
    return { row: index + 1, texts, text: (name) => texts(name)[0] ?? '' };
  });
};

/** `row` is the item's number; amounts of another currency stay behind. */
export const readGoogle = (source: string, currency: string): ImportedCatalogue => {
  const notes = new Notes();
  const groups = new Map<string, Item[]>();
  for (const item of itemsOf(source)) {
    const id = item.text('id');
    if (id === '') {
      notes.whole(item.row, null, 'id', 'The item has no id.');
      continue;
    }
    const group = item.text('item_group_id') || id;
    if (groups.get(group)?.push(item) === undefined) groups.set(group, [item]);
  }
  const products = [...groups].map(([group, items]) => productOf(group, items, currency, notes));
  return { ...EMPTY, products, problems: notes.problems };
};

const amountOf = (
  text: string,
  param: string,
  currency: string,
  { notes, row, id }: FieldContext,
): number | undefined => {
  if (text === '') return undefined;
  const [, first, told, last] = /^([A-Z]{3})?\s*(\d{1,15}(?:\.\d+)?)\s*([A-Z]{3})?$/.exec(text) ?? [];
  const amount = plainNumber(told);
  const code = first ?? last ?? currency;
  if (amount !== null && code === currency) return amount;
  notes.field(row, id, param, amount === null ? `"${text}" is no amount.` : `${text} is not in ${currency}.`);
  return undefined;
};

const stockOf = (item: Item, place: FieldContext): number | undefined => {
  const told = item.text('quantity') || item.text('sell_on_google_quantity');
  if (/^\d{1,9}$/.test(told)) return Number(told);
  if (/^out[ _]of[ _]stock$/i.test(item.text('availability'))) return 0;
  place.notes.field(place.row, place.id, 'stock', 'A feed tells no quantity: it is brought without a stock.');
  return undefined;
};

const variantOf = (item: Item, id: string, isOne: boolean, currency: string, notes: Notes): VariantRow => {
  const place = { notes, row: item.row, id };
  const options = OPTIONS.flatMap((name) => {
    const value = item.text(name);
    return value === '' ? [] : [[name === 'color' ? 'colour' : name, value] as const];
  });
  const [, weight = '', unit = ''] = /^([\d.]+)\s*(\w+)$/.exec(item.text('shipping_weight')) ?? [];
  const condition = CONDITIONS.find((one) => one === item.text('condition').toLowerCase());
  return {
    sku: item.text('id'),
    price: amountOf(item.text('price'), 'price', currency, place),
    sale_price: amountOf(item.text('sale_price'), 'sale_price', currency, place) ?? null,
    stock: stockOf(item, place),
    weight_grams: gramsOf(weight, unit, 'weight_grams', place),
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

/** The last part of the product's page: what redirects come from. */
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
  const addresses = items.flatMap((item) => [...item.texts('image_link'), ...item.texts('additional_image_link')]);
  const product = withVariants(
    {
      external_id: group,
      name: title,
      description: first.text('description') || first.text('summary') || first.text('content'),
      category:
        first
          .text('product_type')
          .split('>')
          .map((part) => part.trim())
          .slice(0, 2)
          .join(' > ') || null,
      brand: first.text('brand') || null,
      google_product_category: first.text('google_product_category') || null,
      media: pictures(
        addresses.map((url) => ({ url, alt: title })),
        place,
      ),
    },
    group,
    items.map((item) => variantOf(item, group, items.length === 1, currency, notes)),
  );
  return { row: first.row, handle: handleIn(first.text('link')) || handleOf(title) || group, product, collections: [] };
};
