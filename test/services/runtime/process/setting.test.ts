// Settings: an unset one gets its default, an invalid one refuses to start with one sentence that names it.
import { describe, expect, test } from 'vitest';
import { EnvironmentError, readSettings } from '#runtime/process/setting.ts';

test('defaults to settings of a single machine', () => {
  expect(readSettings({})).toEqual({
    publicUrl: 'http://127.0.0.1:8080',
    allowLocal: false,
    natsReplicas: 1,
    catalogBytesMax: null,
    searchBytesMax: null,
    embeddings: null,
    geocoderUrl: null,
    mail: { production: null, sandbox: null, from: null },
    s3: null,
    providerUrls: { stripe: null, paypal: null, paystack: null, daraja: null },
    hashNiceness: 10,
  });
});

test('an empty variable counts as unset', () => {
  const empty = { STOA_PUBLIC_URL: '', STOA_HASH_NICENESS: '', STOA_EMBEDDINGS_URL: '', STOA_EMBEDDINGS_MODEL: 'm' };
  expect(readSettings(empty)).toEqual(readSettings({}));
});

test('read addresses without the slash at their end, and sizes in bytes', () => {
  const settings = readSettings({
    STOA_PUBLIC_URL: 'https://api.shop.example/',
    STOA_PAYPAL_URL: 'http://127.0.0.1:9000/',
    STOA_CATALOG_MEMORY_MB: '2',
    STOA_HASH_NICENESS: '0',
  });
  expect(settings).toMatchObject({
    publicUrl: 'https://api.shop.example',
    providerUrls: { paypal: 'http://127.0.0.1:9000' },
    catalogBytesMax: 2 * 1024 * 1024,
    hashNiceness: 0,
  });
});

test('an embedding service has a URL, a model, a key and a deadline', () => {
  const { embeddings } = readSettings({
    STOA_EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1/',
    STOA_EMBEDDINGS_MODEL: 'nomic-embed-text',
    STOA_EMBEDDINGS_API_KEY: 'k',
    STOA_EMBEDDINGS_TIMEOUT_MS: '500',
  });
  expect(embeddings).toEqual({
    url: 'http://127.0.0.1:11434/v1',
    model: 'nomic-embed-text',
    apiKey: 'k',
    queryTimeoutMs: 500,
  });
});

test('the storage of files is a bucket of S3 with a prefix and a key', () => {
  const key = { STOA_S3_ACCESS_KEY_ID: 'id', STOA_S3_SECRET_ACCESS_KEY: 'secret' };
  const read = (media: string) =>
    readSettings({ ...key, STOA_MEDIA: media, STOA_S3_ENDPOINT: 'http://127.0.0.1:9000/' }).s3;
  const common = { endpoint: 'http://127.0.0.1:9000', accessKeyId: 'id', secretAccessKey: 'secret' };
  expect(read('s3://pictures')).toEqual({ bucket: 'pictures', prefix: '', ...common });
  expect(read('s3://pictures/shop/eu/')).toEqual({ bucket: 'pictures', prefix: 'shop/eu/', ...common });
});

describe('that cannot be used stop the start', () => {
  test.each([
    ['STOA_PUBLIC_URL', 'shop.example'],
    ['STOA_PUBLIC_URL', 'ftp://shop.example'],
    ['STOA_NATS_REPLICAS', '0'],
    ['STOA_NATS_REPLICAS', 'three'],
    ['STOA_CATALOG_MEMORY_MB', '-1'],
    ['STOA_SEARCH_MEMORY_MB', '1.5'],
    ['STOA_GEOCODER_URL', 'nowhere'],
    ['STOA_STRIPE_URL', 'stripe'],
    ['STOA_HASH_NICENESS', '20'],
    ['STOA_MEDIA', 'https://bucket'],
    ['STOA_MEDIA', 's3://bucket'],
    ['STOA_EMBEDDINGS_URL', 'ftp://x'],
  ])('%s=%s', (name, value) => {
    const read = () => readSettings({ STOA_EMBEDDINGS_MODEL: 'm', [name]: value });
    expect(read).toThrow(EnvironmentError);
    expect(read).toThrow(name);
  });

  test('an embedding service without a model, or with no time', () => {
    const url = { STOA_EMBEDDINGS_URL: 'http://x' };
    expect(() => readSettings(url)).toThrow('STOA_EMBEDDINGS_MODEL');
    const late = { ...url, STOA_EMBEDDINGS_MODEL: 'm', STOA_EMBEDDINGS_TIMEOUT_MS: 'soon' };
    expect(() => readSettings(late)).toThrow('STOA_EMBEDDINGS_TIMEOUT_MS');
  });
});
