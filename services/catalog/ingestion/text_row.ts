// Converts the named texts of CSV and XML to a typed row, and renames a document's fields to Stoa's.
import { Kind, type TSchema } from '@sinclair/typebox';
import type { Currency } from '#values/currency.ts';
import { plainNumber } from '#values/numeral.ts';
import { ROW_FIELDS } from './intake.ts';
import { BadRow } from './source_row.ts';

export const MEMBER = /^(attributes|variant_attributes)\.(.+)$/s;

/** Sets a field of the row; a name such as `attributes.colour` sets the member `colour` of the object `attributes`. */
const assignField = (row: Record<string, unknown>, name: string, value: unknown): void => {
  const [, object, key] = MEMBER.exec(name) ?? [];
  if (object === undefined || key === undefined) {
    row[name] = value;
    return;
  }
  row[object] ??= {};
  // Uses defineProperty, because assignment would not create a key such as `__proto__`. If the row's value is no
  // object, validation refuses it later.
  if (typeof row[object] === 'object')
    Object.defineProperty(row[object], key, { value, enumerable: true, writable: true, configurable: true });
};

/**
 * Renames fields by `mapping`, from Stoa's name to the document's; the feed's owner configured it. Omits fields that
 * the document lacks.
 */
export const mapped = (
  fields: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
): Record<string, unknown> => {
  const row: Record<string, unknown> = { ...fields };
  for (const [ours, theirs] of Object.entries(mapping))
    if (Object.hasOwn(fields, theirs)) assignField(row, ours, fields[theirs]);
  return row;
};

const ALIASES: Readonly<Record<string, string>> = {
  id: 'external_id',
  title: 'name',
  product_type: 'category',
  image_link: 'media',
  image_url: 'media',
  additional_image_link: 'media',
  quantity: 'stock',
  color: 'variant_attributes.colour',
  size: 'variant_attributes.size',
  material: 'variant_attributes.material',
  pattern: 'variant_attributes.pattern',
  gender: 'variant_attributes.gender',
  age_group: 'variant_attributes.age_group',
};

const TRUE = new Set(['true', 'yes', '1']);
const FALSE = new Set(['false', 'no', '0']);
const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;
const AMOUNT = /^(\d{1,15}(?:\.\d{1,10})?)\s*([A-Za-z]{3})?$/;
const WEIGHT = /^(\d{1,9}(?:\.\d{1,6})?)\s*(g|kg|lb|oz)$/i;
const GRAMS: Readonly<Record<string, number>> = { g: 1, kg: 1_000, lb: 453.592_37, oz: 28.349_523_125 };

export interface TextRowOptions {
  readonly mapping: Readonly<Record<string, string>>;
  readonly currency: Currency;
}

const fieldOf = (name: string): { schema: TSchema; nullable: boolean } | null => {
  const schema = Object.hasOwn(ROW_FIELDS, name) ? ROW_FIELDS[name]! : null;
  if (schema === null) return null;
  if (schema[Kind] !== 'Union' || !schema.anyOf.some((one: TSchema) => one[Kind] === 'Null'))
    return { schema, nullable: false };
  return { schema: schema.anyOf[0], nullable: true };
};

const listOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(text.includes('|') ? '|' : ',').map((part) => part.trim())).filter(Boolean);

const addressesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(/\||,\s*(?=https?:\/\/)|\s+/)).filter(Boolean);

/** Returns a text that cannot be parsed unchanged, so that validation reports it. */
const parseValue = (name: string, schema: TSchema, texts: readonly string[]): unknown => {
  const text = texts[0]!;
  switch (schema[Kind]) {
    case 'Number':
    case 'Integer':
      return NUMBER.test(text) ? plainNumber(text) : text;
    case 'Boolean':
      return TRUE.has(text.toLowerCase()) ? true : FALSE.has(text.toLowerCase()) ? false : text;
    case 'Array':
      return name === 'media' ? addressesOf(texts).map((url) => ({ url })) : listOf(texts);
    default:
      return text;
  }
};

/**
 * Converts one row. Names are compared in lower case, with `_` between words; `attributes.…` and `variant_attributes.…`
 * set members of these objects. An empty text sets a nullable field to null; for other fields it is ignored. A price
 * may contain a currency, a weight a unit. If a row has `availability: out of stock` and no quantity, its stock becomes
 * 0.
 */
export const textRow = (
  texts: ReadonlyMap<string, readonly string[]>,
  { mapping, currency }: TextRowOptions,
): Record<string, unknown> | BadRow => {
  const row: Record<string, unknown> = {};
  const collected = new Map<string, string[]>();
  const collect = (name: string, values: readonly string[]): void => {
    const before = collected.get(name);
    if (before === undefined) collected.set(name, [...values]);
    else before.push(...values);
  };
  for (const [name, values] of texts) {
    const alias = ALIASES[name];
    if (alias === undefined || texts.has(alias)) collect(name, values);
    else collect(alias, values);
  }
  const named = new Map([...texts].map(([name, values]) => [normalName(name), values]));
  for (const [ours, theirs] of Object.entries(mapping)) {
    const values = named.get(normalName(theirs));
    if (values !== undefined) collected.set(ours, [...values]);
  }

  const idText = collected.get('external_id')?.[0] ?? '';
  const bad = (message: string, param: string): BadRow => new BadRow(message, param, idText || null);
  for (const [name, all] of collected) {
    const values = all.filter((value) => value !== '');
    if (values.some((value) => value.includes('\0') || !value.isWellFormed()))
      return bad('Texts must not contain NUL or a lone surrogate.', name);
    const [first = ''] = values;
    if (name === 'price' || name === 'sale_price') {
      const [, amount, code] = AMOUNT.exec(first) ?? [];
      if (code !== undefined && code.toUpperCase() !== currency.code)
        return bad(`The amount is in ${code.toUpperCase()}; the store's currency is ${currency.code}.`, name);
      row[name] = first === '' ? null : amount === undefined ? first : (plainNumber(amount) ?? first);
    } else if (name === 'shipping_weight' || name === 'weight_grams') {
      const [, amount, unit] = WEIGHT.exec(first) ?? [];
      if (amount !== undefined) row.weight_grams = Math.round(Number(amount) * GRAMS[unit!.toLowerCase()]!);
      else if (name === 'weight_grams')
        row[name] = NUMBER.test(first) ? plainNumber(first) : first === '' ? null : first;
    } else if (name === 'availability') {
      if (/^out[ _]of[ _]stock$/i.test(first) && !collected.has('stock')) row.stock = 0;
    } else if (MEMBER.test(name)) {
      if (first !== '') assignField(row, name, first);
    } else {
      const field = fieldOf(name);
      if (field === null) continue;
      if (first === '') {
        if (field.nullable) row[name] = null;
      } else row[name] = parseValue(name, field.schema, values);
    }
  }
  return row;
};

/**
 * Normalises names such as `Sale Price` and `sale-price` to `sale_price`; a dot and the key after it stay unchanged.
 */
export const normalName = (name: string): string => {
  const [, head = '', tail = ''] = /^([^.]*)(\..*)?$/s.exec(name.trim()) ?? [];
  return head.toLowerCase().replace(/[\s_-]+/g, '_') + tail;
};
