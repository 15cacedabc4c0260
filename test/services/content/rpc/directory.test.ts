// Published content in the store's public summary, llms.txt.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  await merchant.secret('PATCH', '/v1/store', { website_url: 'https://shop.example' });
  await merchant.createProduct();
});

const feed = (name = 'llms.txt') => stoa.send('GET', `/v1/feeds/${merchant.keys.code}/${name}`);
const untilCached = (): Promise<void> =>
  eventually(async () => {
    await feed();
    expect((await feed()).headers.get('x-cache')).toBe('HIT');
  });

describe('llms.txt', () => {
  test('links published content and nothing else', async () => {
    await merchant.secret('POST', '/v1/blog/posts', {
      title: 'How we weave',
      excerpt: 'Sisal first.',
      body: 'Never shown here.',
      status: 'published',
    });
    await merchant.secret('POST', '/v1/blog/posts', { title: 'A draft' });
    const published_at = new Date(Date.now() + 3_600_000).toISOString();
    await merchant.secret('POST', '/v1/blog/posts', { title: 'To come', status: 'scheduled', published_at });
    await merchant.secret('POST', '/v1/lookbooks', {
      title: 'Mornings',
      description: 'Slow ones.',
      status: 'published',
    });
    await merchant.secret('POST', '/v1/lookbooks', { title: 'Evenings' });
    await merchant.test('POST', '/v1/blog/posts', { title: 'Tried out', status: 'published' });
    const { text } = await feed();
    expect(text).toContain(
      '## Lookbooks\n\n- [Mornings](https://shop.example/lookbooks/mornings): Slow ones.\n\n' +
        '## Blog\n\n- [How we weave](https://shop.example/blog/how-we-weave): Sisal first.\n',
    );
    expect(text).not.toMatch(/draft|To come|Evenings|Tried out|Never shown/);
  });

  test('stays cached until the catalogue or published content changes', async () => {
    await untilCached();
    const { body } = await merchant.secret('POST', '/v1/lookbooks', { title: 'Noons', status: 'published' });
    expect((await feed()).text).toContain('Noons');
    await untilCached();
    await merchant.secret('PATCH', `/v1/lookbooks/${body.id}`, { status: 'draft' });
    expect((await feed()).text).not.toContain('Noons');
    await untilCached();
    await merchant.createProduct({ name: 'Loom', featured: true });
    await eventually(async () => expect((await feed()).text).toContain('Loom'));
  });

  test('stays cached for a store without content', async () => {
    const other = await openMerchant(stoa);
    const read = () => stoa.send('GET', `/v1/feeds/${other.keys.code}/llms.txt`);
    await other.createProduct();
    await eventually(async () => {
      await read();
      expect((await read()).headers.get('x-cache')).toBe('HIT');
    });
    await other.secret('POST', '/v1/blog/posts', { title: 'First', status: 'published' });
    expect((await read()).text).toContain('## Blog\n\n- First\n');
  });

  test('the other feeds follow the catalogue alone', async () => {
    await merchant.secret('PATCH', '/v1/store', { feeds: { products_enabled: true } });
    await eventually(async () => {
      await feed('products.json');
      expect((await feed('products.json')).headers.get('x-cache')).toBe('HIT');
    });
    await merchant.secret('POST', '/v1/blog/posts', { title: 'Another', status: 'published' });
    expect((await feed('products.json')).headers.get('x-cache')).toBe('HIT');
  });
});
