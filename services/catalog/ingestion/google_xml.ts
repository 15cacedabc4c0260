// Reads a shopping-channel feed: RSS or Atom items with `g:` fields. Items of one group are variants of one product.

import { XMLParser } from 'fast-xml-parser';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { BadRow, BrokenDocument, documentText, type SourceRow } from './source_row.ts';
import { type TextRowOptions, textRow } from './text_row.ts';

const VARIANT_FIELDS = [
  'price',
  'sale_price',
  'stock',
  'condition',
  'gtin',
  'mpn',
  'weight_grams',
  'dimensions_cm',
  'variant_attributes',
  'low_stock_threshold',
];
const ROOTS = new Set(['rss', 'feed', 'RDF']);
const ITEMS = new Set(['item', 'entry']);
const ITEMS_PER_YIELD = 100;

// The parser refuses document type declarations, so only XML's predefined entities can occur.
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: 20,
});

const broken = (): BrokenDocument => new BrokenDocument('The file is not valid XML.');

const after = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  if (at < 0) throw broken();
  return at + mark.length;
};

const tagEnd = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") at = after(text, character, at + 1) - 1;
    else if (character === '>') return at + 1;
  }
  throw broken();
};

const TAG = /<(\/?)(?:[\w.-]+:)?([\w.-]+)/y;

function* xmlItems(text: string): Generator<string> {
  let root = '';
  let closed = false;
  let from = -1;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at);
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at);
    else if (text.startsWith('<!', at)) throw new BrokenDocument('A document type is not accepted.');
    else {
      TAG.lastIndex = at;
      const [, slash, name = ''] = TAG.exec(text) ?? [];
      if (slash === undefined) throw broken();
      const start = at;
      at = tagEnd(text, at);
      if (root === '') {
        if (!ROOTS.has(name)) throw new BrokenDocument('The file is neither RSS nor Atom.');
        root = name;
      } else if (ITEMS.has(name)) {
        if (slash === '') from = start;
        else if (from >= 0) {
          yield text.slice(from, at);
          from = -1;
        }
      } else if (slash !== '' && name === root) closed = true;
    }
  }
  if (!closed || from >= 0) throw broken();
}

const textsOf = (item: string): Map<string, string[]> | null => {
  let fields: unknown;
  try {
    fields = Object.values(parser.parse(item) as object)[0];
  } catch {
    return null;
  }
  if (typeof fields !== 'object' || fields === null) return new Map();
  return new Map(
    Object.entries(fields).map(([name, value]) => [
      name,
      [value].flat().filter((one): one is string => typeof one === 'string'),
    ]),
  );
};

type Row = Record<string, unknown>;

export async function* googleXmlRows(bytes: Uint8Array, options: TextRowOptions): AsyncGenerator<SourceRow> {
  const groups = new Map<string, Row[]>();
  const order: (BadRow | Row[])[] = [];
  let items = 0;
  for (const item of xmlItems(documentText(bytes))) {
    if (++items % ITEMS_PER_YIELD === 0) await yieldToEventLoop();
    const texts = textsOf(item);
    const row = texts === null ? new BadRow('The item is not valid XML.') : textRow(texts, options);
    if (row instanceof BadRow) {
      order.push(row);
      continue;
    }
    row.sku ??= row.external_id;
    const group = texts?.get('item_group_id')?.[0];
    const known = group ? groups.get(group) : undefined;
    if (known) known.push(row);
    else {
      const members = [row];
      order.push(members);
      if (group) groups.set(group, members);
    }
  }
  const names = new Map([...groups].map(([group, members]) => [members, group]));
  for (const entry of order) {
    if (entry instanceof BadRow) yield entry;
    else yield productOf(entry, names.get(entry) ?? null);
  }
}

const productOf = (members: readonly Row[], group: string | null): Row => {
  const first = members[0]!;
  if (group === null) return first;
  if (members.length === 1) return { ...first, external_id: group };
  const product: Row = { ...first, external_id: group };
  for (const field of ['sku', ...VARIANT_FIELDS]) delete product[field];
  product.variants = members.map((member) => {
    const variant: Row = { sku: member.sku };
    for (const field of VARIANT_FIELDS) if (member[field] !== undefined) variant[field] = member[field];
    if (member.media !== undefined) variant.media = member.media;
    const words = Object.values((member.variant_attributes ?? {}) as Row);
    if (words.length > 0) variant.variant_name = words.join(' / ');
    return variant;
  });
  return product;
};
