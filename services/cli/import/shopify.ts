// Reads Shopify's exports. Products have a row per variant and per further picture, grouped by handle; customers are a
// file of their own.
import { EMPTY, type FoundProduct, type ImportedCatalogue, type VariantRow, withVariants } from './catalogue.ts';
import {
  attributeName,
  categoryPath,
  type FieldContext,
  gramsOf,
  gtinOf,
  LOSS,
  listOf,
  Notes,
  numberOf,
  pictures,
  pricesOf,
  stockOf,
  truthOf,
} from './field.ts';
import { readTable, type Table, type TableRecord } from './table.ts';
import { ANY, type Harmless, noteUnread } from './unread.ts';

const OPTIONS = [1, 2, 3];
const QUANTITY = ['Variant Inventory Qty', 'Inventory quantity'];
const PRODUCT_HARMLESS: Harmless = [
  [/^(Variant )?Fulfillment service$/i, /^manual$/i],
  [/^(Variant Taxable|Charge tax|Included \/ .*)$/i, /^true$/i],
  [/^(Variant Weight Unit|Weight unit for display|Google Shopping \/ Custom Product)$/i, ANY],
];
const CUSTOMER_HARMLESS: Harmless = [
  [/^(Accepts (Email |SMS )?Marketing|Tax Exempt)$/i, /^(no|false)$/i],
  [/^Total (Spent|Orders)$/i, /^0*(\.0*)?$/],
  [/^(Default Address )?(Country|Province)$/i, ANY],
];

export const readShopify = (source: string): ImportedCatalogue => {
  const table = readTable(source);
  if (table.has('Handle') || table.has('URL handle')) return products(table);
  // A file with first names contains customers; an export of orders has none.
  if (table.has('Email') && table.has('First Name')) return customers(table);
  return {
    ...EMPTY,
    problems: [
      {
        row: 1,
        id: null,
        param: null,
        whole: true,
        message: 'The first line names neither Handle, as of products, nor First Name and Email, as of customers.',
      },
    ],
  };
};

const products = (table: Table): ImportedCatalogue => {
  const notes = new Notes();
  const groups = new Map<string, TableRecord[]>();
  for (const record of table.records) {
    const handle = record.text('Handle', 'URL handle');
    if (handle === '') notes.whole(record.row, null, 'Handle', 'The row has no handle.');
    else if (groups.get(handle)?.push(record) === undefined) groups.set(handle, [record]);
  }
  const found = [...groups].map(([handle, rows]) => productOf(handle, rows, notes));
  noteUntracked(table, groups, notes);
  noteUnread(notes, table.unread(), PRODUCT_HARMLESS);
  return { ...EMPTY, products: found, problems: notes.problems };
};

const noteUntracked = (table: Table, groups: ReadonlyMap<string, readonly TableRecord[]>, notes: Notes): void => {
  const tracker = ['Variant Inventory Tracker', 'Inventory tracker'].find(table.has);
  if (tracker === undefined) return;
  for (const [id, rows] of groups)
    for (const record of rows.filter(isVariant))
      if (record.text(tracker) === '' && record.text(...QUANTITY) !== '')
        notes.loss({ row: record.row, id }, tracker, LOSS.untracked);
};

const optionNames = (first: TableRecord): string[] =>
  OPTIONS.map((at) => first.text(`Option${at} Name`)).map((name, index) => name || `option_${index + 1}`);

const variantOf = (record: TableRecord, names: readonly string[], place: FieldContext): VariantRow => {
  const here = { ...place, row: record.row };
  const number = (column: string, param: string, other = column) => numberOf(record.text(column, other), param, here);
  const values = names.flatMap((name, index) => {
    const value = record.text(`Option${index + 1} Value`);
    return value === '' || value === 'Default Title' ? [] : [[attributeName(name), value] as const];
  });
  const stock = stockOf(record.text(...QUANTITY), 'stock', here);
  if (stock === undefined) here.notes.loss(here, 'stock', LOSS.quantity);
  if (/^(continue|true|yes)$/i.test(record.text('Variant Inventory Policy', 'Continue selling when out of stock')))
    here.notes.loss(here, 'Variant Inventory Policy', LOSS.backorders);
  return {
    sku: record.text('Variant SKU', 'SKU').replace(/^'/, '') || null,
    ...pricesOf(
      number('Variant Price', 'price', 'Price'),
      number('Variant Compare At Price', 'price', 'Compare-at price'),
    ),
    stock,
    weight_grams: gramsOf(record.text('Variant Grams', 'Weight value (grams)'), 'g', here),
    ...gtinOf(record.text('Variant Barcode', 'Barcode'), here),
    ...(values.length > 0 && {
      variant_attributes: Object.fromEntries(values),
      variant_name: values.map(([, value]) => value).join(' / '),
    }),
    media: pictures(
      [record.text('Variant Image', 'Variant image URL')].filter(Boolean).map((url) => ({ url })),
      here,
    ),
  };
};

const isVariant = (record: TableRecord): boolean =>
  record.text('Option1 Value', 'Variant Price', 'Price', 'Variant SKU', 'SKU') !== '';

const activeOf = (first: TableRecord, place: FieldContext): boolean => {
  const status = first.text('Status').toLowerCase();
  const published = first.text('Published', 'Published on online store');
  const isActive = status === '' || status === 'active';
  const isPublished = published === '' || truthOf(published);
  if (!isActive) place.notes.loss(place, 'Status', LOSS.status(status));
  else if (!isPublished) place.notes.loss(place, 'Published', LOSS.unpublished);
  return isActive && isPublished;
};

const categoryOf = (first: TableRecord, place: FieldContext): string | null => {
  const [top = '', ...below] = first.text('Product Category').split(' > ');
  const type = first.text('Type');
  return categoryPath(
    [top, ...(type === '' ? below : [type])].filter((name, at) => at === 0 || name !== top),
    place,
  );
};

const productOf = (handle: string, records: readonly TableRecord[], notes: Notes): FoundProduct => {
  const first = records.find((record) => record.text('Title') !== '') ?? records[0]!;
  const place = { notes, row: first.row, id: handle };
  for (const record of records)
    if (record !== first && record.text('Title') !== '')
      notes.field(
        record.row,
        handle,
        'Title',
        `“${record.text('Title')}” has the handle of row ${first.row}: it is brought as one of its variants.`,
      );
  const names = optionNames(first);
  const shown = records
    .map((record, index) => ({
      url: record.text('Image Src', 'Product image URL'),
      alt: record.text('Image Alt Text'),
      position: Number(record.text('Image Position')) || index + 1,
      row: record.row,
    }))
    .filter(({ url }) => url !== '')
    .sort((a, b) => a.position - b.position);
  if (truthOf(first.text('Gift Card')))
    notes.field(first.row, handle, 'Gift Card', 'A gift card is brought as a product that is sold, not as money.');
  const variants = records.filter((record, index) => index === 0 || isVariant(record));
  const product = withVariants(
    {
      external_id: handle,
      name: first.text('Title'),
      description: first.text('Body (HTML)', 'Description'),
      category: categoryOf(first, place),
      brand: first.text('Vendor') || null,
      tags: listOf(first.text('Tags')),
      seo_title: first.text('SEO Title') || null,
      seo_description: first.text('SEO Description') || null,
      google_product_category: first.text('Google Shopping / Google Product Category') || null,
      is_active: activeOf(first, place),
      shipping_info: {
        requires_shipping: !/^false$/i.test(first.text('Variant Requires Shipping', 'Requires shipping')),
      },
      media: pictures(shown, place),
    },
    handle,
    variants.map((record) => variantOf(record, names, place)),
  );
  return { row: first.row, handle, product, collections: listOf(first.text('Collection'), /[,;]/) };
};

const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const customers = (table: Table): ImportedCatalogue => {
  const notes = new Notes();
  const found = table.records.flatMap((record) => {
    const text = (...names: string[]): string => onOneLine(record.text(...names));
    const email = text('Email');
    if (email === '') {
      notes.whole(record.row, text('Customer ID') || null, 'email', 'The customer has no e-mail address.');
      return [];
    }
    const country = text('Default Address Country Code', 'Country Code');
    const line1 = text('Default Address Address1', 'Address1');
    const city = text('Default Address City', 'City');
    const whole = line1 !== '' && city !== '' && /^[A-Za-z]{2}$/.test(country);
    if (!whole && (line1 || city || country))
      notes.field(record.row, email, 'addresses', 'An address needs a street, a city and a country code.');
    const id = text('Customer ID').replace(/^'/, '');
    const customer = {
      email,
      ...(id && { external_id: id }),
      first_name: text('First Name') || null,
      last_name: text('Last Name') || null,
      phone: text('Phone', 'Default Address Phone').replace(/^'/, '') || null,
      addresses: whole
        ? [
            {
              line1,
              line2: text('Default Address Address2', 'Address2') || null,
              company: text('Default Address Company', 'Company') || null,
              city,
              state: text('Default Address Province Code', 'Province Code') || null,
              postal_code: text('Default Address Zip', 'Zip').replace(/^'/, '') || null,
              country: country.toUpperCase(),
            },
          ]
        : [],
      metadata: tagged(text('Tags'), { notes, row: record.row, id: email }),
    };
    return [{ row: record.row, customer }];
  });
  noteUnread(notes, table.unread(), CUSTOMER_HARMLESS);
  return { ...EMPTY, customers: found, problems: notes.problems };
};

const TAGS_MAX = 500;

const tagged = (tags: string, place: FieldContext): Record<string, string> => {
  if (tags.length > TAGS_MAX) place.notes.loss(place, 'Tags', `Tags beyond ${TAGS_MAX} characters are left out`);
  return tags === '' ? {} : { tags: tags.slice(0, TAGS_MAX) };
};
