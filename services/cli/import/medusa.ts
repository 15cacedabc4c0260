// Medusa's products: its CSV export, one row a variant, or the JSON that its admin API answers.
import { SetupError } from '#services/cli/local/child.ts';
import { parseExact } from '#values/numeral.ts';
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import {
  attributeName,
  type FieldContext,
  gtinOf,
  handleOf,
  listOf,
  Notes,
  numberOf,
  pictures,
  stockOf,
} from './field.ts';
import { readTable, type Table, type TableRecord } from './table.ts';

/** Variants cost in many currencies there; those of `currency` count. */
export const readMedusa = (source: string, currency: string): ImportedCatalogue =>
  /^\s*[[{]/.test(source) ? readJson(source, currency) : readCsv(source, currency);

// ── CSV ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `Variant Price USD`, or with a region: `Variant Price EU [EUR]`. */
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
      category:
        categories
          .find(Boolean)
          ?.split('>')
          .map((part) => part.trim())
          .slice(0, 2)
          .join(' > ') ||
        text('Product Type') ||
        null,
      tags: listOf([...numbered(table, /^Product Tags?( \d+)?$/i).map((column) => text(column))].join(',')),
      is_active: text('Product Status') === '' || text('Product Status') === 'published',
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

interface Sold {
  readonly sku: string;
  readonly title: string;
  readonly gtin: string;
  readonly price: number | undefined;
  readonly stock: number | undefined;
  readonly weight: number | undefined;
  readonly options: readonly (readonly [string, string])[];
}

const variantRow = ({ sku, title, gtin, price, stock, weight, options }: Sold, place: FieldContext): VariantRow => {
  if (price === undefined)
    place.notes.field(place.row, place.id, 'price', `A variant of it has no price: ${sku || title}.`);
  if (stock === undefined)
    place.notes.field(place.row, place.id, 'stock', 'The file tells no quantity: it is brought without a stock.');
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

// ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listIn = (value: Json, name: string): Json[] => [value[name] ?? []].flat().filter(isJson);
const textIn = (value: Json | undefined, ...names: readonly string[]): string =>
  names.map((name) => value?.[name]).find((found): found is string => typeof found === 'string' && found !== '') ?? '';
const numberIn = (value: Json, name: string): number | undefined => {
  const found = value[name];
  return typeof found === 'number' ? found : undefined;
};

const readJson = (source: string, currency: string): ImportedCatalogue => {
  const notes = new Notes();
  let whole: unknown;
  try {
    whole = parseExact(source);
  } catch (problem) {
    throw new SetupError(`The file is not valid JSON: ${(problem as Error).message}`);
  }
  const listed: unknown = isJson(whole) ? whole.products : whole;
  if (!Array.isArray(listed)) throw new SetupError('The file has no list of products.');
  const products = listed.flatMap((value: unknown, index) => {
    if (isJson(value) && textIn(value, 'handle', 'id') !== '') return [fromObject(value, index + 1, currency, notes)];
    notes.whole(index + 1, null, 'handle', 'The product has neither a handle nor an id.');
    return [];
  });
  return { ...EMPTY, products, problems: notes.problems };
};

/** A product's options are a list of title and value on each of its variants. */
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
    const price = listIn(variant, 'prices').find((one) => textIn(one, 'currency_code').toUpperCase() === currency);
    return variantRow(
      {
        sku: textIn(variant, 'sku'),
        title: textIn(variant, 'title'),
        gtin: textIn(variant, 'barcode', 'ean', 'upc'),
        price: price && numberIn(price, 'amount'),
        stock: numberIn(variant, 'inventory_quantity'),
        weight: numberIn(variant, 'weight') ?? numberIn(value, 'weight'),
        options: optionsIn(variant),
      },
      place,
    );
  });
  const [category] = listIn(value, 'categories');
  const parent = category && isJson(category.parent_category) ? category.parent_category : undefined;
  const images = [textIn(value, 'thumbnail'), ...listIn(value, 'images').map((image) => textIn(image, 'url'))];
  const product = withVariants(
    {
      external_id: place.id,
      name: textIn(value, 'title'),
      description: textIn(value, 'description'),
      category: [textIn(parent, 'name'), textIn(category, 'name')].filter(Boolean).join(' > ') || null,
      tags: listIn(value, 'tags')
        .map((tag) => textIn(tag, 'value'))
        .filter(Boolean),
      is_active: textIn(value, 'status') === '' || textIn(value, 'status') === 'published',
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
