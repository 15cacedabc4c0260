// Reads documents of every format into rows: valid, unusual and broken ones.
import { describe, expect, test } from 'vitest';
import { readRow, sourceRows } from '#services/catalog/ingestion/document.ts';
import {
  BadRow,
  BrokenDocument,
  type DocumentFormat,
  type DocumentOptions,
} from '#services/catalog/ingestion/source_row.ts';
import { currencyOf } from '#values/currency.ts';

const optionsOf = (format: DocumentFormat, mapping: Record<string, string> = {}): DocumentOptions => ({
  format,
  mapping,
  currency: currencyOf('USD')!,
});

/** Rows of a document; an unreadable one as `!` and its message. */
const rowsOf = async (
  format: DocumentFormat,
  document: string | Uint8Array,
  mapping?: Record<string, string>,
): Promise<unknown[]> => {
  const options = optionsOf(format, mapping);
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  const rows: unknown[] = [];
  for await (const source of sourceRows(bytes, options)) {
    const row = readRow(source, options);
    rows.push(row instanceof BadRow ? `!${row.message}` : row);
  }
  return rows;
};
const broken = (format: DocumentFormat, document: string | Uint8Array) =>
  expect(rowsOf(format, document)).rejects.toBeInstanceOf(BrokenDocument);

describe('ndjson', () => {
  test.each<[string, string, unknown[]]>([
    ['one object a line', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['lines of any end, blank ones left out', '{"a":1}\r\n\n  \t\n{"a":2}\n\n', [{ a: 1 }, { a: 2 }]],
    ['nothing', '', []],
    ['nothing but blanks', ' \n\t\n', []],
    [
      'a line that is no JSON fails alone',
      '{"a":1}\n{"a":\n{"a":3}',
      [{ a: 1 }, '!The row is not valid JSON.', { a: 3 }],
    ],
    [
      'a line that is no object fails alone',
      '[1]\n"x"\nnull\n{"a":1}',
      ['!A row must be an object.', '!A row must be an object.', '!A row must be an object.', { a: 1 }],
    ],
    [
      'a key that stands twice fails its line',
      '{"a":1,"a":2}\n{"b":1}',
      ['!The key "a" stands twice in one object.', { b: 1 }],
    ],
    ['NUL fails its line', '{"a":"\\u0000"}', ['!Texts must not contain NUL.']],
    ['a lone surrogate fails its line', '{"a":"\\ud800"}', ['!Texts must not contain a lone surrogate.']],
    [
      'deep nesting fails its line',
      `${'['.repeat(40)}${']'.repeat(40)}`,
      ['!The row is nested deeper than 32 levels.'],
    ],
  ])('%s', async (_name, document, rows) => {
    expect(await rowsOf('ndjson', document)).toEqual(rows);
  });

  test('rejects a line of more than a megabyte alone', async () => {
    const document = `{"a":"${'x'.repeat(1_048_576)}"}\n{"a":2}`;
    expect(await rowsOf('ndjson', document)).toEqual(['!A row has at most 1048576 bytes.', { a: 2 }]);
  });

  test('rejects a line of invalid UTF-8 alone', async () => {
    const document = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n{"a":2}')]);
    expect(await rowsOf('ndjson', document)).toEqual(['!The row is not valid UTF-8.', { a: 2 }]);
  });
});

describe('json', () => {
  test.each<[string, string, unknown[]]>([
    ['a bare array', '[{"a":1}, {"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['an empty array', ' [ ] ', []],
    ['the member products of an object', '{"mode":"upsert","products":[{"a":1}],"more":{"x":[1,"]"]}}', [{ a: 1 }]],
    ['a name written with escapes', '{"\\u0070roducts":[{"a":1}]}', [{ a: 1 }]],
    [
      'brackets, braces, commas and quotes in texts',
      '[{"a":"],}[{\\"\\\\"},{"b":"\\\\"}]',
      [{ a: '],}[{"\\' }, { b: '\\' }],
    ],
    [
      'elements that are no objects fail alone',
      '[1, "two", [3], null, true, {"a":1}]',
      [...Array(5).fill('!A row must be an object.'), { a: 1 }],
    ],
    [
      'an element that is no JSON fails alone',
      '[{"a":1},{"a" 2},{"a":3}]',
      [{ a: 1 }, '!The row is not valid JSON.', { a: 3 }],
    ],
    ['a byte-order mark', '\ufeff[{"a":1}]', [{ a: 1 }]],
  ])('%s', async (_name, document, rows) => {
    expect(await rowsOf('json', document)).toEqual(rows);
  });

  test.each([
    '',
    'nonsense',
    '{"mode":"upsert"}',
    '{"products":{}}',
    '[{"a":1}',
    '[{"a":1},',
    '[{"a":1}] more',
    '[{"a":"1}]',
    '[,]',
    '{"products":[{"a":1}]',
    '<html></html>',
  ])('%j is broken', async (document) => {
    await broken('json', document);
  });
});

describe('csv', () => {
  test.each<[string, string, unknown[]]>([
    [
      'types by the field',
      'external_id,name,price,stock,is_active,tags,media\nA,Shoe,19.90,5,yes,red|blue,https://x.example/1.jpg',
      [
        {
          external_id: 'A',
          name: 'Shoe',
          price: 19.9,
          stock: 5,
          is_active: true,
          tags: ['red', 'blue'],
          media: [{ url: 'https://x.example/1.jpg' }],
        },
      ],
    ],
    [
      'names in other spellings',
      'ID;Title;Sale Price;Image-Link;color\nA;Shoe;9.5;https://x.example/1.jpg;red',
      [
        {
          external_id: 'A',
          name: 'Shoe',
          sale_price: 9.5,
          media: [{ url: 'https://x.example/1.jpg' }],
          variant_attributes: { colour: 'red' },
        },
      ],
    ],
    ['tabs', 'id\tname\nA\tShoe', [{ external_id: 'A', name: 'Shoe' }]],
    [
      'attributes by their key',
      'external_id,attributes.Colour,attributes.Size\nA,red,',
      [{ external_id: 'A', attributes: { Colour: 'red' } }],
    ],
    [
      'an empty text clears what may be null and leaves the rest',
      'external_id,name,stock,sale_price,brand\nA,,,,',
      [{ external_id: 'A', sale_price: null, brand: null }],
    ],
    ['quotes, line breaks and doubled quotes', 'id,name\nA,"a, ""b""\nc"', [{ external_id: 'A', name: 'a, "b"\nc' }]],
    ['a byte-order mark and Windows line ends', '\ufeffid,name\r\nA,Shoe\r\n', [{ external_id: 'A', name: 'Shoe' }]],
    [
      'a line of another length fails alone',
      'id,name\nA\nB,Shoe\nC,Shoe,more',
      [
        '!The line has 1 fields, the first line 2.',
        { external_id: 'B', name: 'Shoe' },
        '!The line has 3 fields, the first line 2.',
      ],
    ],
    [
      'what is no number stays for the rules to refuse',
      'id,price,stock\nA,cheap,1e3',
      [{ external_id: 'A', price: 'cheap', stock: '1e3' }],
    ],
    [
      'an amount with the right currency',
      'id,price\nA,19.90 USD\nB,19.90usd',
      [
        { external_id: 'A', price: 19.9 },
        { external_id: 'B', price: 19.9 },
      ],
    ],
    [
      'an amount in another currency fails alone',
      'id,price\nA,19.90 EUR',
      ["!The amount is in EUR; the store's currency is USD."],
    ],
    [
      'weights with a unit',
      'id,weight_grams\nA,1.5 kg\nB,300\nC,2 lb',
      [
        { external_id: 'A', weight_grams: 1_500 },
        { external_id: 'B', weight_grams: 300 },
        { external_id: 'C', weight_grams: 907 },
      ],
    ],
    [
      'NUL fails its line',
      'id,name\nA,a\0b\nB,Shoe',
      ['!Texts must not contain NUL or a lone surrogate.', { external_id: 'B', name: 'Shoe' }],
    ],
    ['unknown columns are ignored', 'id,__proto__,constructor,whatever\nA,1,2,3', [{ external_id: 'A' }]],
    ['only names', 'id,name\n', []],
  ])('%s', async (_name, document, rows) => {
    expect(await rowsOf('csv', document)).toEqual(rows);
  });

  test('finds columns by the mapping', async () => {
    const mapping = { external_id: 'Artikel Nr', name: 'Bezeichnung', 'attributes.colour': 'Farbe' };
    expect(await rowsOf('csv', 'artikel-nr,BEZEICHNUNG,farbe\nA,Schuh,rot', mapping)).toEqual([
      { external_id: 'A', name: 'Schuh', attributes: { colour: 'rot' } },
    ]);
  });

  test('yields rows in order for any chunk size', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index},"näme, ${index} 😀"`);
    const rows = await rowsOf('csv', `id,name\n${lines.join('\n')}`);
    expect(rows.length).toBe(20_000);
    expect(rows[19_999]).toEqual({ external_id: '19999', name: 'näme, 19999 😀' });
    expect(rows.every((row, index) => (row as { external_id: string }).external_id === String(index))).toBe(true);
  });

  test.each([
    ['', 'is empty'],
    ['name,price\nA,1', 'names no id'],
    ['<html><body>Not found</body></html>', 'is a page'],
    ['id,name\nA,"never closed', 'has an open quote'],
    [`id,name\nA,"${'x'.repeat(1_100_000)}"`, 'has a record of more than a megabyte'],
  ])('a file is broken when it %2$s', async (document) => {
    await broken('csv', document);
  });

  test('refuses a file in another encoding', async () => {
    await broken('csv', Buffer.from('id,name\nA,Schön', 'latin1'));
  });
});

const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>${items}</channel></rss>`;

describe('google_xml', () => {
  test('reads an item as a product', async () => {
    const item = `<item><g:id>A</g:id><g:title>Shoe &amp; sock &#x1F600;</g:title><description><![CDATA[<b>Bold</b> & </item>]]></description>
      <link>https://shop.example/a?b="c">d</link><g:image_link>https://x.example/1.jpg</g:image_link>
      <g:additional_image_link>https://x.example/2.jpg</g:additional_image_link>
      <g:additional_image_link>https://x.example/3.jpg</g:additional_image_link>
      <g:price>19.90 USD</g:price><g:sale_price>15 USD</g:sale_price><g:availability>out_of_stock</g:availability>
      <g:brand>Acme</g:brand><g:gtin>4006381333931</g:gtin><g:condition>new</g:condition><g:product_type>Shoes &gt; Running</g:product_type>
      <g:google_product_category>187</g:google_product_category><g:shipping_weight>0.3 kg</g:shipping_weight></item>`;
    expect(await rowsOf('google_xml', rss(item))).toEqual([
      {
        external_id: 'A',
        sku: 'A',
        name: 'Shoe & sock 😀',
        description: '<b>Bold</b> & </item>',
        media: ['1', '2', '3'].map((number) => ({ url: `https://x.example/${number}.jpg` })),
        price: 19.9,
        sale_price: 15,
        stock: 0,
        brand: 'Acme',
        gtin: '4006381333931',
        condition: 'new',
        category: 'Shoes > Running',
        google_product_category: '187',
        weight_grams: 300,
      },
    ]);
  });

  test('reads a group’s items as variants of one product, at its first item’s position', async () => {
    const item = (id: string, group: string, size: string) =>
      `<item><g:id>${id}</g:id><g:item_group_id>${group}</g:item_group_id><title>Shoe</title><g:price>${id.length} USD</g:price><g:size>${size}</g:size><g:color>red</g:color></item>`;
    const rows = await rowsOf('google_xml', rss(item('A1', 'A', '40') + item('B', 'B', '1') + item('A22', 'A', '41')));
    expect(rows).toEqual([
      {
        external_id: 'A',
        name: 'Shoe',
        variants: [
          { sku: 'A1', price: 2, variant_attributes: { size: '40', colour: 'red' }, variant_name: '40 / red' },
          { sku: 'A22', price: 3, variant_attributes: { size: '41', colour: 'red' }, variant_name: '41 / red' },
        ],
      },
      { external_id: 'B', sku: 'B', name: 'Shoe', price: 1, variant_attributes: { size: '1', colour: 'red' } },
    ]);
  });

  test('reads Atom entries, comments and single quotes', async () => {
    const feed = `<feed xmlns:g='x'><!-- <entry> --><entry a='>'><g:id>A</g:id><title>One</title></entry></feed>`;
    expect(await rowsOf('google_xml', feed)).toEqual([{ external_id: 'A', sku: 'A', name: 'One' }]);
  });

  test('rejects an item with an invalid character alone', async () => {
    const items = '<item><g:id>A</g:id><title>a&#0;b&#xD800;</title></item><item><g:id>B</g:id></item>';
    const rows = await rowsOf('google_xml', rss(items));
    expect(rows[1]).toEqual({ external_id: 'B', sku: 'B' });
    expect(JSON.stringify(rows[0])).not.toMatch(/\\u0000|\\ud800/);
  });

  test('rejects an item with hostile names or nesting alone', async () => {
    const items = `<item><__proto__>x</__proto__></item><item>${'<a>'.repeat(500)}</item><item><g:id>A</g:id></item>`;
    expect(await rowsOf('google_xml', rss(items))).toEqual([
      '!The item is not valid XML.',
      '!The item is not valid XML.',
      { external_id: 'A', sku: 'A' },
    ]);
  });

  test.each([
    ['', 'nothing'],
    ['{"products":[]}', 'JSON'],
    ['<html><body></body></html>', 'a page'],
    ['<rss><channel><item><g:id>1</g:id></item>', 'cut off'],
    ['<rss><channel><item><g:id>1</g:id></channel></rss>', 'an item that never ends'],
    ['<rss><!-- ', 'a comment that never ends'],
    [
      '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><item><g:id>&b;</g:id></item></channel></rss>',
      'entities of its own',
    ],
    ['<!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss></rss>', 'a document type elsewhere'],
  ])('%# is broken: %2$s', async (document) => {
    await broken('google_xml', document);
  });
});
