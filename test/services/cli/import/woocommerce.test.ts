// WooCommerce's export as our rows.
import { expect, test } from 'vitest';
import { readWooCommerce } from '#services/cli/import/woocommerce.ts';
import { WOOCOMMERCE } from '#test/support/foreign_shop.ts';

const { products, problems } = readWooCommerce(WOOCOMMERCE);

test('variations are their parent\u2019s variants, by its id or its SKU', () => {
  const { product, handle, collections } = products[0]!;
  expect([handle, collections]).toEqual(['oak-stool', ['Oak things']]);
  expect(product).toMatchObject({
    ...{ external_id: '44', name: 'Oak Stool', category: 'Seats > Stools', tags: ['oak', 'seat'], featured: true },
    media: [
      { url: 'https://pictures.example.com/stool.jpg' },
      { url: 'https://pictures.example.com/stool-2.jpg', position: 2 },
    ],
    variants: [
      {
        ...{ sku: 'OAK-L', price: 80, sale_price: 70, stock: 3, weight_grams: 4_000, is_default: true },
        variant_attributes: { height: 'Low' },
        media: [{ url: 'https://pictures.example.com/low.jpg' }],
      },
      { sku: 'OAK-2', price: 95, sale_price: null, stock: 5, weight_grams: 4_500 },
    ],
  });
});

test('a simple product keeps its attributes; what is out of stock has none', () => {
  expect(products[1]!.product).toMatchObject({
    ...{ external_id: '47', sku: 'MAT', price: 15.5, stock: 0, is_active: false, description: 'Coir' },
    attributes: { fibre: 'Coir' },
  });
});

test('leaves out columns without a counterpart, by row', () => {
  expect(problems.map(({ row, param, whole }) => [row, param, whole])).toEqual([
    [6, 'Type', true],
    [7, 'Parent', true],
    [5, 'Published', false],
  ]);
});

test('unescapes values of an export', () => {
  const [found] = readWooCommerce(
    [
      'ID,Type,SKU,Name,Description,Stock,Regular price,Categories,Tags,Images,Attribute 1 name,Attribute 1 value(s)',
      String.raw`50,simple,POT,'-20 C Pot,"Holds heat.\nFor C:\\new kitchens.",'-2,20,"Pots\, Pans > Iron, Bowls\, Cups","red\, matt","https://pictures.example.com/a\,b.jpg",Finish,"Red\, matt"`,
    ].join('\n'),
  ).products;
  expect(found).toMatchObject({
    handle: '20-c-pot',
    collections: ['Bowls, Cups'],
    product: {
      ...{ name: '-20 C Pot', category: 'Pots, Pans > Iron', tags: ['red, matt'], stock: 0 },
      description: String.raw`Holds heat.
For C:\new kitchens.`,
      media: [{ url: 'https://pictures.example.com/a,b.jpg' }],
      attributes: { finish: 'Red, matt' },
    },
  });
});

test('numbers are read as shops in any language write them', () => {
  const { products: found, problems: noted } = readWooCommerce(
    [
      'ID;Type;SKU;Name;Stock;Weight (kg);Sale price;Regular price',
      '51;simple;TEA;Tea;7;.5;"9,90";"12,5"',
      '52;simple;POT;Pot;1;1,2;;,95',
      '53;simple;SET;Set;1;;;"1,299.00"',
    ].join('\n'),
  );
  expect(found.map(({ product: { price, sale_price, weight_grams } }) => [price, sale_price, weight_grams])).toEqual([
    [12.5, 9.9, 500],
    [0.95, null, 1_200],
    [undefined, null, undefined],
  ]);
  expect(noted).toEqual([expect.objectContaining({ row: 4, message: '"1,299.00" is no number.' })]);
});

test('rows count as in a spreadsheet, empty ones too', () => {
  const { problems: noted } = readWooCommerce('ID,Name,Type\n\n1,Set,grouped\n,,\n\n2,Set,grouped\n');
  expect(noted.filter(({ param }) => param === 'Type').map(({ row }) => row)).toEqual([3, 6]);
});

test('decodes what WordPress escapes in names, and tells of backorders and a second description', () => {
  const found = readWooCommerce(
    [
      'ID,Type,SKU,Name,Regular price,Stock,Backorders allowed?,Categories,Tags,Description,Short description',
      '1,simple,A&amp;B,Salt &amp; Pepper,2,1,1,Food &gt; Hot > Salt &amp; co,R&amp;D,<p>Long &amp; fine</p>,Short',
    ].join('\n'),
  );
  expect(found.products[0]!.product).toMatchObject({
    ...{ name: 'Salt & Pepper', sku: 'A&B', category: 'Food > Hot > Salt & co', tags: ['R&D'] },
    description: '<p>Long &amp; fine</p>',
  });
  expect(found.problems.map(({ param }) => param).sort()).toEqual(['Backorders allowed?', 'Short description']);
});

test('reports a price that cannot be read beside a good sale price', () => {
  const found = readWooCommerce(
    'ID,Type,SKU,Name,Stock,Regular price,Sale price\n1,simple,A,Tea,1,"1,299.00","9,90"\n',
  );
  expect(found.products[0]!.product).toMatchObject({ price: 9.9, sale_price: null });
  expect(found.problems.map(({ row, message }) => [row, message])).toEqual([
    [2, '"1,299.00" is no number.'],
    [2, expect.stringMatching(/^A sale price stands without a regular one .* \(1 row: 1\)\.$/)],
  ]);
});

test('leaves variations behind that are not published, and reports columns that it does not read', () => {
  const found = readWooCommerce(
    [
      'ID,Type,SKU,Name,Published,Stock,Regular price,Parent,Brands,Visibility in catalog,Tax class,Meta: _a,Meta: _b,Upsells,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible',
      '1,variable,T,Tea,1,,,,"Otter, Oak",visible,,x,y,"B, C",Size,"S, M",1',
      '2,variation,T-S,Tea,1,1,5,id:1,,visible,parent,,,,Size,S,',
      '3,variation,T-M,Tea,0,1,5,id:1,,visible,parent,,,,Size,M,',
      '4,"simple, virtual",V,Voucher,1,1,5,,,hidden,,x,,,,,',
    ].join('\n'),
  );
  expect(found.products.map(({ product }) => [product.sku, product.shipping_info])).toEqual([
    ['T-S', undefined],
    ['V', { requires_shipping: false }],
  ]);
  expect(found.problems.map(({ row, param, message }) => [row, param, /\(.*\)/.exec(message)![0]])).toEqual([
    [4, 'Published', '(1 row: 3)'],
    [2, 'Brands', '(1 row: 1)'],
    [2, 'Meta: …', '(2 rows)'],
    [2, 'Upsells', '(1 row)'],
    [5, 'Visibility in catalog', '(1 row)'],
  ]);
});
