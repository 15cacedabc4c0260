// Reads Medusa's products: its CSV export with one row per variant, or the JSON of its admin API.
import { SetupError } from '#services/cli/local/child.ts';
import { parseExact } from '#values/numeral.ts';
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import {
  attributeName,
  categoryPath,
  type FieldContext,
  gtinOf,
  handleOf,
  LOSS,
  listOf,
  Notes,
  numberOf,
  pictures,
  stockOf,
  truthOf,
} from './field.ts';
import { readTable, type Table, type TableRecord } from './table.ts';
import { ANY, type Harmless, noteUnread, unreadOf } from './unread.ts';

/** Ignored fields: ids, times, and values that every product of Medusa has. */
const HARMLESS: Harmless = [
  [/(^| )ids?$|_ids?$| at$|_at$|^(Product Profile|raw_|product$|type$|profile$)/i, ANY],
  [/^(Product Discountable|discountable)$/i, /^true$/i],
  [/^Product Is Giftcard$/i, /^false$/i],
  [/^(variant_rank|collection_handle)$/i, ANY],
];

export const readMedusa = (source: string, currency: string): ImportedCatalogue =>
  /^\s*[[{]/.test(source) ? readJson(source, currency) : readCsv(source, currency);

/** Finds `Variant Price USD` or, with a region, `Variant Price EU [EUR]`. */
const priceColumn = ({ columns }: Table, currency: string): string | null => {
  const prices = columns.filter((name) => /^Variant Price /i.test(name));
  const codeOf = (name: string): string => (/\[(\w{3})\]$/.exec(name)?.[1] ?? name.slice(-3)).toUpperCase();
  const plain = prices.filter((name) => !name.includes('['));
  return [...plain, ...prices].find((name) => codeOf(name) === currency) ?? null;
};

const numbered = (table: Table, pattern: RegExp): string[] => table.columns.filter((name) => pattern.test(name));

const readCsv = (source: string, currency: string): ImportedCatalogue => {
  const table = readTable(source);
  const notes = new Notes();
  const groups = new Map<string, TableRecord[]>();
  for (const record of table.records) {
    const key = record.text('Product Handle', 'Product Id');
    if (key === '') notes.whole(record.row, null, 'Product Handle', 'The row has neither a handle nor an id.');
    else if (groups.get(key)?.push(record) === undefined) groups.set(key, [record]);
  }
  const price = priceColumn(table, currency);
  if (price === null) notes.field(1, currency, 'price', `The file has no prices in ${currency}.`);
  const products = [...groups].map(([key, rows]) => fromRows(key, rows, table, price, notes));
  noteUnread(notes, table.unread(), HARMLESS);
  return { ...EMPTY, products, problems: notes.problems };
};

const optionsOf = (record: TableRecord, table: Table): [string, string][] =>
  numbered(table, /^Variant Option \d+ Name$/i).flatMap((column) => {
    const name = record.text(column);
    const value = record.text(column.replace(/Name$/i, 'Value'));
    return name === '' || value === '' ? [] : [[attributeName(name), value] as [string, string]];
  });

const fromRows = (
  key: string,
  records: readonly TableRecord[],
  table: Table,
  price: string | null,
  notes: Notes,
): FoundProduct => {
  const first = records[0]!;
  const place = { notes, row: first.row, id: key };
  const text = first.text;
  const handle = text('Product Handle') || handleOf(text('Product Title'));
  const categories = numbered(table, /^Product Category \d+( Name)?$/i).map((column) => text(column));
  const variants = records.map((record): VariantRow => {
    const here = { ...place, row: record.row };
    return variantRow(
      {
        sku: record.text('Variant Sku'),
        title: record.text('Variant Title'),
        gtin: record.text('Variant Barcode', 'Variant Ean', 'Variant Upc'),
        price: price === null ? undefined : numberOf(record.text(price), 'price', here),
        stock: stockOf(record.text('Variant Inventory Quantity'), 'stock', here),
        isCounted: !/^false$/i.test(record.text('Variant Manage Inventory')),
        hasBackorders: truthOf(record.text('Variant Allow Backorder')),
        weight: numberOf(record.text('Variant Weight') || text('Product Weight'), 'weight_grams', here),
        options: optionsOf(record, table),
      },
      here,
    );
  });
  const images = [
    text('Product Thumbnail'),
    ...numbered(table, /^Product Image \d+( Url)?$/i).map((column) => text(column)),
  ];
  const product = withVariants(
    {
      external_id: text('Product Id') || key,
      name: text('Product Title'),
      description: text('Product Description'),
      category: categoryOf(
        categories.filter(Boolean).map((path) => path.split('>')),
        text('Product Type'),
        place,
      ),
      tags: listOf([...numbered(table, /^Product Tags?( \d+)?$/i).map((column) => text(column))].join(',')),
      is_active: activeOf(text('Product Status'), place),
      media: pictures(
        images.filter(Boolean).map((url) => ({ url })),
        place,
      ),
    },
    handle,
    variants,
  );
  const collection = text('Product Collection Title', 'Product Collection Handle');
  return { row: first.row, handle, product, collections: collection ? [collection] : [] };
};

const activeOf = (status: string, place: FieldContext): boolean => {
  const isActive = status === '' || status.toLowerCase() === 'published';
  if (!isActive) place.notes.loss(place, 'status', LOSS.status(status));
  return isActive;
};

const categoryOf = (paths: readonly (readonly string[])[], type: string, place: FieldContext): string | null => {
  if (paths.length > 1)
    place.notes.loss(place, 'category', 'A product has one category here; further ones are left out');
  return categoryPath(paths[0] ?? [], place) ?? (type || null);
};

interface Sold {
  readonly sku: string;
  readonly title: string;
  readonly gtin: string;
  readonly price: number | undefined;
  readonly stock: number | undefined;
  readonly isCounted: boolean;
  readonly hasBackorders: boolean;
  readonly weight: number | undefined;
  readonly options: readonly (readonly [string, string])[];
}

const variantRow = (sold: Sold, place: FieldContext): VariantRow => {
  const { sku, title, gtin, price, stock, weight, options } = sold;
  if (price === undefined)
    place.notes.field(place.row, place.id, 'price', `A variant of it has no price: ${sku || title}.`);
  if (stock === undefined) place.notes.loss(place, 'stock', LOSS.quantity);
  else if (!sold.isCounted) place.notes.loss(place, 'manage_inventory', LOSS.untracked);
  if (sold.hasBackorders) place.notes.loss(place, 'allow_backorder', LOSS.backorders);
  return {
    sku: sku || null,
    price: price ?? null,
    stock,
    ...(weight !== undefined && { weight_grams: Math.round(weight) }),
    ...gtinOf(gtin, place),
    ...(options.length > 0 && { variant_attributes: Object.fromEntries(options) }),
    ...(title && { variant_name: title }),
  };
};

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: Json, name: string): Json[] => [value[name] ?? []].flat().filter(isJson);
const textIn = (value: Json | undefined, ...names: readonly string[]): string =>
  names.map((name) => value?.[name]).find((found): found is string => typeof found === 'string' && found !== '') ?? '';
const numberIn = (value: Json, name: string): number | undefined => {
  const found = value[name];
  return typeof found === 'number' ? found : undefined;
};

const PRODUCT_FIELDS = new Set(
  'id handle title description status thumbnail images categories collection tags type options variants weight'.split(
    ' ',
  ),
);
const VARIANT_FIELDS = new Set(
  'title sku barcode ean upc prices inventory_quantity weight options manage_inventory allow_backorder'.split(' '),
);

const readJson = (source: string, currency: string): ImportedCatalogue => {
  const notes = new Notes();
  let whole: unknown;
  try {
    whole = parseExact(source);
  } catch (problem) {
    throw new SetupError(
      `The file is cut off or damaged: it is not valid JSON (${(problem as Error).message}). Export it again.`,
    );
  }
  const listed: unknown = isJson(whole) ? whole.products : whole;
  if (!Array.isArray(listed)) throw new SetupError('The JSON has no list "products". Export the products again.');
  const products = listed.flatMap((value: unknown, index) => {
    if (isJson(value) && textIn(value, 'handle', 'id') !== '') return [fromObject(value, index + 1, currency, notes)];
    notes.whole(index + 1, null, 'handle', 'The product has neither a handle nor an id.');
    return [];
  });
  const objects = listed.map((value: unknown, index) => ({ value: isJson(value) ? value : {}, row: index + 1 }));
  const variants = objects.flatMap(({ value, row }) => listIn(value, 'variants').map((each) => ({ value: each, row })));
  noteUnread(
    notes,
    [
      ...objects.flatMap(({ value, row }) => unreadOf(value, row, PRODUCT_FIELDS)),
      ...variants.flatMap(({ value, row }) => unreadOf(value, row, VARIANT_FIELDS)),
    ],
    HARMLESS,
  );
  return { ...EMPTY, products, problems: notes.problems };
};

const optionsIn = (variant: Json): [string, string][] =>
  listIn(variant, 'options').flatMap((option) => {
    const title = textIn(isJson(option.option) ? option.option : option, 'title');
    const value = textIn(option, 'value');
    return title && value ? [[attributeName(title), value] as [string, string]] : [];
  });

const fromObject = (value: Json, row: number, currency: string, notes: Notes): FoundProduct => {
  const handle = textIn(value, 'handle') || handleOf(textIn(value, 'title'));
  const place = { notes, row, id: textIn(value, 'id') || handle };
  const variants = listIn(value, 'variants').map((variant) => {
    const prices = listIn(variant, 'prices');
    const price = prices.find((one) => textIn(one, 'currency_code').toUpperCase() === currency);
    if (prices.length > (price ? 1 : 0))
      notes.loss(place, 'prices', `Prices other than the one in ${currency} are left out`);
    return variantRow(
      {
        sku: textIn(variant, 'sku'),
        title: textIn(variant, 'title'),
        gtin: textIn(variant, 'barcode', 'ean', 'upc'),
        price: price && numberIn(price, 'amount'),
        stock: numberIn(variant, 'inventory_quantity'),
        isCounted: variant.manage_inventory !== false,
        hasBackorders: variant.allow_backorder === true,
        weight: numberIn(variant, 'weight') ?? numberIn(value, 'weight'),
        options: optionsIn(variant),
      },
      place,
    );
  });
  const paths = listIn(value, 'categories').map((category) => {
    const parent = isJson(category.parent_category) ? category.parent_category : undefined;
    return [textIn(parent, 'name'), textIn(category, 'name')];
  });
  const images = [textIn(value, 'thumbnail'), ...listIn(value, 'images').map((image) => textIn(image, 'url'))];
  const product = withVariants(
    {
      external_id: place.id,
      name: textIn(value, 'title'),
      description: textIn(value, 'description'),
      category: categoryOf(paths, isJson(value.type) ? textIn(value.type, 'value') : '', place),
      tags: listIn(value, 'tags')
        .map((tag) => textIn(tag, 'value'))
        .filter(Boolean),
      is_active: activeOf(textIn(value, 'status'), place),
      media: pictures(
        images.filter(Boolean).map((url) => ({ url })),
        place,
      ),
    },
    handle,
    variants.length > 0 ? variants : [{}],
  );
  const collection = isJson(value.collection) ? textIn(value.collection, 'title', 'handle') : '';
  return { row, handle, product, collections: collection ? [collection] : [] };
};
