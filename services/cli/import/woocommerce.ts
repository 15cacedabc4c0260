// Reads WooCommerce's export. Each simple product, each variable product and each variation has a row; a variation
// names its parent.
import { decodeHTMLStrict } from 'entities';
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import {
  attributeName,
  categoryPath,
  type FieldContext,
  gramsOf,
  gtinOf,
  handleOf,
  LOSS,
  listOf,
  Notes,
  numberOf,
  pictures,
  salePrices,
  stockOf,
  truthOf,
} from './field.ts';
import { readTable, type TableRecord } from './table.ts';
import { ANY, type Harmless, noteUnread } from './unread.ts';

/** Maximum number of attribute columns; a file has as many as the product with the most attributes. */
const ATTRIBUTES_MAX = 30;
const KINDS = ['simple', 'variable', 'variation'];
const HARMLESS: Harmless = [
  [/^Visibility in catalog$/i, /^visible$/i],
  [/^Tax status$/i, /^taxable$/i],
  [/^Tax class$/i, /^parent$/i],
  [/^Sold individually\?$/i, /^(0|no)$/i],
  [/^(Allow customer reviews\?|Position|Attribute \d+ (visible|global))$/i, ANY],
];

interface Group {
  readonly parent: TableRecord;
  readonly variations: TableRecord[];
}

/** Removes the apostrophe that WooCommerce puts before spreadsheet formulas. */
const unguarded = (record: TableRecord): TableRecord => ({
  row: record.row,
  text: (...columns) => record.text(...columns).replace(/^'(?=[=+@-])/, ''),
});

const withCommas = (text: string): string => text.replaceAll('\\,', ',');

const plain = (text: string): string => decodeHTMLStrict(withCommas(text)).trim();

const valuesOf = (text: string): string[] => listOf(text, /(?<!\\),/).map(plain);

const withLines = (text: string): string =>
  text
    .split('\\\\n')
    .map((part) => part.replaceAll('\\n', '\n'))
    .join('\\n');

/** Accepts the shop's own decimal separator; there are no thousands separators. */
const withPoint = (text: string): string => text.replace(/^(-?\d*),(\d+)$/, '$1.$2');

const kindOf = (record: TableRecord): string => listOf(record.text('Type').toLowerCase())[0] ?? 'simple';

const skuOf = (record: TableRecord): string => decodeHTMLStrict(record.text('SKU'));

const idOf = (record: TableRecord): string => record.text('ID') || skuOf(record);

const isPublished = (record: TableRecord): boolean =>
  record.text('Published') === '' || truthOf(record.text('Published'));

/** Returns parents by both names that variations use: the SKU, or `id:44`. */
const parentsOf = (groups: readonly Group[]): Map<string, Group> =>
  new Map(
    groups.flatMap((group) => {
      const { parent } = group;
      return [[`id:${parent.text('ID')}`, group] as const, [skuOf(parent), group] as const];
    }),
  );

export const readWooCommerce = (source: string): ImportedCatalogue => {
  const table = readTable(source);
  const notes = new Notes();
  if (!table.has('Name') || !(table.has('ID') || table.has('SKU'))) {
    notes.whole(1, null, null, 'The first line names neither ID nor SKU, or no Name.');
    return { ...EMPTY, problems: notes.problems };
  }
  const unit = /\((\w+)\)/.exec(table.columns.find((name) => /^weight/i.test(name)) ?? '')?.[1] ?? 'kg';
  const known = table.records.map(unguarded).filter((record) => {
    const kind = kindOf(record);
    if (idOf(record) === '') notes.whole(record.row, null, 'ID', 'The row has neither an ID nor a SKU.');
    else if (!KINDS.includes(kind))
      notes.whole(record.row, idOf(record), 'Type', `A product of type "${kind}" has no counterpart here.`);
    else return true;
    return false;
  });
  const groups = known
    .filter((record) => kindOf(record) !== 'variation')
    .map((parent): Group => ({ parent, variations: [] }));
  const parents = parentsOf(groups);
  for (const record of known.filter((one) => kindOf(one) === 'variation')) {
    const parent = parents.get(decodeHTMLStrict(record.text('Parent')));
    if (parent && !isPublished(record))
      notes.loss(
        { row: record.row, id: idOf(record) },
        'Published',
        'Variations that are not published are left behind',
      );
    else if (parent) parent.variations.push(record);
    else notes.whole(record.row, idOf(record), 'Parent', `There is no product "${record.text('Parent')}" in the file.`);
  }
  const products = groups.map((group) => productOf(group, unit, notes));
  noteUnread(notes, table.unread(), HARMLESS);
  return { ...EMPTY, products, problems: notes.problems };
};

const attributesOf = (record: TableRecord): [string, string][] => {
  const found: [string, string][] = [];
  for (let at = 1; at <= ATTRIBUTES_MAX; at++) {
    const name = record.text(`Attribute ${at} name`);
    const value = record.text(`Attribute ${at} value(s)`);
    if (name !== '' && value !== '') found.push([attributeName(plain(name)), plain(value)]);
  }
  return found;
};

const weightColumn = (unit: string): string => `Weight (${unit})`;

const noteVariationLoss = (record: TableRecord, here: FieldContext): void => {
  if (record.text('Description') !== '')
    here.notes.loss(here, 'Description', 'Descriptions of variations are left out');
  if (valuesOf(record.text('Images')).length > 1)
    here.notes.loss(here, 'Images', 'A variation has one picture here; further ones are left out');
};

const variantOf = (record: TableRecord, parent: TableRecord, unit: string, place: FieldContext): VariantRow => {
  const here = { ...place, row: record.row };
  const number = (column: string, param: string) => numberOf(withPoint(record.text(column)), param, here);
  const regular = number('Regular price', 'price');
  const isOwn = record !== parent;
  const attributes = isOwn ? attributesOf(record) : [];
  const quantity = stockOf(record.text('Stock'), 'stock', here);
  if (/^(1|yes|notify)$/i.test(record.text('Backorders allowed?')))
    here.notes.loss(here, 'Backorders allowed?', LOSS.backorders);
  const isOut = /^(0|no|outofstock)$/i.test(record.text('In stock?'));
  if (quantity === undefined && !isOut) here.notes.loss(here, 'stock', LOSS.quantity);
  if (isOwn) noteVariationLoss(record, here);
  const weight = record.text(weightColumn(unit)) || parent.text(weightColumn(unit));
  const sale = number('Sale price', 'sale_price');
  return {
    sku: skuOf(record) || null,
    ...salePrices(regular, sale, here),
    stock: quantity ?? (isOut ? 0 : undefined),
    weight_grams: gramsOf(withPoint(weight), unit, here),
    ...gtinOf(record.text('GTIN, UPC, EAN, or ISBN'), here),
    ...(attributes.length > 0 && {
      variant_attributes: Object.fromEntries(attributes),
      variant_name: attributes.map(([, value]) => value).join(' / '),
    }),
    ...(isOwn && {
      media: pictures(
        valuesOf(record.text('Images'))
          .slice(0, 1)
          .map((url) => ({ url })),
        here,
      ),
    }),
  };
};

const categoriesOf = (record: TableRecord, place: FieldContext): { category: string | null; collections: string[] } => {
  const [first, ...others] = listOf(record.text('Categories'), /(?<!\\),/).map((path) => listOf(path, '>').map(plain));
  return {
    category: categoryPath(first ?? [], place),
    collections: [...new Set(others.flatMap((path) => path.at(-1) ?? []))],
  };
};

const productOf = ({ parent, variations }: Group, unit: string, notes: Notes): FoundProduct => {
  const id = idOf(parent);
  const place = { notes, row: parent.row, id };
  const name = decodeHTMLStrict(parent.text('Name'));
  const handle = handleOf(name) || id;
  const { category, collections } = categoriesOf(parent, place);
  const isVariable = kindOf(parent) === 'variable';
  if (isVariable && variations.length === 0)
    notes.field(parent.row, id, 'variants', 'The file has no variation of it: it is brought without a price.');
  if (parent.text('Description') !== '' && parent.text('Short description') !== '')
    notes.loss(place, 'Short description', 'A product has one description here; the short one is left out');
  const brands = valuesOf(parent.text('Brands', 'Brand'));
  if (brands.length > 1) notes.loss(place, 'Brands', 'A product has one brand here; further ones are left out');
  if (!isPublished(parent)) notes.loss(place, 'Published', LOSS.unpublished);
  const attributes = Object.fromEntries(isVariable && variations.length > 0 ? [] : attributesOf(parent));
  const product = withVariants(
    {
      external_id: id,
      name,
      description: withLines(parent.text('Description', 'Short description')),
      category,
      brand: brands[0] ?? null,
      tags: valuesOf(parent.text('Tags')),
      featured: truthOf(parent.text('Is featured?')),
      is_active: isPublished(parent),
      ...(/\bvirtual\b/i.test(parent.text('Type')) && { shipping_info: { requires_shipping: false } }),
      media: pictures(
        valuesOf(parent.text('Images')).map((url) => ({ url })),
        place,
      ),
      ...(Object.keys(attributes).length > 0 && { attributes }),
    },
    skuOf(parent) || handle,
    (variations.length > 0 ? variations : [parent]).map((record) => variantOf(record, parent, unit, place)),
  );
  return { row: parent.row, handle, product, collections };
};
