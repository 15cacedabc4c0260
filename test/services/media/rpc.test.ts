// Pictures over HTTP: uploaded, judged by their content, served with their renditions, listed and deleted.

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { gifOf, jpeg, jpegWithExif, mp4, plainPng, png, twoColours } from '#test/support/picture.ts';
import { type Keys, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const MEBIBYTE = 1024 * 1024;

const upload = (bytes: Uint8Array, name = 'shoe.jpg', key = keys.secret_key, headers: Record<string, string> = {}) =>
  stoa.send('POST', `/v1/media?name=${encodeURIComponent(name)}`, {
    key,
    body: bytes,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });

const uploadForm = (bytes: Uint8Array, name: string, type: string, headers: Record<string, string> = {}) => {
  const form = new FormData();
  form.set('file', new File([bytes as Uint8Array<ArrayBuffer>], name, { type }));
  return fetch(`${stoa.url}/v1/media`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys.secret_key}`, ...headers },
    body: form,
  });
};

const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};

const noisy = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

describe('an upload', () => {
  test('an upload is answered with its address, size and renditions', async () => {
    const { status, body } = await upload(await jpeg(2000, 1000), 'trail-shoe.jpg');
    expect(status).toBe(201);
    const { id, url, renditions } = body.media;
    expect(body.media).toMatchObject({
      type: 'image',
      content_type: 'image/jpeg',
      width: 2000,
      height: 1000,
      name: 'trail-shoe.jpg',
    });
    expect(url).toBe(`${stoa.url}/media/${keys.store_id}/production/${id}`);
    expect(renditions.map(({ width }: { width: number }) => width)).toEqual([320, 800, 1600]);
    const main = await bytesAt(url);
    expect(main.headers.get('content-type')).toBe('image/jpeg');
    expect(main.bytes.length).toBe(body.media.bytes);
    for (const rendition of renditions) {
      const { headers, bytes } = await bytesAt(rendition.url);
      expect(headers.get('content-type')).toBe('image/webp');
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: rendition.width });
    }
    const read = await stoa.send('GET', `/v1/media/${id}`, { key: keys.secret_key });
    expect(read.body).toEqual(body);
  });

  test('a form’s file is judged by its content, not by its declared type', async () => {
    const response = await uploadForm(await png(), 'photo.html', 'text/html');
    const { media } = (await response.json()) as { media: Record<string, unknown> };
    expect([response.status, media.content_type, media.name]).toEqual([201, 'image/png', 'photo.html']);
  });

  test('a narrow picture is not enlarged: it has one rendition, which every width serves', async () => {
    const { media } = (await upload(await png(40, 20))).body;
    expect(media.renditions).toEqual([{ width: 40, url: `${media.url}/320.webp` }]);
    const widest = await bytesAt(`${media.url}/1600.webp`);
    expect(await sharp(widest.bytes).metadata()).toMatchObject({ width: 40, height: 20 });
  });

  test('a picture loses EXIF and GPS, and stands upright', async () => {
    const source = await jpegWithExif();
    expect(source.includes('SecretCamera')).toBe(true);
    const { media } = (await upload(source)).body;
    expect([media.width, media.height]).toEqual([20, 40]);
    for (const url of [media.url, media.renditions[0].url]) {
      const { bytes } = await bytesAt(url);
      const metadata = await sharp(bytes).metadata();
      expect([metadata.exif, metadata.orientation, metadata.width, metadata.height]).toEqual([
        undefined,
        undefined,
        20,
        40,
      ]);
      expect(bytes.includes('SecretCamera')).toBe(false);
      // A quarter turn clockwise puts the left side on top.
      const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect(data[0]).toBeGreaterThan(150);
      expect(data.at(-1)).toBeGreaterThan(150);
    }
  });

  test('a WebP, an AVIF and a GIF are decoded; an AVIF becomes a WebP, and a GIF stays animated', async () => {
    const webp = (await upload(await twoColours(30, 20).webp().toBuffer())).body.media;
    const avif = (await upload(await twoColours(30, 20).avif({ effort: 0 }).toBuffer())).body.media;
    const gif = (await upload(await gifOf(3))).body.media;
    expect([webp, avif, gif].map(({ content_type }) => content_type)).toEqual([
      'image/webp',
      'image/webp',
      'image/gif',
    ]);
    expect([gif.width, gif.height]).toEqual([16, 12]);
    for (const [url, format] of [
      [gif.url, 'gif'],
      [gif.renditions[0].url, 'webp'],
    ])
      expect(await sharp((await bytesAt(url)).bytes, { animated: true }).metadata()).toMatchObject({
        format,
        pages: 3,
      });
  });

  test('an MP4 keeps its bytes but for its metadata', async () => {
    const source = mp4({ turned: true });
    const { media } = (await upload(source, 'walk.mp4')).body;
    expect(media).toMatchObject({ type: 'video', width: 360, height: 640, content_type: 'video/mp4', renditions: [] });
    const { bytes } = await bytesAt(media.url);
    expect(bytes.length).toBe(source.length);
    expect(bytes.includes('-01.2864')).toBe(false);
    expect(bytes.subarray(-64)).toEqual(source.subarray(-64));
    expect((await bytesAt(`${media.url}/320.webp`)).status).toBe(404);
  });

  test('bytes after the end of a picture are dropped', async () => {
    const polyglot = Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>')]);
    const { media } = (await upload(polyglot)).body;
    expect((await bytesAt(media.url)).bytes.includes('<script>')).toBe(false);
  });
});

describe('a refused upload', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>');
  test.each([
    ['an HTML page', () => Buffer.from('<!doctype html><title>Not a picture</title>'), 'by its content'],
    ['an SVG', () => svg, 'by its content'],
    [
      'a PNG’s signature before HTML',
      () => Buffer.from('\x89PNG\r\n\x1a\n<html><body>x</body></html>', 'latin1'),
      'damaged',
    ],
    ['half a JPEG', async () => (await noisy(200, 150).jpeg().toBuffer()).subarray(0, 4_000), 'damaged'],
    ['half a GIF', async () => (await gifOf(9)).subarray(0, -20), 'damaged'],
    ['half a WebP', async () => (await noisy(60, 60).webp().toBuffer()).subarray(0, 900), 'damaged'],
    ['half an AVIF', async () => (await noisy(60, 60).avif({ effort: 0 }).toBuffer()).subarray(0, 900), 'damaged'],
    ['half a PNG', async () => (await noisy(60, 60).png().toBuffer()).subarray(0, 3_000), 'damaged'],
    ['a PNG of 900 million pixels', () => plainPng(30_000, 30_000), '30000 × 30000 pixels'],
    ['a PNG of 20,000 pixels a side', () => plainPng(20_000, 20), '16,383 a side'],
    ['an MP4 without tracks', () => Buffer.concat([mp4().subarray(0, 24), Buffer.alloc(40)]), 'damaged'],
    ['a file of three bytes', () => Buffer.from('\xff\xd8\xff', 'latin1'), 'by its content'],
  ])('%s is 400 and names the file', async (_, source, reason) => {
    const { status, body } = await upload(await source(), 'logo.png');
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', 'file']);
    expect(body.error.message).toContain('"logo.png"');
    expect(body.error.message).toContain(reason);
  });

  test('an upload without bytes or without a file is 400', async () => {
    const empty = await upload(Buffer.alloc(0));
    expect([empty.status, empty.body.error.param]).toEqual([400, 'file']);
    const form = new FormData();
    form.set('other', 'text');
    const response = await fetch(`${stoa.url}/v1/media`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${keys.secret_key}` },
      body: form,
    });
    expect([response.status, ((await response.json()) as { error: { param: string } }).error.param]).toEqual([
      400,
      'file',
    ]);
  });

  test('a file of 20 MiB and a byte is 413, as the body and in a form', async () => {
    const large = Buffer.alloc(20 * MEBIBYTE + 1, 1);
    expect((await upload(large)).body.error.code).toBe('payload_too_large');
    expect((await uploadForm(large, 'large.png', 'image/png')).status).toBe(413);
    expect((await upload(Buffer.alloc(21 * MEBIBYTE))).status).toBe(413);
  });

  test('a refusal leaves no row', async () => {
    const before = await stoa.send('GET', '/v1/media?limit=100', { key: keys.secret_key });
    await upload(svg);
    const after = await stoa.send('GET', '/v1/media?limit=100', { key: keys.secret_key });
    expect(after.body).toEqual(before.body);
  });

  test('a publishable key is 403', async () => {
    expect((await upload(await png(), 'a.png', keys.publishable_key)).status).toBe(403);
  });
});

describe('a retry', () => {
  test('two forms with other boundaries under one key are one picture', async () => {
    const { secret_key } = await stoa.createStore();
    const source = await png(31, 17);
    const send = async (bytes: Uint8Array) => {
      const form = new FormData();
      form.set('file', new File([bytes as Uint8Array<ArrayBuffer>], 'once.png'));
      const headers = { Authorization: `Bearer ${secret_key}`, 'Idempotency-Key': 'once' };
      const response = await fetch(`${stoa.url}/v1/media`, { method: 'POST', headers, body: form });
      return { status: response.status, body: (await response.json()) as { media: { id: string } } };
    };
    const [first, second] = [await send(source), await send(source)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.media.id).toBe(first.body.media.id);
    expect((await send(await png(31, 18))).status).toBe(409);
    const { body } = await stoa.send('GET', '/v1/media', { key: secret_key });
    expect(body.media).toHaveLength(1);
  });
});

describe('a served file', () => {
  let url: string;
  let whole: Buffer;
  beforeAll(async () => {
    const { media } = (await upload(await noisy(900, 700).png().toBuffer(), 'large.png')).body;
    url = media.url;
    whole = (await bytesAt(url)).bytes;
    expect(whole.length).toBeGreaterThan(MEBIBYTE);
    expect(whole.length).toBe(media.bytes);
  });

  test('headers let a file be kept for ever, and run nothing', async () => {
    const { headers } = await bytesAt(url);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('content-encoding')).toBe(null);
    expect(headers.get('content-length')).toBe(String(whole.length));
    expect(await sharp(whole).metadata()).toMatchObject({ width: 900, height: 700 });
  });

  test('a client that has the file gets 304', async () => {
    const etag = (await bytesAt(url)).headers.get('etag')!;
    const again = await bytesAt(url, { 'If-None-Match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await bytesAt(url, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('HEAD is answered without a body', async () => {
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(whole.length)]);
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=524280-524300', 524_280, 524_301],
    ['bytes=1000000-', 1_000_000, null],
    ['bytes=-500', -500, null],
    ['bytes=100-999999999', 100, null],
  ])('the range %s is answered', async (range, from, to) => {
    const part = await bytesAt(url, { Range: range });
    const expected = whole.subarray(from, to ?? undefined);
    expect(part.status).toBe(206);
    expect(part.bytes.equals(expected)).toBe(true);
    const start = from < 0 ? whole.length + from : from;
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${start + expected.length - 1}/${whole.length}`);
  });

  test('a range after the end is 416, and one that is no range is ignored', async () => {
    const outside = await bytesAt(url, { Range: 'bytes=999999999-' });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    expect((await bytesAt(url, { Range: 'bytes=9-3' })).status).toBe(200);
    expect((await bytesAt(url, { Range: 'lines=1-2' })).status).toBe(200);
    expect((await bytesAt(url, { Range: 'bytes=0-9', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('a file of many parts is streamed, whole and by ranges', async () => {
    const source = mp4({ bytes: 5 * MEBIBYTE });
    const { media } = (await upload(source, 'long.mp4')).body;
    const stored = (await bytesAt(media.url)).bytes;
    expect(stored.length).toBe(source.length);
    expect(stored.subarray(-MEBIBYTE).equals(source.subarray(-MEBIBYTE))).toBe(true);
    const part = await bytesAt(media.url, { Range: 'bytes=700001-4000000' });
    expect([part.status, part.bytes.equals(stored.subarray(700_001, 4_000_001))]).toEqual([206, true]);
  });

  test.each(['', '/640.webp', '/320.png', '/main', '/320.webp/x'])('another address is 404: %s', async (ending) => {
    const other = ending === '' ? url.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${url}${ending}`;
    expect((await bytesAt(other)).status).toBe(404);
  });
});

describe('stores and environments', () => {
  test('stores and environments do not reach each other’s pictures', async () => {
    const other = await stoa.createStore();
    const { media } = (await upload(await png())).body;
    for (const key of [other.secret_key, keys.secret_test_key, other.secret_test_key]) {
      expect((await stoa.send('GET', `/v1/media/${media.id}`, { key })).status).toBe(404);
      expect((await stoa.send('DELETE', `/v1/media/${media.id}`, { key })).status).toBe(404);
    }
    expect((await stoa.send('GET', '/v1/media', { key: other.secret_key })).body.media).toEqual([]);
    expect((await stoa.send('GET', '/v1/media', { key: keys.secret_test_key })).body.media).toEqual([]);
    expect((await bytesAt(media.url.replace('/production/', '/sandbox/'))).status).toBe(404);
    expect((await bytesAt(media.url.replace(keys.store_id, other.store_id))).status).toBe(404);
    expect((await bytesAt(media.url)).status).toBe(200);
  });

  test('a reset ends the sandbox’s pictures alone', async () => {
    const shop = await stoa.createStore();
    const [live, trial] = await Promise.all(
      [shop.secret_key, shop.secret_test_key].map(async (key) => (await upload(await png(), 'a.png', key)).body.media),
    );
    await stoa.send('POST', '/v1/sandbox/reset', { key: shop.secret_test_key, body: {} });
    expect((await bytesAt(trial.url)).status).toBe(404);
    expect((await bytesAt(live.url)).status).toBe(200);
  });
});

describe('a list', () => {
  test('a list is newest first, continues after its cursor, and keeps to a type', async () => {
    const { secret_key } = await stoa.createStore();
    const ids: string[] = [];
    for (const bytes of [await png(), await jpeg(), mp4()])
      ids.unshift((await upload(bytes, 'a', secret_key)).body.media.id);
    const list = async (query: string) => (await stoa.send('GET', `/v1/media?${query}`, { key: secret_key })).body;
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.pagination.next_cursor}`);
    const named = [...first.media, ...second.media].map(({ id }: { id: string }) => id);
    expect(named).toEqual(ids);
    expect(second.pagination.has_more).toBe(false);
    expect((await list('type=video')).media.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    const foreign = await stoa.send('GET', '/v1/media?cursor=AAAA', { key: secret_key });
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
  });
});

describe('a deletion', () => {
  test('a deletion ends the address at once', async () => {
    const { media } = (await upload(await png())).body;
    const remove = () => stoa.send('DELETE', `/v1/media/${media.id}`, { key: keys.secret_key });
    expect((await remove()).body).toEqual({ deleted: true, id: media.id });
    expect((await remove()).status).toBe(404);
    expect((await bytesAt(media.url)).status).toBe(404);
    expect((await bytesAt(media.renditions[0].url)).status).toBe(404);
  });
});

describe('many uploads at once', () => {
  test('many uploads at once are all stored, or refused with a time to retry', async () => {
    const { secret_key } = await stoa.createStore();
    const source = await noisy(300, 300).png().toBuffer();
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        sendTo(stoa.url, 'POST', `/v1/media?name=${at}.png`, { key: secret_key, body: source }),
      ),
    );
    const stored = replies.filter(({ status }) => status === 201);
    const shed = replies.filter(({ status }) => status === 503);
    expect(stored.length + shed.length).toBe(16);
    expect(stored.length).toBeGreaterThan(3);
    expect(shed.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    const { body } = await stoa.send('GET', '/v1/media?limit=100', { key: secret_key });
    expect(body.media).toHaveLength(stored.length);
  });
});
