// Ids of uploaded files in the place of URLs: every field that shows a picture takes them and shows the URL.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { MEDIA_FIELDS } from '#proto/gen/media_field.ts';
import { mediaReferencesIn } from '#services/commerce/media_reference.ts';
import { mp4, plainPng } from '#test/support/picture.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let picture: { id: string; url: string };
let video: { id: string; url: string };
const upload = async (bytes: Uint8Array, key = keys.secret_key) =>
  (await stoa.send('POST', '/v1/media', { key, body: bytes })).body.media;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  picture = await upload(plainPng(20, 10));
  video = await upload(mp4());
});

const write = (method: string, path: string, body: object, key = keys.secret_key) =>
  stoa.send(method, path, { key, body });

test('a product’s and its variants’ pictures take ids', async () => {
  const media = [
    { type: 'image', url: picture.id.toUpperCase() },
    { type: 'video', url: video.id, poster_url: picture.id },
  ];
  const created = await write('POST', '/v1/products', {
    name: 'Mug',
    thumbnail_url: picture.id,
    media,
    variants: [{ price: 1, thumbnail_url: picture.id, media, variant_attributes: { size: 'S' } }],
  });
  expect(created.status, created.text).toBe(201);
  const product = created.body;
  expect(product.thumbnail_url).toBe(picture.url);
  const shown = [
    { type: 'image', url: picture.url },
    { type: 'video', url: video.url, poster_url: picture.url },
  ];
  expect(product.media).toMatchObject(shown);
  expect(product.variants[0].media).toMatchObject(shown);
  const { body: changed } = await write('PATCH', `/v1/products/${product.id}`, { thumbnail_url: video.url });
  expect(changed.thumbnail_url).toBe(video.url);
  const variant = await write('POST', `/v1/products/${product.id}/variants`, {
    price: 2,
    thumbnail_url: picture.id,
    variant_attributes: { size: 'L' },
  });
  expect(variant.text).toContain(picture.url);
});

test('collections, posts, lookbooks and the logo take ids', async () => {
  const { collection } = (
    await write('POST', '/v1/product-collections', { name: 'Mugs', image: picture.id, video: video.id })
  ).body;
  expect([collection.image, collection.video]).toEqual([picture.url, video.url]);
  const { post } = (await write('POST', '/v1/blog/posts', { title: 'Mugs', cover_image: picture.id })).body;
  expect(post.cover_image).toBe(picture.url);
  const lookbook = (
    await write('POST', '/v1/lookbooks', { title: 'Mugs', images: [{ url: picture.id }, { url: picture.url }] })
  ).text;
  expect(lookbook).toContain(picture.url);
  expect(lookbook).not.toContain(`"${picture.id}"`);
  expect((await write('PATCH', '/v1/store', { logo_url: picture.id })).body.store.logo_url).toBe(picture.url);
});

test('an id of another store, of the other environment or of nothing is 404 and names its field', async () => {
  const other = await stoa.createStore();
  const theirs = await upload(plainPng(5, 5), other.secret_key);
  const trial = await upload(plainPng(5, 5), keys.secret_test_key);
  for (const id of [theirs.id, trial.id, randomUUID()]) {
    const body = { name: 'Mug', variants: [{ price: 1, media: [{ type: 'image', url: id }] }] };
    const { status, body: answer } = await write('POST', '/v1/products', body);
    expect([status, answer.error.param]).toEqual([404, 'variants[0].media[0].url']);
  }
});

test('a pushed product names its pictures by URL alone', async () => {
  const products = [
    { external_id: 'A', name: 'Mug', price: 1, thumbnail_url: picture.id },
    { external_id: 'B', name: 'Cup', price: 1, thumbnail_url: picture.url },
  ];
  const { body } = await stoa.send('POST', '/v1/ingestion/push', {
    key: keys.secret_key,
    signWith: keys.hmac_secret,
    body: { products },
  });
  let job = body.job;
  while (['pending', 'running', 'queued', 'processing'].includes(job.status)) {
    await Bun.sleep(50);
    job = (await stoa.send('GET', `/v1/ingestion/jobs/${job.id}`, { key: keys.secret_key })).body.job;
  }
  expect(job.errors).toMatchObject([{ external_id: 'A', param: 'thumbnail_url' }]);
});

test('a text that is neither URL nor id is 400', async () => {
  const { status, body } = await write('POST', '/v1/blog/posts', { title: 'Mugs', cover_image: 'cover.png' });
  expect([status, body.error.param]).toEqual([400, 'cover_image']);
});

describe('references', () => {
  test('references are found in lists and objects of every rpc that has such fields', () => {
    expect(Object.keys(MEDIA_FIELDS).length).toBeGreaterThan(8);
    const id = randomUUID();
    const found = mediaReferencesIn('Catalog/CreateProduct', {
      thumbnail_url: id,
      media: [{ url: 'https://a.example/b.png' }, { url: id }, null],
      variants: [{ media: null }, { media: [{ poster_url: id }] }],
    });
    expect(found.map(({ path }) => path)).toEqual(['thumbnail_url', 'media[1].url', 'variants[1].media[0].poster_url']);
    expect(mediaReferencesIn('Cart/GetCart', { media: [{ url: id }] })).toEqual([]);
  });
});
