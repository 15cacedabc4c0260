// Pictures of an import are copied into the store once, and served from its own address.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FoundProduct } from '#services/cli/import/catalogue.ts';
import { copyPictures } from '#services/cli/import/picture.ts';
import { ImportTarget } from '#services/cli/import/shop.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

let stoa: Stoa;
let merchant: Merchant;
let folder: string;
let former: Server;
let asked: string[] = [];

beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  folder = mkdtempSync(join(tmpdir(), 'stoa-pictures-'));
  former = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/gone.png') response.writeHead(404).end();
    else if (url === '/moved.png') response.writeHead(302, { location: at('front') }).end();
    else if (url === '/large.png') response.end(Buffer.alloc(21 * 1024 * 1024));
    else response.end(url === '/page.png' ? '<html></html>' : DOT);
  });
  await new Promise<void>((listening) => void former.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  former?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => `http://127.0.0.1:${(former.address() as AddressInfo).port}/${name}.png`;
const mediaOf = (...names: string[]) => names.map((name) => ({ type: 'image' as const, url: at(name) }));

const PRODUCTS = (): readonly FoundProduct[] => [
  {
    row: 2,
    handle: 'mug',
    product: {
      external_id: 'mug',
      media: mediaOf('front', 'gone'),
      variants: [{ sku: 'M', media: mediaOf('front', 'side') }, { sku: 'L' }],
    },
    collections: [],
  },
  { row: 5, handle: 'pot', product: { external_id: 'pot', media: mediaOf('page', 'large') }, collections: [] },
];

const copied = async (file: string) => {
  const access = { baseUrl: stoa.url, key: merchant.keys.secret_key, hmacSecret: '', shown: null };
  asked = [];
  return copyPictures(new ImportTarget(access), file, 'own', PRODUCTS(), () => {});
};

test('copies each picture once, names those that it cannot, and uses the copies again', async () => {
  const file = join(folder, 'products.csv');
  const first = await copied(file);
  expect(first.counts).toEqual({ copied: 2, known: 0, left: 3 });
  const [mug, pot] = first.products.map(({ product }) => product);
  const [front, gone] = mug!.media!.map(({ url }) => url);
  expect(front).toMatch(new RegExp(`^${stoa.url}/media/`));
  expect([gone, pot]).toEqual([at('gone'), PRODUCTS()[1]!.product]);
  expect(mug!.variants).toMatchObject([{ media: [{ url: front }, { url: expect.stringContaining('/media/') }] }, {}]);
  const served = await fetch(front!);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(first.problems.map(({ row, id, param, whole }) => [row, id, param, whole]).sort()).toEqual([
    [2, 'mug', 'media', false],
    [5, 'pot', 'media', false],
    [5, 'pot', 'media', false],
  ]);
  const why = first.problems.map(({ message }) => message).join(' ');
  for (const reason of ['status 404', 'larger than 20 MiB', at('page')]) expect(why).toContain(reason);

  // A crash may have cut off the last line.
  writeFileSync(`${file}.pictures.ndjson`, `${readFileSync(`${file}.pictures.ndjson`, 'utf8')}["own","http`);
  const second = await copied(file);
  expect(second.counts).toEqual({ copied: 0, known: 2, left: 3 });
  expect(second.products).toEqual(first.products);
  expect(asked).not.toContain('/front.png');

  const id = front!.split('/').at(-1);
  expect((await merchant.secret('DELETE', `/v1/media/${id}`)).status).toBeLessThan(300);
  const third = await copied(file);
  expect(third.counts).toEqual({ copied: 1, known: 1, left: 3 });
  expect(third.products[0]!.product.media![0]!.url).not.toBe(front);
});

test('asks no host inside the network, at an address of the file or by a redirect', async () => {
  const inward = [
    'http://169.254.169.254/latest/a.png',
    'http://10.0.0.1/a.png',
    'http://[::ffff:192.168.0.1]:8080/a.png',
    'http://0xa000001:8080/a.png',
    at('moved'),
  ];
  const media = inward.map((url) => ({ type: 'image' as const, url }));
  const access = { baseUrl: stoa.url, key: merchant.keys.secret_key, hmacSecret: '', shown: null };
  const products = [{ row: 2, handle: 'mug', product: { external_id: 'mug', media }, collections: [] }];
  asked = [];
  const file = join(folder, 'inward.csv');
  const { counts, problems } = await copyPictures(new ImportTarget(access), file, 'own', products, () => {});
  expect([counts, asked]).toEqual([{ copied: 0, known: 0, left: inward.length }, ['/moved.png']]);
  for (const { message } of problems) expect(message).toMatch(/public (?:host|address)|https/);
});
