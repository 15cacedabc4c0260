// Reads files that `stoa export` writes: JSON with lists, or one object per line with its `kind`.
import { SetupError } from '#services/cli/local/child.ts';
import { parseExact } from '#values/numeral.ts';
import {
  type CategoryRow,
  type CollectionRow,
  type CustomerRow,
  EMPTY,
  type FoundCustomer,
  type FoundProduct,
  type ImportedCatalogue,
  type ImportedProduct,
  withVariants,
} from './catalogue.ts';
import { Notes } from './field.ts';
import { noteUnread, unreadOf } from './unread.ts';

const LISTS = {
  products: 'product',
  categories: 'category',
  collections: 'collection',
  customers: 'customer',
} as const;

const CATEGORY_FIELDS = new Set(['name', 'description', 'subcategories']);

interface Entry {
  readonly row: number;
  readonly kind: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
};

const entriesOf = (source: string, notes: Notes): Entry[] => {
  const entry = (value: unknown, row: number, kind: string | null): Entry[] => {
    if (isObject(value)) return [{ row, kind: kind ?? String(value.kind ?? 'product'), value }];
    notes.damaged(row, null, null, 'This is no JSON object.');
    return [];
  };
  const whole = parsed(source);
  if (Array.isArray(whole)) return whole.flatMap((value, index) => entry(value, index + 1, null));
  if (isObject(whole) && Object.keys(LISTS).some((name) => Array.isArray(whole[name])))
    return Object.entries(LISTS).flatMap(([name, kind]) =>
      [whole[name] ?? []].flat().flatMap((value, index) => entry(value, index + 1, kind)),
    );
  if (isObject(whole)) return entry(whole, 1, null);
  const lines = source.split('\n').map((line, index) => [line.trim(), index + 1] as const);
  const found = lines.filter(([line]) => line !== '').flatMap(([line, row]) => entry(parsed(line), row, null));
  if (found.length === 0)
    throw new SetupError(
      'The file is neither JSON nor one JSON object a line: it is cut off or damaged. Export it again.',
    );
  return found;
};

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const categoryOf = (name: string, { description, subcategories }: Readonly<Record<string, unknown>>): CategoryRow => ({
  name,
  description: typeof description === 'string' ? description : null,
  subcategories: [subcategories ?? []].flat().flatMap((sub: unknown) => {
    const called = isObject(sub) ? sub.name : sub;
    return typeof called === 'string' ? [{ name: called }] : [];
  }),
});

export const readOwn = (source: string): ImportedCatalogue => {
  const notes = new Notes();
  const products: FoundProduct[] = [];
  const categories: CategoryRow[] = [];
  const collections: CollectionRow[] = [];
  const customers: FoundCustomer[] = [];
  for (const { row, kind, value } of entriesOf(source, notes)) {
    const { kind: _kind, handle: given, collections: within, ...rest } = value;
    const name = typeof rest.name === 'string' ? rest.name : null;
    if (kind === 'product') {
      if (typeof rest.external_id !== 'string' || rest.external_id === '') {
        notes.whole(row, name, 'external_id', '`external_id` is required.');
        continue;
      }
      // Unchecked here: rule.ts checks every field before the product is sent.
      const product = rest as unknown as ImportedProduct;
      const handle = typeof given === 'string' ? given : product.external_id;
      const sold = rest.variants || product.sku ? product : withVariants(product, handle, [{}]);
      products.push({ row, handle, product: sold, collections: texts(within) });
    } else if (kind === 'customer') {
      if (typeof rest.email === 'string') customers.push({ row, customer: rest as unknown as CustomerRow });
      else notes.whole(row, null, 'email', '`email` is required.');
    } else if (kind === 'category' || kind === 'collection') {
      if (name === null) notes.whole(row, null, 'name', '`name` is required.');
      else if (kind === 'category') {
        categories.push(categoryOf(name, rest));
        noteUnread(notes, unreadOf(rest, row, CATEGORY_FIELDS), []);
      } else collections.push(rest as unknown as CollectionRow);
    } else notes.whole(row, name, 'kind', `A line of kind "${kind}" is not known here.`);
  }
  return { ...EMPTY, products, categories, collections, customers, problems: notes.problems };
};
